// The history of the members against the rows: what was acknowledged is there exactly once, and nothing is
// there that no one asked for. It reads and changes nothing.
import type pg from 'pg'
import type { Entry, Kind } from './history.ts'

/**
 * What is outside of the database: mails by their Message-ID, the members whom the partner charged, the files
 * of the storage, and the keys of those that their uploaders could open.
 */
export type Outside = { mails: string[]; charged: string[]; files: KeptFile[]; opened: Set<string> }

/** A file of the storage, and which pixels it shows. */
export type KeptFile = { key: string; pixels: string }

/** Nothing is outside. */
export const nothing: Outside = { mails: [], charged: [], files: [], opened: new Set() }

export type Verdict = {
  lost: string[]
  twice: string[]
  unasked: string[]
  /** Rules between the rows that do not hold. */
  broken: string[]
  acknowledged: number
  /** Mails that came again under their Message-ID: a worker was killed between sending and noting it. */
  mailsAgain: number
  /** Files without a row, of uploads that were cut off: the nightly sweep removes them. */
  leftFiles: number
  /** Jobs that failed as often as they may, and whose work was found by the next run of their schedule. */
  givenUp: string[]
}

export async function compare(db: pg.ClientBase, entries: Entry[], outside: Outside): Promise<Verdict> {
  const verdict: Verdict = {
    lost: [],
    twice: [],
    unasked: [],
    broken: [],
    acknowledged: 0,
    mailsAgain: 0,
    leftFiles: 0,
    givenUp: await readGivenUp(db, isRepeated),
  }
  for (const [kind, query] of Object.entries(done)) {
    // Its keys are the kinds.
    const own = entries.filter((entry) => entry.kind === (kind as Kind))
    const { rows } = await db.query<{ subject: string }>(query)
    match(
      verdict,
      kind,
      own,
      rows.map(({ subject }) => subject),
    )
  }
  match(
    verdict,
    'charge',
    entries.filter(({ kind }) => kind === 'pay'),
    outside.charged,
  )
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await db.query(query)
    if (rows.length > 0) verdict.broken.push(`${rule}: ${rows.length}`)
  }
  const given = await readGivenUp(db, `not ${isRepeated}`)
  if (given.length > 0) verdict.broken.push(`jobs were given up: ${given.join(', ')}`)
  await matchMails(db, verdict, outside.mails)
  await matchFiles(db, verdict, entries, outside)
  return verdict
}

export function isWhole({ lost, twice, unasked, broken }: Verdict): boolean {
  return lost.length + twice.length + unasked.length + broken.length === 0
}

function match(verdict: Verdict, what: string, entries: Entry[], rows: string[]) {
  const counts = new Map<string, number>()
  for (const subject of rows) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  const possible = new Set<string>()
  for (const { subject, outcome } of entries) {
    if (outcome !== 'refused') possible.add(subject)
    if (outcome !== 'acknowledged') continue
    verdict.acknowledged += 1
    if (!counts.has(subject)) verdict.lost.push(`${what} ${subject}`)
  }
  for (const [subject, count] of counts) {
    if (count > 1) verdict.twice.push(`${what} ${subject}`)
    if (!possible.has(subject)) verdict.unasked.push(`${what} ${subject}`)
  }
}

async function matchMails(db: pg.ClientBase, verdict: Verdict, arrived: string[]) {
  const { rows } = await db.query<{ id: string; sent: boolean }>(
    'select id, sent_at is not null as sent from mails',
  )
  const known = new Set(rows.map(({ id }) => id))
  const once = new Set(arrived)
  verdict.mailsAgain = arrived.length - once.size
  for (const id of once) if (!known.has(id)) verdict.unasked.push(`mail ${id}`)
  for (const { id, sent } of rows) if (sent && !once.has(id)) verdict.lost.push(`mail ${id}`)
}

/** Each row has its file, which shows what its member sent and opens for them. */
async function matchFiles(db: pg.ClientBase, verdict: Verdict, entries: Entry[], { files, opened }: Outside) {
  const { rows } = await db.query<{ key: string; subject: string }>(
    `select file_key as key, ${pictureSubject} as subject from proofs where file_key is not null`,
  )
  const sent = new Map(entries.map(({ subject, pixels }) => [subject, pixels]))
  const kept = new Map(files.map(({ key, pixels }) => [key, pixels]))
  for (const { key, subject } of rows) {
    const pixels = kept.get(key)
    if (pixels === undefined) verdict.lost.push(`the file of ${subject}`)
    else if (pixels !== sent.get(subject)) verdict.lost.push(`the file of ${subject}, which is another one`)
    else if (!opened.has(key)) verdict.lost.push(`the file of ${subject}, which does not open`)
  }
  const named = new Set(rows.map(({ key }) => key))
  verdict.leftFiles = files.filter(({ key }) => !named.has(key)).length
}

const pictureSubject = `review_id || ' ' || encode(sha256, 'hex')`

/** What was done, by the subject of its entry, once for each time. */
const done: Record<Kind, string> = {
  request: `select encode(lottery_nonce, 'hex') as subject from review_queue`,
  accept: `select o.queue_id || ' ' || o.reviewer_id as subject from offers o
    left join reviews r on r.queue_id = o.queue_id and r.reviewer_id = o.reviewer_id
    where o.state = 'accepted' and r.id is not null`,
  decline: `select o.queue_id || ' ' || o.reviewer_id as subject from offers o
    left join decline_history d on d.offer_id = o.id where o.state = 'declined' and d.id is not null`,
  prove: `select review_id || ' ' || order_id as subject from proofs where kind = 'order'`,
  'prove by picture': `select ${pictureSubject} as subject from proofs where kind = 'file'`,
  submit: `select review_id::text as subject from review_versions`,
  confirm: `select e.review_id::text as subject from ledger_entries e join reviews r on r.id = e.review_id
    where e.reason = 'gave' and r.status = 'verified'`,
  pay: `select s.member_id::text as subject from memberships s
    join membership_changes c on c.member_id = s.member_id and c.kind = 'joined'
    where s.source = 'stripe' and s.status = 'active'`,
  'cancel membership': `select s.member_id::text as subject from memberships s
    join membership_changes c on c.member_id = s.member_id and c.kind = 'cancelled'
    where s.ends_at is not null`,
  // Those of steady jobs; the others follow from what members do.
  mail: `select to_address as subject from mails where template = 'account-exists' and sent_at is not null`,
}

const rules: Record<string, string> = {
  'the ledger does not sum to 0': 'select sum(delta) from ledger_entries having sum(delta) <> 0',
  'the balances do not sum to 0': 'select sum(balance) from reviewer_states having sum(balance) <> 0',
  'a notice of a review is missing or doubled': `
    select r.id from reviews r cross join lateral (values (r.reviewer_id), (r.seller_id)) side (member_id)
    where (select count(*) from notices n where n.member_id = side.member_id
      and n.dedupe_key = 'review.opened:' || r.id) <> 1`,
  'a line of the activity is doubled': `
    select member_id from activity_items group by member_id, dedupe_key having count(*) > 1`,
  'a mail is doubled': 'select dedupe_key from mails group by 1 having count(*) > 1',
}

/** Every run of a schedule finds all that is due, and a job that may fail only once is asked for again. */
const isRepeated = `(source_name in (select name from pgboss.schedule)
  or source_name in (select name from pgboss.queue where retry_limit = 0))`

/** The names of jobs among the dead letters. */
async function readGivenUp(db: pg.ClientBase, which: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select source_name as name from pgboss.job where name = 'dead-letters' and ${which} order by 1`,
  )
  return rows.map(({ name }) => name)
}
