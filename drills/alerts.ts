// What Prometheus is given: every figure that an alert or the dashboard names is served by real processes,
// Prometheus' own tool finds nothing wrong with the alerts, and each waits as long as it says.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#scripts/free-port.ts'
import { missingNames, readNamedFigures } from '#scripts/named-figures.ts'
import { populate, settingsOf } from './club.ts'
import { startAll } from './npm-start.ts'
import { findProgram, until } from './stage.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

export async function runAlerts(stage: Stage): Promise<boolean> {
  const promtool = findProgram('promtool', 'prometheus')
  const [port, web, worker] = [await freePort(), await freePort(), await freePort()]
  const settings = await settingsOf(stage, {
    PORT: String(port),
    METRICS_PORT: String(web),
    WORKER_METRICS_PORT: String(worker),
  })
  await startAll(stage, settings, port)
  const sock = `${settings.DATA_DIR}/postgres/sock`
  const members = await populate(
    { host: sock, port: 5432, user: 'postgres', database: 'evenhand' },
    settings,
    50,
  )
  const edge = plainEdge(port)
  for (const { headers } of members) await edge.ask('GET', '/api/me', headers)
  edge.close()
  await until('the worker measures the club', async () => (await scrape(worker)).includes('what="jobs"'))
  const served = `${await scrape(web)}${await scrape(worker)}`
  const named = await readNamedFigures()
  const missing = missingNames(named, served)
  console.log(`  ${named.names.length} figures are named, ${missing.length} of them are missing`, ...missing)
  const fine = [
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ].map((args) => says(promtool, args))
  const unnoticed = await findUntimed(promtool)
  console.log(`  alerts that fire at once in all their cases: ${unnoticed.join(', ') || 'none'}`)
  return missing.length === 0 && fine.every(Boolean) && unnoticed.length === 0
}

/** The alerts whose cases all hold without their `for:` too. */
async function findUntimed(promtool: string): Promise<string[]> {
  const [rules, cases] = await Promise.all(
    ['deploy/alerts.yml', 'deploy/alerts.test.yml'].map((file) => readFile(file, 'utf8')),
  )
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-alerts-'))
  const unnoticed: string[] = []
  try {
    await writeFile(join(folder, 'alerts.test.yml'), cases ?? '')
    for (const { 0: rule, 1: name = '' } of rules?.matchAll(/- alert: (\w+)\n(?:(?!- alert: )[^])*/g) ?? []) {
      const atOnce = rule.replace(/\n +for: .*/, '')
      if (atOnce === rule) continue
      await writeFile(join(folder, 'alerts.yml'), rules?.replace(rule, () => atOnce) ?? '')
      if (spawnSync(promtool, ['test', 'rules', 'alerts.test.yml'], { cwd: folder }).status === 0)
        unnoticed.push(name)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return unnoticed
}

async function scrape(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
  return answer?.ok ? answer.text() : ''
}

function says(promtool: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: 'deploy', encoding: 'utf8' })
  console.log(`  promtool ${args.join(' ')}: ${status === 0 ? 'nothing wrong' : `${stdout}${stderr}`.trim()}`)
  return status === 0
}
