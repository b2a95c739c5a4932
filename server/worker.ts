// The worker runs the jobs: draws, mails, deadlines, reminders. Any number may run; one of them relays the
// events.
import { closeImages } from './kit/uploads/images.ts'
import { readConfig } from './kit/config.ts'
import { connectionFromEnv } from './kit/db/connection.ts'
import type { Kit } from './kit/ctx.ts'
import { systemCtx } from './kit/ctx.ts'
import { openDatabase } from './kit/db/db.ts'
import { openFiles } from './kit/uploads/files.ts'
import { workJobs } from './kit/jobs.ts'
import { startRelay } from './kit/live/relay.ts'
import { openLog } from './kit/log.ts'
import { openTransport } from './kit/mail/mail.ts'
import { stopOnSignal } from './kit/stop.ts'
import { allJobs } from './app.ts'
import { startSimulator } from './demo/simulator.ts'
import { reactions } from './reactions.ts'
import { reportProcess } from './site/processes.ts'

const config = readConfig(process.env)
const log = openLog('worker', config.logLevel)
const connection = connectionFromEnv(process.env)
const database = openDatabase(connection, { name: 'evenhand-worker', log })
const transport = openTransport(config)
const relay = startRelay(connection, database, log)
const jobs = await workJobs(connection, log, allJobs({ transport, connection }))
const files = openFiles({ dataDir: config.dataDir })
const kit: Kit = { db: database.db, jobs, files, reactions, handOver: relay.handOver }
const ctx = systemCtx(kit, config, log)
await jobs.begin(ctx)
const reporting = reportProcess(ctx, { kind: 'worker' })
const simulator = config.mode === 'demo' ? startSimulator(ctx) : undefined
log.info({ mode: config.mode }, 'the worker is at work')

stopOnSignal(log, async () => {
  await reporting.stop()
  await simulator?.stop()
  await jobs.stop()
  await relay.stop()
  transport.close()
  closeImages()
  await database.close()
})
