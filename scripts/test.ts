// npm test: every test, the journeys beside all others. A path narrows it (npm test -- server/matching,
// npm test -- e2e/join.test.ts).
import { buildIfStale } from './build.ts'
import { findOrInstallBrowser } from './browser.ts'
import { runScript } from './run.ts'
import { reportTimes, runJourneys, runUnitTests, sumOf, withTestDatabase } from './suites.ts'

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const paths = args.filter((arg) => !arg.startsWith('-'))
const journeys = paths.filter((path) => /^(\.\/)?e2e(\/|$)/.test(path))
const others = paths.filter((path) => !journeys.includes(path))
const runsJourneys = paths.length === 0 || journeys.length > 0
const runsOthers = paths.length === 0 || others.length > 0
const needsBuild = runsJourneys || others.some((path) => /^(\.\/)?security(\/|$)/.test(path))
const needsBrowser = runsJourneys || others.some((path) => /^(\.\/)?web(\/|$)/.test(path))

let total = { passed: 0, failed: 1 }
process.on('exit', () => console.log(`${total.passed} passed, ${total.failed} failed`))

await runScript(async (ended) => {
  if (needsBrowser) process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  if (needsBuild) await buildIfStale()
  return withTestDatabase(async (env) => {
    const sum = sumOf(await (args.length === 0 ? runEverything(env, ended) : runSome(env, ended)))
    await reportTimes(sum)
    total = sum
    return total.failed > 0 || total.passed === 0 ? 1 : 0
  })
})

/**
 * The journeys and the attacks mostly wait for pages and processes, so all others run beside them, in two
 * turns.
 */
async function runEverything(env: NodeJS.ProcessEnv, ended: AbortSignal) {
  const [journeys, attacks, others] = await Promise.all([
    runJourneys([], env),
    runUnitTests(['--project=security'], env, { name: 'security', output: 'at end' }),
    runOthers(env, ended),
  ])
  return [journeys, attacks, ...others]
}

async function runOthers(env: NodeJS.ProcessEnv, ended: AbortSignal) {
  const first = await runUnitTests(['--project=unit', '--project=server'], env, { output: 'at end' })
  if (ended.aborted) return [first]
  return [first, await runUnitTests(['--project=browser'], env, { name: 'browser', output: 'at end' })]
}

async function runSome(env: NodeJS.ProcessEnv, ended: AbortSignal) {
  return [
    ...(runsOthers ? [await runUnitTests([...others, ...options], env)] : []),
    ...(runsJourneys && !ended.aborted ? [await runJourneys([...journeys, ...options], env)] : []),
  ]
}
