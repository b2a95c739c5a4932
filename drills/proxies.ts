// The proxies of deploy/ in front of web processes, reached by HTTP/2.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#scripts/free-port.ts'
import { authority } from './club.ts'
import type { Web } from './club.ts'
import { fillSample, makeCertificate } from './sample.ts'
import { findProgram, until } from './stage.ts'
import type { Running, Stage } from './stage.ts'
import { http2Edge } from './visitor.ts'
import type { Edge } from './visitor.ts'

/** `crash` kills the proxy and starts it again after a while. */
type ProxiedEdge = Edge & { crash(downMs: number): Promise<void> }

export async function startHaproxy(stage: Stage, webs: Web[]): Promise<ProxiedEdge> {
  const program = findProgram('haproxy')
  const port = await freePort()
  // Only root may become another user.
  const asUs: [string, string][] =
    process.getuid?.() === 0 ? [] : [['    user haproxy\n    group haproxy\n', '']]
  const file = await fillSample(stage, 'haproxy.cfg', [
    ...addressesOf(webs, port),
    ['/etc/haproxy/club.pem', await makeCertificate(stage, authority)],
    ...asUs,
  ])
  return edgeOf(stage, () => stage.start('haproxy', program, ['-db', '-f', file]), port)
}

export async function startNginx(stage: Stage, webs: Web[]): Promise<ProxiedEdge> {
  const program = findProgram('nginx')
  const port = await freePort()
  const file = await fillSample(stage, 'nginx.conf', [
    ...addressesOf(webs, port),
    ['/etc/nginx/club.pem', await makeCertificate(stage, authority)],
  ])
  const here = `daemon off; pid ${stage.folder}/nginx.pid; error_log ${stage.folder}/nginx-errors.log;`
  return edgeOf(stage, () => stage.start('nginx', program, ['-c', file, '-g', here]), port)
}

function addressesOf(webs: Web[], port: number): [string, string][] {
  return [
    ...webs.map((web, n): [string, string] => [`127.0.0.1:300${n + 1}`, `127.0.0.1:${web.port}`]),
    ['0.0.0.0:443', `127.0.0.1:${port}`],
  ]
}

async function edgeOf(stage: Stage, start: () => Running, port: number): Promise<ProxiedEdge> {
  const edge = http2Edge(port, authority)
  let proxy = start()
  stage.onEnd(async () => edge.close())
  const answers = async () => (await edge.ask('GET', '/readyz', { host: authority })).status === 200
  await until(`${proxy.name} answers`, answers, { seconds: 20, needed: [proxy] }).catch((error: Error) => {
    throw new Error(`${error.message} ${stage.logOf(proxy.name)}`)
  })
  return Object.assign(edge, {
    async crash(downMs: number) {
      await proxy.kill()
      await sleep(downMs)
      proxy = start()
    },
  })
}
