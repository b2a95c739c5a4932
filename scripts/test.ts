// npm test: every test, the journeys beside all others. A path narrows it (npm test -- server/matching,
// npm test -- e2e/exchange.test.ts).
import { buildIfStale } from './build.ts'
import { findOrInstallBrowser } from './browser.ts'
import { runScript } from './run.ts'
import { reportFailures, reportTimes, runJourneys, runUnitTests, sumOf, withTestDatabase } from './suites.ts'
import type { Count } from './suites.ts'

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
  return withTestDatabase(async (env) => {
    const sum = sumOf(await (args.length === 0 ? runEverything(env) : runSome(env, ended)))
    await reportTimes(sum)
    reportFailures(sum)
    total = sum
    return total.failed > 0 || total.passed === 0 ? 1 : 0
  })
})

/**
 * All side by side, because most tests wait: for pages, processes and statements. The journeys and attacks
 * wait longest, so they go before the others.
 */
async function runEverything(env: NodeJS.ProcessEnv): Promise<Count[]> {
  const behind = { output: 'at end', inBackground: true } as const
  const counts = await Promise.all([
    runOnBuild(env),
    runUnitTests(['--project=unit', '--project=server'], env, behind),
    runUnitTests(['--project=browser'], env, { ...behind, name: 'browser' }),
  ])
  return counts.flat()
}

async function runOnBuild(env: NodeJS.ProcessEnv) {
  await buildIfStale()
  return Promise.all([
    runJourneys([], env),
    runUnitTests(['--project=security'], env, { name: 'security', output: 'at end' }),
  ])
}

async function runSome(env: NodeJS.ProcessEnv, ended: AbortSignal) {
  if (needsBuild) await buildIfStale()
  return [
    ...(runsOthers ? [await runUnitTests([...others, ...options], env)] : []),
    ...(runsJourneys && !ended.aborted ? [await runJourneys([...journeys, ...options], env)] : []),
  ]
}
