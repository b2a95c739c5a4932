// The two test runners, each counted from its own report, on one throwaway server.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isAlive } from '#server/kit/folder-lock.mjs'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'
import { runTool } from './run.ts'
import type { RunOptions } from './run.ts'

/** `times` says how long each file took, in seconds; `failures` names each failed test, with its message. */
export type Count = { passed: number; failed: number; times: FileTime[]; failures: string[] }
type FileTime = { path: string; seconds: number }

const reports = 'dist/test'
const root = join(import.meta.dirname, '..')
const prefix = 'evenhand-test-'

/**
 * Runs `action` with the settings of a throwaway server in the environment, or of TEST_DATABASE_URL, whose
 * login needs CREATEDB.
 */
export async function withTestDatabase<Result>(
  action: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  // Tests never run on a developer's real database.
  const { DATABASE_URL: _, TEST_DATABASE_URL: external, ...env } = process.env
  if (external) return action({ ...env, ...settingsFromUrl(new URL(external)) })
  await removeAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), prefix))
  // A worker of autovacuum in the template keeps it from being copied. Tables are so small that to plan a
  // named statement again takes longer than any plan of it.
  const settings = { autovacuum: 'off', plan_cache_mode: 'force_generic_plan' }
  const server = await startEmbedded({ dataDir, log: console.log, throwaway: true, settings })
  try {
    const { host, port, user, database } = server.connection
    return await action({
      ...env,
      EVENHAND_TEST_PG_HOST: host,
      EVENHAND_TEST_PG_PORT: String(port),
      EVENHAND_TEST_PG_USER: user,
      EVENHAND_TEST_PG_DATABASE: database,
    })
  } finally {
    await server.stop()
  }
}

/** `name` is that of the report's file: runs side by side need different ones. */
export async function runUnitTests(
  args: string[],
  env: NodeJS.ProcessEnv,
  { name = 'unit', ...options }: RunOptions & { name?: string } = {},
): Promise<Count> {
  const report = await freshReport(`${name}.json`)
  const code = await runTool(
    'vitest/vitest.mjs',
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    env,
    options,
  )
  const result: VitestReport | undefined = await readReport(report)
  if (!result) return countOfNothing
  const times = result.testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
  // A file that does not load has no tests to count.
  const broken = result.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  )
  const failures = [
    ...result.testResults.flatMap(testsFailed),
    ...broken.map(({ name, message }) => failure(relative(root, name), message)),
  ]
  reportPassedAgain(result.testResults.flatMap(testsPassedAgain))
  const failed = result.numFailedTests + broken.length
  return countWith(code, { passed: result.numPassedTests, failed, times, failures })
}

export async function runJourneys(args: string[], env: NodeJS.ProcessEnv): Promise<Count> {
  const report = await freshReport('journeys.json')
  const code = await runTool('@playwright/test/cli.js', ['test', ...args, '--reporter=list,json'], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const result: PlaywrightReport | undefined = await readReport(report)
  if (!result) return countOfNothing
  const { expected, unexpected, flaky } = result.stats
  const times = result.suites.map((suite) => ({
    path: `e2e/${suite.file}`,
    seconds: millisecondsOf(suite) / 1000,
  }))
  const failures = [
    ...result.suites.flatMap(journeysFailed),
    ...result.errors.map(({ message }) => failure('e2e', message)),
  ]
  reportPassedAgain(result.suites.flatMap(journeysPassedAgain))
  const failed = unexpected + result.errors.length
  return countWith(code, { passed: expected + flaky, failed, times, failures })
}

/** Adds up the counts of several runs. */
export function sumOf(counts: Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    times: counts.flatMap(({ times }) => times),
    failures: counts.flatMap(({ failures }) => failures),
  }
}

