// What the statements of a migration do to tables that hold rows already: which lock each takes, and how much
// of the table it reads or writes while it holds it.
import { stepwise, statementsIn } from './migration-files.ts'

/** What takes time with a table's rows: nothing, reading all, sorting all, writing all again, or some. */
export type Work = 'none' | 'scan' | 'index' | 'rewrite' | 'rows'

export type Effect = {
  statement: string
  table: string
  work: Work
  /** Why it would stop others for so long, and what to write instead; null where it does not. */
  trouble: string | null
}

/** Tables that do not become larger with members and their work: any statement is quick there. */
const small = new Set([
  'marketplaces',
  'marketplace_versions',
  'marketplace_closures',
  'rotation_figures',
  'site_figures',
  'money_figures',
  'storage_figures',
  'status_days',
  'signing_keys',
  'processes',
  'saved_replies',
  'lottery_days',
  'ring_searches',
  'club_medians',
  'backups',
  'restore_drills',
])

/**
 * The statements of a migration that touch tables of earlier ones.
 * @param validated conditions that an earlier migration proved, as `table column`: see `provenIn`
 */
export function effectsOf(text: string, validated: ReadonlySet<string> = new Set()): Effect[] {
  const inSteps = stepwise(text)
  const made = new Set<string>()
  return statementsIn(text).flatMap((statement) => {
    const created = /^create (?:unlogged |temp |temporary )?table (?:if not exists )?(\w+)/i.exec(
      statement,
    )?.[1]
    if (created) made.add(created)
    const table = tableOf(statement)
    if (!table || made.has(table)) return []
    const { work, trouble } = judge(statement, table, inSteps, validated)
    return [{ statement, table, work, trouble: small.has(table) ? null : trouble }]
  })
}

/** The columns that a migration proves to be filled, as `table column`: `set not null` is then quick. */
export function provenIn(text: string): string[] {
  const statements = statementsIn(text)
  return statements.flatMap((statement) => {
    const [, table, name] = /^alter table (\w+)\s+validate constraint (\w+)/i.exec(statement) ?? []
    const adds = new RegExp(
      `^alter table ${table}\\s+add constraint ${name} check \\((\\w+) is not null\\)`,
      'i',
    )
    const column = statements.map((each) => adds.exec(each)?.[1]).find(Boolean)
    return table && column ? [`${table} ${column}`] : []
  })
}

function tableOf(statement: string): string | undefined {
  return [
    /^create (?:unique )?index (?:concurrently )?(?:if not exists )?\w+ on (?:only )?(\w+)/i,
    /^alter table (?:if exists )?(?:only )?(\w+)/i,
    /^update (?:only )?(\w+)/i,
    /^delete from (?:only )?(\w+)/i,
    /^(?:lock|truncate)(?: table)? (\w+)/i,
    /^drop table (?:if exists )?(\w+)/i,
    /^(?:cluster|vacuum full|reindex (?:table|index)) (\w+)/i,
    /^with [\s\S]*?\b(?:update|delete from) (\w+)/i,
  ]
    .map((form) => form.exec(statement)?.[1])
    .find((name) => name !== undefined)
}

type Judgement = Pick<Effect, 'work' | 'trouble'>
const quick: Judgement = { work: 'none', trouble: null }

function judge(
  statement: string,
  table: string,
  inSteps: boolean,
  validated: ReadonlySet<string>,
): Judgement {
  if (/^create (unique )?index/i.test(statement)) {
    const beside = /^create (unique )?index concurrently/i.test(statement)
    return { work: 'index', trouble: beside ? null : 'writers wait: create index concurrently, in steps' }
  }
  if (/^(update|delete|with)/i.test(statement))
    return { work: 'rows', trouble: inSteps ? null : 'rows stay locked: change them in batches, in steps' }
  if (/^(lock|truncate|cluster|vacuum|reindex)/i.test(statement))
    return { work: 'rewrite', trouble: 'everyone waits for the whole table' }
  if (/^drop table/i.test(statement) || /\b(rename|drop column)\b/i.test(statement))
    return { work: 'none', trouble: unused.test(statement) ? null : stillRead }
  const parts = actionsOf(statement)
  return parts.map((part) => judgeAction(part, table, inSteps, validated)).find(slow) ?? quick
}

// Processes of the version before go on while the migration runs.
const stillRead =
  'processes of the version before may use it: say “-- unused since <release>” above it, one release later'
const unused = /^-- unused since /

const slow = ({ trouble, work }: Judgement) => trouble !== null || work !== 'none'

function judgeAction(
  action: string,
  table: string,
  inSteps: boolean,
  validated: ReadonlySet<string>,
): Judgement {
  if (/^add constraint|^add (check|unique|primary|foreign|exclude)/i.test(action))
    return judgeConstraint(action)
  if (/^add (column )?/i.test(action)) return judgeColumn(action)
  if (/^validate constraint/i.test(action))
    return {
      work: 'scan',
      trouble: inSteps ? null : 'the lock of the statements before stays: validate in steps',
    }
  const [, column] = /^alter (?:column )?(\w+) set not null/i.exec(action) ?? []
  if (column)
    return validated.has(`${table} ${column}`)
      ? quick
      : {
          work: 'scan',
          trouble: 'everyone waits for a scan: add a check not valid, validate it in steps, before',
        }
  if (/^alter (column )?\w+ (set data )?type/i.test(action))
    return { work: 'rewrite', trouble: 'the table is written again: add a column, fill it in steps' }
  return quick
}

function judgeConstraint(action: string): Judgement {
  if (/ using index /i.test(action) || /\bnot valid\b/i.test(action)) return quick
  const indexed = /\b(unique|primary key|exclude)\b/i.test(action)
  return indexed
    ? {
        work: 'index',
        trouble: 'everyone waits for the index: make it concurrently, then add it using index',
      }
    : { work: 'scan', trouble: 'everyone waits for a scan: add it not valid, then validate it in steps' }
}

function judgeColumn(action: string): Judgement {
  if (/\bgenerated\b|\b(big|small)?serial\b/i.test(action) || volatile.test(defaultOf(action)))
    return { work: 'rewrite', trouble: 'the table is written again: add it empty, fill it in steps' }
  if (/\b(references|check|unique|primary key)\b/i.test(action))
    return { work: 'scan', trouble: 'everyone waits for a scan: add the rule apart, not valid' }
  return quick
}

const defaultOf = (action: string) => /\bdefault\s+([\s\S]*)$/i.exec(action)?.[1] ?? ''
/** A call whose answer may differ from row to row. `now()` is one moment. */
const volatile = /^(?!now\(\))[\w.]+\s*\(/i

/** The actions of one `alter table`, split at the commas between them. */
function actionsOf(statement: string): string[] {
  const text = statement.replace(/^--.*\n/gm, '').replace(/^alter table (if exists )?(only )?\w+\s*/i, '')
  const actions = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions.map((action) => action.trim())
}
