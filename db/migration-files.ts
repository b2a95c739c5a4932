import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A migration, and the hash by which a database remembers that it ran. */
export type MigrationFile = { name: string; text: string; hash: string }

const folder = join(import.meta.dirname, 'migrations')

/** Every migration of this version, in order. */
export async function readMigrations(from = folder): Promise<MigrationFile[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(from, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Whether its statements run one by one, each by itself, instead of all in one transaction. The file begins
 * with `-- in steps`. What was done stays done, so that each statement has to bear being repeated.
 */
export function stepwise(text: string): boolean {
  return /^-- in steps\b/i.test(text)
}

/**
 * The statements of a file without their comments, but for the lines directly above one that say
 * `-- unused since`.
 */
export function statementsIn(text: string): string[] {
  const statements: string[] = []
  let current = ''
  for (const [piece] of text.matchAll(pieces)) {
    if (piece.startsWith('--')) {
      if (piece.startsWith('-- unused since ') && current.trim() === '') current = piece
    } else if (piece === ';') {
      statements.push(current)
      current = ''
    } else if (!piece.startsWith('/*')) current += piece
  }
  return [...statements, current].map(tidy).filter((statement) => statement !== '')
}

// Comments, strings of any quote, names in quotes, the end of a statement, anything else.
const pieces =
  /--[^\n]*\n?|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|;|[^;'"$/-]+|[\s\S]/g

/** Space outside of strings means nothing to those who read the statement. */
function tidy(statement: string): string {
  const [comment = ''] = /^-- [^\n]*\n/.exec(statement) ?? []
  return (
    comment +
    statement
      .slice(comment.length)
      .trim()
      .replace(/[ \n]+/g, ' ')
  )
}
