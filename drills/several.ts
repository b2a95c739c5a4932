// Two web processes and two workers behind HAProxy and behind nginx, both at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'
import { authority, populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import type { Member, Web } from './club.ts'
import { startHaproxy, startNginx } from './proxies.ts'
import { failuresOf, showTraffic, smoke, startTraffic } from './smoke.ts'
import { findProgram, until } from './stage.ts'
import type { Running, Stage } from './stage.ts'
import type { Edge } from './visitor.ts'

export async function runSeveral(stage: Stage): Promise<boolean> {
  findProgram('haproxy')
  findProgram('nginx')
  const cluster = await startCluster(stage, 'postgres')
  const settings = await settingsOf(stage, { DATABASE_URL: cluster.url })
  await prepare(stage, settings)
  const members = await populate(cluster.admin, settings, 400)
  const workers = ['worker1', 'worker2'].map((name) => startWorker(stage, name, settings))
  const webs = await Promise.all(['web1', 'web2'].map((name) => startWeb(stage, name, settings)))
  const edges = { haproxy: await startHaproxy(stage, webs), nginx: await startNginx(stage, webs) }

  // Each part has members of its own to write, as one may not write often.
  let used = 0
  const next = () => members.slice(60 * used, 60 * ++used)
  let fine = true
  for (const [name, edge] of Object.entries(edges)) {
    console.log(`  behind ${name}, by HTTP/2`)
    fine = (await smoke(edge, next(), cluster.admin)) && fine
    fine = (await limitsByAddress(edge, members[name.length])) && fine
  }
  for (const [name, edge] of Object.entries(edges)) {
    console.log(`  both web processes restarted one after the other, behind ${name}`)
    fine = (await rolling(stage, edge, next(), settings, webs)) && fine
  }
  fine = (await killRelay(edges.haproxy, next(), workers)) && fine
  fine = (await databaseAway(edges, cluster, members[0])) && fine
  return (await noneLeft(edges, webs)) && fine
}

const awayMs = 8000

/** While the database is away no process is ready, but each shows what needs no database. */
async function databaseAway(edges: Record<string, Edge>, cluster: Cluster, member?: Member) {
  console.log('  the database is away')
  const back = cluster.crash(awayMs)
  await sleep(awayMs / 2)
  let fine = true
  for (const [name, edge] of Object.entries(edges)) {
    const page = await edge.ask('GET', '/status', { host: authority })
    const call = await edge.ask('GET', '/api/me', { ...member?.headers })
    const isRight = page.status === 200 && call.status === 503 && Number(call.retryAfter) > 0
    console.log(
      `  ${name.padEnd(8)} /status ${page.status}, a member's call ${call.status} with Retry-After ` +
        `${call.retryAfter}${isRight ? '' : ', NOT as it should be'}`,
    )
    fine = isRight && fine
  }
  await back
  for (const [name, edge] of Object.entries(edges)) {
    const isReady = async () => (await edge.ask('GET', '/readyz', { host: authority })).status === 200
    await until(`${name} serves again`, isReady)
  }
  return fine
}

/** With every web process away, a proxy says when to come back. */
async function noneLeft(edges: Record<string, Edge>, webs: Web[]): Promise<boolean> {
  console.log('  both web processes ended')
  await Promise.all(webs.map((web) => web.end('SIGTERM')))
  let fine = true
  for (const [name, edge] of Object.entries(edges)) {
    const { status, retryAfter } = await edge.ask('GET', '/api/me', { host: authority })
    const isRight = status === 503 && retryAfter === '2'
    console.log(
      `  ${name.padEnd(8)} ${isRight ? '503 with Retry-After' : `${status}, NOT 503 with Retry-After`}`,
    )
    fine = isRight && fine
  }
  return fine
}

/** Sign-ins are counted by address. One that a visitor makes up does not count as another. */
async function limitsByAddress(edge: Edge, member: Member | undefined): Promise<boolean> {
  const statuses: number[] = []
  for (let n = 0; n < 8 && member; n += 1) {
    const headers = { ...member.headers, 'x-real-ip': `203.0.113.${n}` }
    const body = JSON.stringify({ email: 'nothing@club.example', password: `not a password ${n}` })
    statuses.push((await edge.ask('POST', '/api/auth/sign-in/email', headers, body)).status)
  }
  const limited = statuses.includes(429)
  console.log(
    `  address  a made-up ${limited ? 'one is not believed' : 'ONE IS BELIEVED'}: ${statuses.join(' ')}`,
  )
  return limited
}

async function rolling(
  stage: Stage,
  edge: Edge,
  members: Member[],
  settings: Record<string, string>,
  webs: Web[],
): Promise<boolean> {
  const traffic = startTraffic(edge, members)
  await sleep(1000)
  for (const [n, web] of webs.entries()) {
    await web.end('SIGTERM')
    webs[n] = await startWeb(stage, web.name, settings, { port: web.port })
    await sleep(2500)
  }
  const met = await traffic.stop()
  const fine = showTraffic(met)
  if (!fine) console.log(`  failures ${failuresOf([...met.reads, ...met.writes])}`)
  return fine
}

/** Events go on when a worker is killed, though it may be the one that relays. */
async function killRelay(edge: Edge, members: Member[], workers: Running[]): Promise<boolean> {
  console.log('  one worker killed (kill -9)')
  const traffic = startTraffic(edge, members)
  await sleep(1500)
  await workers[0]?.end('SIGKILL')
  await sleep(4000)
  return showTraffic(await traffic.stop())
}
