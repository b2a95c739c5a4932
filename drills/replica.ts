// A primary with a streaming standby, which answers what may be seconds old: the primary is killed under load
// and the standby promoted, with asynchronous and then with synchronous commit.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, password, startCluster, startStandby } from './cluster.ts'
import { populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { failuresOf, lostWrites, ms, startTraffic } from './smoke.ts'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Member } from './club.ts'
import type { Cluster } from './cluster.ts'
import type { Edge } from './visitor.ts'
import { plainEdge } from './visitor.ts'

export async function runReplica(stage: Stage): Promise<boolean> {
  let fine = true
  for (const commit of ['asynchronous', 'synchronous'] as const) {
    fine = (await failOver(stage, commit)) && fine
  }
  return fine
}

async function failOver(stage: Stage, commit: 'asynchronous' | 'synchronous'): Promise<boolean> {
  const primary = await startCluster(stage, `primary-${commit}`)
  const standby = await startStandby(stage, `standby_${commit}`, primary)
  if (commit === 'synchronous') {
    // After the copy, so that the standby does not wait for a standby of its own once it leads.
    await ask(primary.admin, [`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()'])
    const isSync = async () =>
      (await ask(primary.admin, [`select 1 from pg_stat_replication where sync_state = 'sync'`])).length > 0
    await until('commits wait for the standby', isSync)
  }
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const url = `postgres://club:${password}@${hosts}/club?target_session_attrs=read-write`
  const settings = await settingsOf(stage, {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: `postgres://club:${password}@127.0.0.1:${standby.port}/club`,
  })
  await prepare(stage, settings)
  const members = await populate(primary.admin, settings, 200)
  const worker = startWorker(stage, `worker-${commit}`, settings)
  const web = await startWeb(stage, `web-${commit}`, settings)
  const edge = plainEdge(web.port)
  const traffic = startTraffic(edge, members, { writers: 40, pauseMs: 600 })
  await sleep(4000)
  const searched = await searchAs(edge, members, standby)

  const killed = performance.now()
  await primary.server.end('SIGKILL')
  await standby.promote()
  const promoted = performance.now()
  await until('writes succeed again', () => traffic.sinceWrite() < performance.now() - promoted, {
    seconds: 30,
    needed: [web, worker],
  })
  const back = performance.now()
  await sleep(4000)
  const met = await traffic.stop()
  const later = await searchAs(edge, members, standby)
  edge.close()
  const { lost, acknowledged } = await lostWrites(standby.admin, met.acknowledged)
  const sent = [...met.reads, ...met.writes]
  console.log(`  ${commit} commit, PostgreSQL ${primary.version}`)
  console.log(
    `    promoted ${ms(promoted - killed)} after kill -9; writes again ${ms(back - promoted)} later`,
  )
  console.log(`    longest time without a write ${ms(met.windowMs)}, without a read ${ms(met.windowReadsMs)}`)
  console.log(`    ${sent.length} requests; failures: ${failuresOf(sent)}`)
  console.log(`    ${met.events.expected} events expected, ${met.events.missed} missed on an open stream`)
  console.log(`    acknowledged writes ${acknowledged}, lost ${lost}`)
  console.log(
    `    searches: ${searched.answered} of ${searches}, read from the standby ${searched.reads} times`,
  )
  console.log(`    searches after the promotion: ${later.answered} of ${searches}`)
  await Promise.all([worker.end('SIGKILL'), web.end('SIGKILL')])
  await standby.server.end('SIGQUIT')
  const only503 = sent.every(({ status }) => status < 500 || status === 503)
  const isRead = searched.answered === searches && searched.reads >= searches && later.answered === searches
  return only503 && isRead && (commit === 'asynchronous' || lost === 0)
}

const searches = 20

/** Searches, and counts how often the standby read its tables for them. The count follows within a second. */
async function searchAs(edge: Edge, members: Member[], standby: Cluster) {
  const before = await readsOf(standby)
  let answered = 0
  for (const { headers } of members.slice(0, searches)) {
    const { status } = await edge.ask('GET', '/api/search?text=moon', headers)
    if (status === 200) answered += 1
  }
  await sleep(2000)
  return { answered, reads: (await readsOf(standby)) - before }
}

async function readsOf({ admin }: Cluster): Promise<number> {
  const [row] = await ask(admin, [
    `select sum(coalesce(idx_scan, 0) + seq_scan)::int as reads from pg_stat_user_tables
      where relname in ('products', 'reviews')`,
  ])
  return Number(row?.['reads'])
}
