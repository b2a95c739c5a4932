// The worker runs the jobs: draws, mails, deadlines, reminders. Any number may run; one of them relays the
// events.
import { closeImages } from './kit/uploads/images.ts'
import { readConfig } from './kit/config.ts'
import { connectionFromEnv, directConnectionFromEnv, replicasFromEnv } from './kit/db/connection.ts'
import { watchStandbyWaits } from './kit/db/standby-waits.ts'
import { openReplica } from './kit/db/replica.ts'
import type { Kit } from './kit/ctx.ts'
import { systemCtx } from './kit/ctx.ts'
import { openDatabase } from './kit/db/db.ts'
import { openFiles } from './kit/uploads/storage.ts'
import { workJobs } from './kit/jobs.ts'
import { startRelay } from './kit/live/relay.ts'
import { openLog } from './kit/log.ts'
import { serveMetrics } from './kit/observe/metrics.ts'
import { openSpans } from './kit/observe/spans.ts'
import { openTransport } from './kit/mail/mail.ts'
import { requireSafeReplicas, requireSafeServer } from './kit/postgres/external.ts'
import { startWhenPossible, stopOnSignal } from './kit/lifecycle.ts'
import { allJobs } from './app.ts'
import { startSimulator } from './demo/simulator.ts'
import { reactions } from './reactions.ts'
import { openClubGauges } from './site/gauges.ts'
import { reportProcess } from './site/processes.ts'

const config = readConfig(process.env)
const log = openLog('worker', config.logLevel)
const connection = connectionFromEnv(process.env)
const direct = directConnectionFromEnv(process.env)
const spans = await openSpans({ endpoint: config.spansTo, process: 'worker', log })
await startWhenPossible(log, () => requireSafeServer({ connection, direct }))
const database = openDatabase(connection, { name: 'evenhand-worker', log })
const replicas = replicasFromEnv(process.env)
requireSafeReplicas(replicas)
const replica = openReplica(replicas, log)
const transport = openTransport(config)
const relay = startRelay(direct, database, log)
const standbyWaits = watchStandbyWaits(connection, log)
const jobs = await startWhenPossible(log, () =>
  workJobs(direct, log, allJobs({ transport, connection: direct })),
)
const files = openFiles(config)
const kit: Kit = { db: database.db, replica, jobs, files, reactions, handOver: relay.handOver }
const ctx = systemCtx(kit, config, log)
await startWhenPossible(log, async () => {
  await jobs.begin(ctx)
  // A new club publishes the hash of its first day before anyone asks for a review.
  await jobs.send(ctx, 'publish-days')
})
const metrics =
  config.workerMetricsPort > 0 ? serveMetrics(config.workerMetricsPort, config.metricsHost, log) : undefined
openClubGauges(ctx)
const reporting = reportProcess(ctx, { kind: 'worker' })
const simulator = config.mode === 'demo' ? startSimulator(ctx) : undefined
log.info({ mode: config.mode }, 'the worker is at work')

stopOnSignal(log, async () => {
  await reporting.stop()
  await simulator?.stop()
  await jobs.stop()
  await relay.stop()
  await standbyWaits.stop()
  metrics?.close()
  transport.close()
  closeImages()
  await spans.close()
  await replica?.close()
  await database.close()
})
