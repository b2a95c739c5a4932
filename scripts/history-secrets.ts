// Looks for keys, tokens and passwords in everything that was ever committed, and in what is not yet. One
// that was found is worth nothing any more: it is replaced at its partner, since a history keeps it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { keyForms } from '#server/kit/hidden-secrets.ts'
import { knownTestKeys } from './known-test-keys.ts'

const secretNames =
  String.raw`[Pp]ass(?:word|phrase|code)|PASSWORD|[Tt]oken|TOKEN|[Ss]ecret|SECRET|` +
  String.raw`[Aa][Pp][Ii][ _]?[Kk][Ee][Yy]|[Pp]rivateKey`
/** In sources a name says little: only a text of eight characters or more, without gaps, is a value. */
const assignedForms = [
  String.raw`(?:${secretNames})\w*["']?\]? *[:=] *["'\x60](?<quoted>[^\s"'\x60$]{8,})["'\x60]`,
  String.raw`\b[A-Z_]*(?:SECRET|TOKEN|PASSWORD|KEY)[A-Z_]*=(?<plain>[^\s"'\x60$<(]{8,})`,
  // The password in the address of a server.
  String.raw`\w:\/\/[^\s/:@]*:(?<inAddress>[^\s/@:<$]{6,})@`,
]
const form = new RegExp([...keyForms.map((each) => `(?:${each})`), ...assignedForms].join('|'), 'g')

type Found = { commit: string; path: string; secret: string }

/** What is in the history of HEAD and in the working copy, without the known keys of our tests. */
export async function findSecrets(): Promise<Found[]> {
  const log = ['log', 'HEAD', '--patch', '--diff-merges=first-parent', '--format=commit %h%n%B']
  const inHistory = await secretsIn(git([...log, ...plainly]))
  const changed = await secretsIn(git(['diff', 'HEAD', ...plainly]))
  return [...inHistory, ...changed, ...(await secretsInNewFiles())]
}

const plainly = ['--unified=0', '--no-color', '--no-ext-diff', '--no-textconv']

/** Whether there is a history to look at: an archive of the sources has none. */
export function hasHistory(): boolean {
  return existsSync('.git')
}

/** The lines that a patch adds. */
export async function secretsIn(lines: AsyncIterable<string>): Promise<Found[]> {
  const found: Found[] = []
  let commit = 'not committed'
  let path = 'its message'
  for await (const line of lines) {
    if (line.startsWith('commit ')) [commit, path] = [line.slice(7), 'its message']
    else if (line.startsWith('+++ ')) path = line.slice(4).replace(/^b\//, '')
    else if (line.startsWith('+') || (path === 'its message' && !line.startsWith('diff ')))
      found.push(...secretsOf(line, path).map((secret) => ({ commit, path, secret })))
  }
  return found
}

function secretsOf(line: string, path: string): string[] {
  // The hashes of archives look like our own secrets.
  if (path === 'package-lock.json' && line.includes('"integrity": "sha512-')) return []
  return [...line.matchAll(form)]
    .map(({ 0: whole, groups }) => groups?.quoted ?? groups?.plain ?? groups?.inAddress ?? whole)
    .filter((secret) => !knownTestKeys.has(secret))
}

async function secretsInNewFiles(): Promise<Found[]> {
  const found: Found[] = []
  for await (const path of git(['ls-files', '--others', '--exclude-standard'])) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const secrets = text.split('\n').flatMap((line) => secretsOf(line, path))
    found.push(...secrets.map((secret) => ({ commit: 'not committed', path, secret })))
  }
  return found
}

/** The lines of what git prints. Throws when it fails, so that nothing looked at is never “nothing found”. */
async function* git(args: string[]): AsyncGenerator<string> {
  const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // A reader of the lines meets the failure below.
  ended.catch(() => {})
  yield* createInterface({ input: child.stdout, crlfDelay: Infinity })
  if ((await ended) !== 0) throw new Error(`git ${args[0]} failed.`)
}
