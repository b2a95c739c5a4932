// Two web processes and two workers behind HAProxy and behind nginx, both at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#scripts/free-port.ts'
import { startCluster } from './cluster.ts'
import { authority, populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import type { Member, Web } from './club.ts'
import { fillSample, makeCertificate } from './sample.ts'
import { failuresOf, showTraffic, smoke, startTraffic } from './smoke.ts'
import { findProgram, until } from './stage.ts'
import type { Running, Stage } from './stage.ts'
import { http2Edge } from './visitor.ts'
import type { Edge } from './visitor.ts'

export async function runSeveral(stage: Stage): Promise<boolean> {
  const programs = { haproxy: findProgram('haproxy'), nginx: findProgram('nginx') }
  const cluster = await startCluster(stage, 'postgres')
  const settings = await settingsOf(stage, { DATABASE_URL: cluster.url })
  await prepare(stage, settings)
  const members = await populate(cluster.admin, settings, 400)
  const workers = ['worker1', 'worker2'].map((name) => startWorker(stage, name, settings))
  const webs = await Promise.all(['web1', 'web2'].map((name) => startWeb(stage, name, settings)))
  const edges = await startEdges(stage, programs, webs)

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
  return (await killRelay(edges.haproxy, next(), workers)) && fine
}

type Programs = { haproxy: string; nginx: string }

async function startEdges(stage: Stage, programs: Programs, webs: Web[]) {
  const certificate = await makeCertificate(stage, authority)
  const ports = { haproxy: await freePort(), nginx: await freePort() }
  const own: [string, string][] = webs.map(({ port }, n) => [`127.0.0.1:300${n + 1}`, `127.0.0.1:${port}`])
  const at = (port: number): [string, string] => ['0.0.0.0:443', `127.0.0.1:${port}`]
  // Only root may become another user.
  const asUs: [string, string][] =
    process.getuid?.() === 0 ? [] : [['    user haproxy\n    group haproxy\n', '']]
  const haproxy = await fillSample(stage, 'haproxy.cfg', [
    ...own,
    at(ports.haproxy),
    ['/etc/haproxy/club.pem', certificate],
    ...asUs,
  ])
  const nginx = await fillSample(stage, 'nginx.conf', [
    ...own,
    at(ports.nginx),
    ['/etc/nginx/club.pem', certificate],
  ])
  const here = `daemon off; pid ${stage.folder}/nginx.pid; error_log ${stage.folder}/nginx-errors.log;`
  const running = [
    stage.start('haproxy', programs.haproxy, ['-db', '-f', haproxy]),
    stage.start('nginx', programs.nginx, ['-c', nginx, '-g', here]),
  ]
  const edges = { haproxy: http2Edge(ports.haproxy, authority), nginx: http2Edge(ports.nginx, authority) }
  for (const [name, edge] of Object.entries(edges)) {
    const answers = async () => (await edge.ask('GET', '/readyz', { host: authority })).status === 200
    await until(`${name} answers`, answers, { seconds: 20, needed: running }).catch((error: Error) => {
      throw new Error(`${error.message} ${stage.logOf(name)}`)
    })
    stage.onEnd(async () => edge.close())
  }
  return edges
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
    webs[n] = await startWeb(stage, web.name, settings, web.port)
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