/** Prints every failed test once more, so that the end of the output names it. */
export function reportFailures({ failures }: Count): void {
  if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`)
}

/** Prints the ten files that took longest, and keeps the time of every file in dist/test/times.json. */
export async function reportTimes({ times }: Count): Promise<void> {
  const slowestFirst = times.toSorted((a, b) => b.seconds - a.seconds)
  await writeFile(join(reports, 'times.json'), JSON.stringify(slowestFirst, null, 1))
  if (times.length === 0) return
  console.log('\nThe slowest files, in seconds:')
  for (const { path, seconds } of slowestFirst.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)}  ${path}`)
}

type VitestReport = { numPassedTests: number; numFailedTests: number; testResults: VitestFile[] }
type VitestFile = {
  name: string
  startTime: number
  endTime: number
  status: string
  message?: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}
type PlaywrightSuite = {
  file: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; results: PlaywrightResult[] }[] }[]
}
type PlaywrightResult = { duration: number; errors: { message?: string }[] }
type PlaywrightReport = {
  suites: PlaywrightSuite[]
  stats: { expected: number; unexpected: number; flaky: number }
  errors: { message?: string }[]
}

// A runner that failed without a failed test, as after an error outside any test, must not count as green.
function countWith(code: number, count: Count): Count {
  if (code === 0 || count.failed > 0) return count
  return { ...count, failed: 1, failures: [`A test runner ended with ${code}; its output says why.`] }
}

const countOfNothing: Count = {
  passed: 0,
  failed: 1,
  times: [],
  failures: ['A test runner ended without its report.'],
}

function testsFailed({ name, assertionResults }: VitestFile): string[] {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) =>
      failure(`${relative(root, name)}: ${fullName}`, failureMessages[0]),
    )
}

function journeysFailed({ file, suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => failure(`e2e/${file}: ${title}`, results.at(-1)?.errors[0]?.message)),
  )
  return [...own, ...suites.flatMap(journeysFailed)]
}

/** The test, and the first lines of why it failed. */
function failure(test: string, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12)
  return [`  ${test}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Only CI tries again what failed; it says which tests those are, so that they are mended. */
function reportPassedAgain(tests: string[]) {
  if (tests.length > 0) console.log(`\nFailed once and passed when tried again:\n  ${tests.join('\n  ')}`)
}

function journeysPassedAgain({ file, suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
  return [...own.map(({ title }) => `e2e/${file}: ${title}`), ...suites.flatMap(journeysPassedAgain)]
}

/** Vitest keeps the messages of the first try. */
function testsPassedAgain({ name, assertionResults }: VitestFile): string[] {
  return assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName }) => `${relative(root, name)}: ${fullName}`)
}

/** Of all tests of a suite, on every kind of database. */
function millisecondsOf({ suites = [], specs = [] }: PlaywrightSuite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map((each) => each.duration)),
  )
  return [...own, ...suites.map(millisecondsOf)].reduce((sum, each) => sum + each, 0)
}

async function freshReport(name: string) {
  await mkdir(reports, { recursive: true })
  await rm(join(reports, name), { force: true })
  return join(reports, name)
}

async function readReport(path: string) {
  return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : undefined
}

/** Removes the servers of killed test runs: their folders name an owner that no longer runs. */
async function removeAbandoned() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const dataDir = join(tmpdir(), name)
    const owner = await readFile(join(dataDir, 'postgres', 'owner'), 'utf8').catch(() => undefined)
    if (owner === undefined || isAlive(owner)) continue
    // Another user's leftovers cannot be removed, and must not stop the tests.
    await startEmbedded({ dataDir, log: () => {}, throwaway: true }).then(
      (server) => server.stop(),
      () => {},
    )
  }
}

function settingsFromUrl(url: URL) {
  return {
    EVENHAND_TEST_PG_HOST: url.searchParams.get('host') ?? url.hostname,
    EVENHAND_TEST_PG_PORT: url.port || '5432',
    EVENHAND_TEST_PG_USER: decodeURIComponent(url.username),
    EVENHAND_TEST_PG_PASSWORD: decodeURIComponent(url.password),
    EVENHAND_TEST_PG_DATABASE: url.pathname.slice(1),
  }
}
