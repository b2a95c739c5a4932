// npm run check: what runs before a commit. All unit tests, among them types, lint and format, and those on
// the database or in a browser that something since the main branch affects. npm test runs everything.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { findOrInstallBrowser } from './browser.ts'
import { runScript } from './run.ts'
import { reportFailures, runUnitTests, sumOf, withTestDatabase } from './suites.ts'

const generated = new Set(['db/types.ts', 'db/schema.sql'])
const mainBranch = 'origin/HEAD'

await runScript(async () => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  const affected = changedSinceMain()
  const others = runUnitTests(['--project=unit'], process.env, { name: 'others', output: 'at end' })
  const onDatabase = await withTestDatabase((env) => runUnitTests(['--project=server', ...affected], env))
  const inBrowser = await runUnitTests(['--project=browser', ...affected], process.env, { name: 'browser' })
  const sum = sumOf([onDatabase, inBrowser, await others])
  const passes = sum.failed === 0 && sum.passed > 0

  console.log('\nThe ten largest files, in lines:')
  for (const { path, lines } of largestFiles()) console.log(`${String(lines).padStart(6)}  ${path}`)
  reportFailures(sum)
  console.log(passes ? '\nAll checks passed.' : '\nNot all checks passed.')
  return passes ? 0 : 1
})

/**
 * Limits the tests to those that import what differs from the main branch of the origin, committed or not.
 * Nothing to compare with, as in a repository without an origin, means all of them.
 */
function changedSinceMain() {
  const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', mainBranch], { stdio: 'ignore' })
  return status === 0 ? [`--changed=${mainBranch}`, '--passWithNoTests'] : []
}

function largestFiles() {
  return globSync('{server,web,contract,db,scripts,checks,e2e,security}/**/*.{ts,tsx,mts,mjs,sql,css}')
    .filter((path) => !generated.has(path))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, 10)
}
