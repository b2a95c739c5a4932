// Which tests of the server a change can affect. `npm run check` leaves out the others: they passed with the
// same sources before.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const record = 'dist/test/passed.json'
/** A change of these can affect every test: the database, the packages, and how tests run. */
const common = ['db/**/*', 'package-lock.json', 'vitest.config.ts', 'tsconfig*.json', 'server/testing/**/*']

type Affected = {
  paths: string[]
  /** Remembers that these tests passed as they are now. */
  recordPassed(): Promise<void>
}

/**
 * The tests among `tests` of which a source differs both from the last time they passed here and from the
 * main branch of the origin, which `npm test` has passed. Without an origin, all that have not passed here as
 * they are.
 */
export function affectedTests(tests: string[]): Affected {
  const texts = new Map<string, string>()
  const textOf = (path: string) => texts.get(path) ?? read(path, texts)
  const shared = globSync(common, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const passed: Record<string, string> = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  const changed = changedSinceOrigin()
  const hashes = new Map<string, string>()
  const paths = tests.filter((test) => {
    const sources = [...new Set([...sourcesOf(test, textOf), ...shared])].toSorted()
    const hash = createHash('sha256')
    for (const path of sources) hash.update(`${path}\0${textOf(path)}\0`)
    hashes.set(test, hash.digest('hex'))
    return passed[test] !== hashes.get(test) && (!changed || sources.some((path) => changed.has(path)))
  })
  return {
    paths,
    async recordPassed() {
      await mkdir(dirname(record), { recursive: true })
      const now = Object.fromEntries(paths.map((path) => [path, hashes.get(path)]))
      await writeFile(record, JSON.stringify({ ...passed, ...now }, null, 1))
    },
  }
}

/**
 * A test and everything that it names, directly or by another file; also what is named as an address, such as
 * a worker.
 */
function sourcesOf(test: string, textOf: (path: string) => string): Set<string> {
  const found = new Set<string>()
  const left = [test]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue
    found.add(path)
    for (const [, named = ''] of textOf(path).matchAll(
      /'((?:\.{1,2}\/|#)[^'\s]+\.(?:tsx?|m[jt]s|sql|json))'/g,
    )) {
      const target = named.startsWith('#') ? named.slice(1) : normalize(join(dirname(path), named))
      if (existsSync(target)) left.push(target)
    }
  }
  return found
}

/**
 * Paths that differ from the main branch of the origin, committed or not; undefined when there is no origin
 * to compare with.
 */
function changedSinceOrigin(): Set<string> | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const base = git('merge-base', 'HEAD', 'origin/HEAD')
    const names = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
    return new Set(names.split('\n').filter(Boolean))
  } catch {
    return undefined
  }
}

function read(path: string, texts: Map<string, string>) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  texts.set(path, text)
  return text
}
