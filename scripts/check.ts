// npm run check: what runs before a commit. Types, lint, format, and every test but the journeys.
import { globSync, readFileSync } from 'node:fs'
import { findOrInstallBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { runScript, runTool } from './run.ts'
import { runUnitTests, withTestDatabase } from './suites.ts'

const generated = new Set(['db/types.ts', 'db/schema.sql'])

await runScript(async () => {
  const failed: string[] = []
  for (const house of ['contract', 'server', 'web']) {
    if (await runTool('typescript/bin/tsc', ['-p', `tsconfig.${house}.json`, '--noEmit']))
      failed.push(`types of ${house}`)
  }
  if (await runTool('oxlint/bin/oxlint', ['--type-aware'])) failed.push('lint')
  if (await runTool('oxfmt/bin/oxfmt', ['--check'])) failed.push('format (npm run format mends it)')
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  await buildIfStale()
  const tests = await withTestDatabase((env) => runUnitTests([], env))
  if (tests.failed > 0 || tests.passed === 0) failed.push('tests')

  console.log('\nThe ten largest files, in lines:')
  for (const { path, lines } of largestFiles()) console.log(`${String(lines).padStart(6)}  ${path}`)
  console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
  return failed.length === 0 ? 0 : 1
})

function largestFiles() {
  return globSync('{server,web,contract,db,scripts,checks,e2e,security}/**/*.{ts,tsx,mts,mjs,sql,css}')
    .filter((path) => !generated.has(path))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, 10)
}
