// npm run check: what runs before a commit. Types, lint, format and tests, side by side. It leaves out the
// attacks and the journeys, and those tests on the database or in a browser that nothing since the main
// branch affects; `npm test` runs everything.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { findOrInstallBrowser } from './browser.ts'
import { runScript, runTool } from './run.ts'
import { runUnitTests, sumOf, withTestDatabase } from './suites.ts'

const generated = new Set(['db/types.ts', 'db/schema.sql'])
const mainBranch = 'origin/HEAD'

await runScript(async () => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  const checks: [string, Promise<boolean>][] = [
    ...['contract', 'server', 'web'].map((part): [string, Promise<boolean>] => [
      `types of ${part}`,
      succeeds('typescript/bin/tsc', '-p', `tsconfig.${part}.json`, '--noEmit'),
    ]),
    ['lint', succeeds('oxlint/bin/oxlint', '--type-aware')],
    ['format (npm run format fixes it)', succeeds('oxfmt/bin/oxfmt', '--check')],
    ['tests', testsPass()],
  ]
  const failed: string[] = []
  for (const [name, passes] of checks) if (!(await passes)) failed.push(name)

  console.log('\nThe ten largest files, in lines:')
  for (const { path, lines } of largestFiles()) console.log(`${String(lines).padStart(6)}  ${path}`)
  console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
  return failed.length === 0 ? 0 : 1
})

async function succeeds(script: string, ...args: string[]) {
  return (await runTool(script, args)) === 0
}

async function testsPass() {
  const affected = changedSinceMain()
  const onDatabase = await withTestDatabase((env) => runUnitTests(['--project=server', ...affected], env))
  const inBrowser = await runUnitTests(['--project=browser', ...affected], process.env)
  const others = await runUnitTests(['--project=unit'], process.env)
  return sumOf([onDatabase, inBrowser, others]).failed === 0 && others.passed > 0
}

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
