// npm run test:rules: shows that tests hold the rules of the rotation. In a copy of the sources it removes
// one rule after the other, and expects that rule's tests to fail. Words narrow it to the rules whose
// sentence has them: npm run test:rules -- quiet hours.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { StartError } from '#server/kit/start-error.ts'
import { faultyTexts } from './rules/faulty-texts.ts'
import { removals } from './rules/removals.ts'
import type { Removal } from './rules/removal.ts'
import { runScript } from './run.ts'
import { withTestDatabase } from './suites.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2).join(' ').toLowerCase()
/** An error of a program that no longer runs, which says nothing about the tests. */
const broken = /^(Syntax|Type|Reference)Error|syntax error at|does not exist/

await runScript(async (ended) => {
  const chosen = removals.filter(({ rule }) => rule.toLowerCase().includes(words))
  if (chosen.length === 0) throw new StartError(`No rule’s sentence has the words “${words}”.`)
  const copy = await mkdtemp(join(tmpdir(), 'evenhand-rules-'))
  try {
    await copySources(copy)
    const faults = await faultyTexts(copy)
    if (faults.length > 0) throw new StartError(faults.join('\n'))
    return await withTestDatabase((env) => tryRules({ copy, env, ended }, chosen))
  } catch (error) {
    if (!ended.aborted) throw error
    return 1
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 5 })
  }
})

type Place = { copy: string; env: NodeJS.ProcessEnv; ended: AbortSignal }

/** Returns the exit code: 1 when tests did not notice that their rule was gone. */
async function tryRules(place: Place, chosen: Removal[]): Promise<number> {
  const files = new Set(chosen.map(({ tests }) => tests))
  for (const tests of files) {
    const { passed, output } = await runTests(place, tests)
    if (!passed) throw new StartError(`${output}\n${tests} fails with every rule in place.`)
  }
  console.log(`With every rule in place, the tests pass (files: ${files.size}).`)
  let noticed = 0
  for (const removal of chosen) {
    const start = performance.now()
    const fault = await faultWithout(place, removal)
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5)
    console.log(`${seconds} s  ${removal.rule}: ${fault ?? 'fails without it'}`)
    if (fault === null) noticed += 1
  }
  console.log(`${noticed} noticed, ${chosen.length - noticed} not noticed`)
  return noticed === chosen.length ? 0 : 1
}

/** Null when an expectation of the tests fails without the rule, else what to print. */
async function faultWithout(place: Place, { edits, tests }: Removal): Promise<string | null> {
  const before = new Map<string, string>()
  for (const { file, from, to } of edits) {
    const path = join(place.copy, file)
    const text = await readFile(path, 'utf8')
    if (!before.has(path)) before.set(path, text)
    await writeFile(
      path,
      text.replace(from, () => to),
    )
  }
  const { passed, output } = await runTests(place, tests)
  for (const [path, text] of before) await writeFile(path, text)
  if (passed) return 'NOT NOTICED'
  const reasons = reasonsIn(output)
  const isBroken = reasons.some((reason) => broken.test(reason))
  return !isBroken && reasons.some((reason) => reason.startsWith('AssertionError'))
    ? null
    : `NOT NOTICED, since the tests broke:\n${reasons.join('\n') || output}`
}

/** Why tests failed: of each failure the innermost error, which a property test names last. */
function reasonsIn(output: string): string[] {
  return output
    .split(/^ *FAIL .*$/m)
    .slice(1)
    .flatMap((failure) => {
      const errors = [...failure.matchAll(/^(?:Caused by: )?(\w*error: .*)$/gim)]
      return errors.at(-1)?.[1] ?? []
    })
}

/** Runs a file of tests in the copy, each test once, up to the first that fails. */
async function runTests({ copy, env, ended }: Place, tests: string) {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const options = ['--project=server', '--retry=0', '--bail=1', '--silent', '--reporter=default']
  const child = spawn(process.execPath, [vitest, 'run', tests, ...options], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: ended,
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part))
  // A signal is an error here, too, but the tests still run until they close.
  child.on('error', () => {})
  const code = await new Promise((resolve) => child.on('close', resolve))
  ended.throwIfAborted()
  return { passed: code === 0, output: stripVTControlCharacters(Buffer.concat(printed).toString()) }
}

/** Copies the files that git knows or would add, as they are now, and links the packages. */
async function copySources(copy: string) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new StartError('git did not list the files to copy.')
  for (const path of stdout.split('\0')) {
    // A file that was deleted stays listed until that is committed.
    if (path === '' || !existsSync(join(root, path))) continue
    await mkdir(join(copy, dirname(path)), { recursive: true })
    await copyFile(join(root, path), join(copy, path))
  }
  // One by one: vitest writes into the folder itself.
  await mkdir(join(copy, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))
}
