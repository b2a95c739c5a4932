// The alerts as Prometheus' own tool reads them. Where it is not installed these are skipped.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const isHere = spawnSync('promtool', ['--version']).status === 0
const why = isHere
  ? ''
  : ' (skipped: promtool is not here; on Debian it comes with apt-get install prometheus)'

test.runIf(isHere).each([
  ['check', 'rules', 'alerts.yml'],
  ['check', 'config', 'prometheus.yml'],
  ['test', 'rules', 'alerts.test.yml'],
])(`promtool %s %s %s finds nothing wrong${why}`, (...args) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: 'deploy', encoding: 'utf8' })
  expect(status, `${stdout}${stderr}`).toBe(0)
})

test('each alert says how urgent it is, and what to do stands in the guide', () => {
  const rules = readFileSync('deploy/alerts.yml', 'utf8')
    .split(/^ +- alert: /m)
    .slice(1)
  const guide = readFileSync('docs/operating/watching.md', 'utf8')
  expect(rules.length).toBeGreaterThan(10)
  for (const rule of rules) {
    const name = rule.split('\n')[0] ?? ''
    expect(rule, name).toMatch(/severity: (page|ticket) /)
    expect(rule, name).toContain('summary:')
    expect(guide, 'docs/operating/watching.md says what to do').toContain(`**${name}**`)
  }
})

test('each alert has a case in which it fires', () => {
  const rules = readFileSync('deploy/alerts.yml', 'utf8')
  const cases = readFileSync('deploy/alerts.test.yml', 'utf8')
  const names = allOf(rules, /^ +- alert: (\w+)$/gm)
  const fired = allOf(cases, /^ +alertname: (\w+)\n +exp_alerts:\n +- exp_labels:/gm)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !fired.includes(name))).toEqual([])
})

/** What the group of the pattern matched, at each place. */
function allOf(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}
