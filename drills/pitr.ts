// Point-in-time recovery of a PostgreSQL of one's own: a base backup and the archived WAL bring the club back
// to the moment before a mistake.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, recoverCluster, startCluster } from './cluster.ts'
import { populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { lostWrites, showTable, smoke, startTraffic } from './smoke.ts'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

export async function runPitr(stage: Stage): Promise<boolean> {
  const primary = await startCluster(stage, 'postgres', { archived: true })
  const settings = await settingsOf(stage, { DATABASE_URL: primary.url })
  await prepare(stage, settings)
  const members = await populate(primary.admin, settings, 200)
  const base = await primary.baseBackup()
  console.log(
    `  PostgreSQL ${primary.version}; a base backup of the running club in ${base.seconds.toFixed(1)} s`,
  )
  const worker = startWorker(stage, 'worker', settings)
  const web = await startWeb(stage, 'web', settings)
  const edge = plainEdge(web.port)
  const written = await write(edge, members.slice(0, 60))
  // As the setting reads it: no letters.
  const [moment] = await ask(primary.admin, [`set timezone = 'UTC'`, 'select clock_timestamp()::text as at'])
  const target = String(moment?.at)
  await sleep(1000)
  const after = await write(edge, members.slice(60, 120))
  edge.close()
  const [last] = await ask(primary.admin, [
    'delete from asking_hours',
    'select pg_walfile_name(pg_switch_wal()) as segment',
  ])
  const archived = async () => {
    const [row] = await ask(primary.admin, ['select last_archived_wal as segment from pg_stat_archiver'])
    return String(row?.segment) >= String(last?.segment)
  }
  await until('the archive has the WAL', archived)
  console.log(`  mistake  all asking hours deleted, after the moment ${target}`)

  const broken = Date.now()
  await Promise.all([worker.end('SIGKILL'), web.end('SIGKILL')])
  await primary.server.end('SIGQUIT')
  const recovered = await recoverCluster(stage, 'recovered', primary, base, target)
  const again = { ...settings, DATABASE_URL: recovered.url }
  startWorker(stage, 'worker-again', again)
  const back = await startWeb(stage, 'web-again', again)
  const rto = (Date.now() - broken) / 1000
  const { lost, acknowledged } = await lostWrites(recovered.admin, written)
  const later = await lostWrites(recovered.admin, after)
  console.log(`  RPO: ${lost} of ${acknowledged} acknowledged writes before the moment are lost;`)
  console.log(
    `    of the ${later.acknowledged} after it none should be back: ${later.acknowledged - later.lost} are`,
  )
  console.log(`  RTO: ${rto.toFixed(1)} s from the stop to the first answer`)
  showTable(
    ['point in time', 'measured'],
    [
      ['copy of the running club', `${base.seconds.toFixed(1)} s`],
      ['acknowledged writes before the moment, lost', `${lost} of ${acknowledged}`],
      ['acknowledged writes after it, back', `${later.acknowledged - later.lost} of ${later.acknowledged}`],
      ['RTO, from the stop to the first answer', `${rto.toFixed(1)} s`],
    ],
  )
  const fine = await smoke(plainEdge(back.port), members.slice(120), recovered.admin)
  return fine && lost === 0 && later.lost === later.acknowledged && acknowledged > 0
}

async function write(edge: ReturnType<typeof plainEdge>, members: Parameters<typeof startTraffic>[1]) {
  const traffic = startTraffic(edge, members)
  await sleep(3000)
  return (await traffic.stop()).acknowledged
}
