// The web process: answers requests and holds the live streams. Any number of them may run against one
// database.
import { join } from 'node:path'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { screenRoots } from '#contract/screens.ts'
import { openAuthentication } from './accounts/authenticate.ts'
import { passwordsRefused } from './accounts/passwords.ts'
import { allJobs, webApp } from './app.ts'
import { pagesFromSource } from './dev/pages.ts'
import { readConfig } from './kit/config.ts'
import { connectionFromEnv, directConnectionFromEnv, replicasFromEnv } from './kit/db/connection.ts'
import { watchStandbyWaits } from './kit/db/standby-waits.ts'
import { openReplica } from './kit/db/replica.ts'
import type { Kit } from './kit/ctx.ts'
import { systemCtx } from './kit/ctx.ts'
import { openDatabase } from './kit/db/db.ts'
import { openFiles } from './kit/uploads/storage.ts'
import { closeImages } from './kit/uploads/images.ts'
import { openJobs } from './kit/jobs.ts'
import { openLive } from './kit/live/live.ts'
import { openLog } from './kit/log.ts'
import { serveMetrics } from './kit/observe/metrics.ts'
import { openSpans } from './kit/observe/spans.ts'
import { openTransport } from './kit/mail/mail.ts'
import { watchLoad } from './kit/http/overload.ts'
import { openReadiness } from './kit/http/readiness.ts'
import { requireSafeReplicas, requireSafeServer } from './kit/postgres/external.ts'
import { readBuild } from './kit/http/static.ts'
import { startWhenPossible, stopOnSignal } from './kit/lifecycle.ts'
import { reactions } from './reactions.ts'
import { openAuth } from './sign-in/better-auth.ts'
import { openWebGauges } from './site/gauges.ts'
import { startHeartbeat } from './site/heartbeat.ts'
import { loadPages } from './site/pages.ts'
import { reportProcess } from './site/processes.ts'

const config = readConfig(process.env)
const log = openLog('web', config.logLevel)
const connection = connectionFromEnv(process.env)
const direct = directConnectionFromEnv(process.env)
const spans = await openSpans({ endpoint: config.spansTo, process: 'web', log })
await startWhenPossible(log, () => requireSafeServer({ connection, direct }))
const { poolSize: max, lockSeconds } = config
const database = openDatabase(connection, { name: 'evenhand-web', log, max, lockSeconds })
const replicas = replicasFromEnv(process.env)
requireSafeReplicas(replicas)
const replica = openReplica(replicas, log)
const readiness = openReadiness(connection, log)
const standbyWaits = watchStandbyWaits(connection, log)
const transport = openTransport(config)
const jobs = await startWhenPossible(log, () =>
  openJobs(direct, log, allJobs({ transport, connection: direct })),
)
const files = openFiles(config)
const kit: Kit = { db: database.db, replica, jobs, files, reactions }
const auth = openAuth(connection, { kit, config, log })
const who = openAuthentication(database.pool, config)
const live = openLive(direct, log, who.findLiveSessions)
const fromSource = process.env.EVENHAND_FROM === 'source'
const build = fromSource ? new Map() : await readBuild(join(process.cwd(), 'dist/web'))
const pages = fromSource
  ? pagesFromSource(config.origin)
  : await loadPages(join(process.cwd(), 'dist/pages/render.js'))

if (config.mode === 'production' && !config.operator)
  log.warn('OPERATOR_NAME is not set: the terms and the privacy notice do not say who runs the club')

const overload = watchLoad({ ...database.queue, streams: () => live.count() })

let stopping = false
const app = webApp({
  kit,
  config,
  log,
  live,
  auth,
  who,
  build,
  screenRoots,
  pages,
  overload,
  isReady: readiness.isReady,
  isStopping: () => stopping,
})
const server = serve({
  fetch: app.fetch,
  hostname: config.host,
  port: config.port,
  serverOptions: {
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    // Node checks for slow requests every 30 seconds by default, which would double the limit.
    connectionsCheckingInterval: 1000,
    // Longer than the usual proxies keep an idle connection. The side that asks ends it, so that no request
    // meets an end on its way.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16 * 1024,
  },
}) as Server
server.maxConnections = 12_000
server.on('listening', () => log.info({ port: config.port, mode: config.mode }, 'the web process listens'))

const metrics = config.metricsPort > 0 ? serveMetrics(config.metricsPort, config.metricsHost, log) : undefined
const ctx = systemCtx(kit, config, log)
openWebGauges(ctx, { live, pool: database.pool, overload, passwordsRefused })

const reporting = reportProcess(ctx, { kind: 'web', streams: () => live.count() })

const ownHost = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
const heartbeat = startHeartbeat(ctx, `http://${ownHost}:${config.port}${fromSource ? '/livez' : '/signin'}`)

stopOnSignal(log, async () => {
  stopping = true
  heartbeat.stop()
  await reporting.stop()
  // A proxy that checks /readyz stops sending requests here before the server closes.
  await new Promise((resolve) => setTimeout(resolve, config.mode === 'production' ? 5000 : 0))
  const closed = new Promise((resolve) => server.close(resolve))
  await live.stop()
  // What was answered before the stop began, such as a stream, may leave its connection open.
  const idle = setInterval(() => server.closeIdleConnections(), 200)
  await Promise.race([
    closed,
    new Promise((resolve) => setTimeout(resolve, config.mode === 'production' ? 20_000 : 3000).unref()),
  ])
  clearInterval(idle)
  server.closeAllConnections()
  metrics?.close()
  overload.stop()
  closeImages()
  transport.close()
  await jobs.stop()
  await auth.close()
  await readiness.close()
  await standbyWaits.stop()
  await spans.close()
  await replica?.close()
  await database.close()
})
