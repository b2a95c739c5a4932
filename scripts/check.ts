// npm run check: what runs before a commit. Types, lint, format and tests, side by side. It leaves out the
// attacks and the journeys, and those tests of the server that a change cannot have affected
// (scripts/affected.ts); `npm test` runs everything.
import { globSync, readFileSync } from 'node:fs'
import { affectedTests } from './affected.ts'
import { findOrInstallBrowser } from './browser.ts'
import { runScript, runTool } from './run.ts'
import { runUnitTests, withTestDatabase } from './suites.ts'

const generated = new Set(['db/types.ts', 'db/schema.sql'])
const onDatabase = ['server/**/*.test.ts', 'db/**/*.db.test.ts']
const others = '{contract,web,checks,scripts,db}/**/*.test.{ts,tsx,mts}'

await runScript(async () => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  const checks: [string, Promise<boolean>][] = [
    ...['contract', 'server', 'web'].map((part): [string, Promise<boolean>] => [
      `types of ${part}`,
      succeeds('typescript/bin/tsc', '-p', `tsconfig.${part}.json`, '--noEmit'),
    ]),
    ['lint', succeeds('oxlint/bin/oxlint', '--type-aware')],
    ['format (npm run format mends it)', succeeds('oxfmt/bin/oxfmt', '--check')],
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
  const tests = globSync(onDatabase)
  const affected = affectedTests(tests)
  console.log(`${affected.paths.length} of the ${tests.length} test files on the database can be affected.`)
  const always = globSync(others).filter((path) => !tests.includes(path))
  const run = (env: NodeJS.ProcessEnv) => runUnitTests([...always, ...affected.paths], env)
  const { passed, failed } = await (affected.paths.length > 0 ? withTestDatabase(run) : run(process.env))
  if (failed > 0 || passed === 0) return false
  await affected.recordPassed()
  return true
}

function largestFiles() {
  return globSync('{server,web,contract,db,scripts,checks,e2e,security}/**/*.{ts,tsx,mts,mjs,sql,css}')
    .filter((path) => !generated.has(path))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, 10)
}
