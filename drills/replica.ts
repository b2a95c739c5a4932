// A primary with a streaming standby, which answers what may be seconds old: the primary is killed under load
// and the standby promoted, with asynchronous and then with synchronous commit. Then the standby of
// synchronous commit is away for a while.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, password, startCluster, startStandby } from './cluster.ts'
import { populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { failuresOf, lostWrites, ms, showTable, startTraffic } from './smoke.ts'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Member } from './club.ts'
import type { Cluster } from './cluster.ts'
import type { Edge } from './visitor.ts'
import { plainEdge } from './visitor.ts'

type Commit = 'asynchronous' | 'synchronous'

export async function runReplica(stage: Stage): Promise<boolean> {
  const failovers = [await failOver(stage, 'asynchronous'), await failOver(stage, 'synchronous')]
  const isFine = await loseStandby(stage)
  showTable(
    ['commit', 'promoted after', 'writes again after', 'failures, all 503', 'acknowledged writes', 'lost'],
    failovers.map(({ figures }) => figures),
  )
  return isFine && failovers.every(({ fine }) => fine)
}

/** A primary, its standby, a web process and a worker. */
async function openPair(stage: Stage, name: string, commit: Commit) {
  const primary = await startCluster(stage, `primary-${name}`)
  const standby = await startStandby(stage, `standby_${name}`, primary)
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
    DATABASE_REPLICA_URL: `postgres://club:${password}@${hosts}/club`,
  })
  await prepare(stage, settings)
  const members = await populate(primary.admin, settings, 200)
  const worker = startWorker(stage, `worker-${name}`, settings)
  const web = await startWeb(stage, `web-${name}`, settings)
  return { primary, standby, members, worker, web, edge: plainEdge(web.port) }
}

async function failOver(stage: Stage, commit: Commit): Promise<{ fine: boolean; figures: string[] }> {
  const { primary, standby, members, worker, web, edge } = await openPair(stage, commit, commit)
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
  const failed = sent.filter(({ status }) => status === 0 || status >= 500).length
  return {
    fine: only503 && isRead && (commit === 'asynchronous' || lost === 0),
    figures: [
      commit,
      ms(promoted - killed),
      ms(back - promoted),
      `${failed} of ${sent.length.toLocaleString('en-US')}`,
      String(acknowledged),
      String(lost),
    ],
  }
}

/** How long the standby is away, and the longest that a request may take meanwhile: two commits. */
const away = { ms: 30_000, longestMs: 25_000 }

/** The standby of synchronous commit dies and comes back, while a few members write and others read. */
async function loseStandby(stage: Stage): Promise<boolean> {
  const { primary, standby, members, worker, web, edge } = await openPair(stage, 'alone', 'synchronous')
  const traffic = startTraffic(edge, members, { writers: 3, pauseMs: 600 })
  await sleep(4000)
  await standby.crash(away.ms)
  await sleep(4000)
  const met = await traffic.stop()
  edge.close()
  const { lost, acknowledged } = await lostWrites(primary.admin, met.acknowledged)
  const longest = (answers: typeof met.reads) => Math.max(...answers.map((answer) => answer.ms))
  // Each process looks for such commits, and whichever comes first ends them.
  const logs = [web, worker].map(({ name }) => stage.logOf(name)).join('\n')
  const cut = (logs.match(/commits waited too long/g) ?? []).length
  console.log(`  synchronous commit, the standby away for ${ms(away.ms)}`)
  console.log(
    `    the longest write took ${ms(longest(met.writes))}, the longest read ${ms(longest(met.reads))}`,
  )
  console.log(`    reads: ${met.reads.length}, failures ${failuresOf(met.reads)}`)
  console.log(`    writes: ${met.writes.length}, failures ${failuresOf(met.writes)}; cut short ${cut} times`)
  console.log(`    acknowledged writes ${acknowledged}, lost ${lost}`)
  await Promise.all([worker.end('SIGKILL'), web.end('SIGKILL')])
  await standby.server.end('SIGQUIT')
  const sent = [...met.reads, ...met.writes]
  const only503 = sent.every(({ status }) => status < 500 || status === 503)
  return only503 && longest(sent) <= away.longestMs && cut > 0 && acknowledged > 0 && lost === 0
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
