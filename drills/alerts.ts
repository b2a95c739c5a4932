// What Prometheus is given: every figure that an alert or the dashboard names is served by real processes,
// and Prometheus' own tool finds nothing wrong with the alerts.
import { spawnSync } from 'node:child_process'
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
  return missing.length === 0 && fine.every(Boolean)
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
