// A process like the worker: it commits events and publishes them by the real relay, on orders of live.ts.
import pg from 'pg'
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import { connectionFromEnv } from '#server/kit/db/connection.ts'
import { newId, systemCtx } from '#server/kit/ctx.ts'
import { afterCommit, inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { startRelay } from '#server/kit/live/relay.ts'
import { openLog } from '#server/kit/log.ts'

export type Order = { act: 'commit'; memberId: string; handOver: boolean } | { act: 'notify' }
/** `at` is nanoseconds of the machine's monotonic clock, as text. */
export type Report =
  | { act: 'ready' }
  | { act: 'commit'; noticeId: string; at: string }
  | { act: 'notify'; ms: number }

// The bench may be killed before this is loaded.
process.on('disconnect', () => process.exit(0))
if (!process.connected) process.exit(0)

const connection = connectionFromEnv(process.env)
const log = openLog('bench', 'warn')
const config = readConfig(process.env)
const database = openDatabase(connection, { name: 'bench-relay', log })
const relay = startRelay(connection, database, log)
const jobs = { send: async () => {}, stop: async () => {} }
const kit = { db: database.db, jobs, files: openFiles(config), reactions }
const withHandOver = systemCtx({ ...kit, handOver: relay.handOver }, config, log)
const withoutHandOver = systemCtx(kit, config, log)

const sender = new pg.Client(connection)
const listener = new pg.Client(connection)
await Promise.all([sender.connect(), listener.connect()])
await listener.query('listen bare')

process.on('message', (order: Order) => void obey(order))
report({ act: 'ready' })

async function obey(order: Order) {
  if (order.act === 'commit') report({ act: 'commit', ...(await commit(order)) })
  else report({ act: 'notify', ms: await roundTrip() })
}

/**
 * With `handOver` the commit is this process's own, as in every draw. Without it, the relay has to find the
 * commit, as it does for other processes.
 */
async function commit({ memberId, handOver }: { memberId: string; handOver: boolean }) {
  const noticeId = newId()
  let at = 0n
  await inTransaction(handOver ? withHandOver : withoutHandOver, async (ctx) => {
    afterCommit(ctx, () => {
      at = process.hrtime.bigint()
    })
    await emit(ctx, 'notice.created', { noticeId }, [memberId])
  })
  return { noticeId, at: String(at) }
}

/** Milliseconds from sending a bare NOTIFY to receiving it on another connection. */
async function roundTrip() {
  const received = new Promise((resolve) => listener.once('notification', resolve))
  const start = performance.now()
  await Promise.all([sender.query(`select pg_notify('bare', '')`), received])
  return performance.now() - start
}

function report(what: Report) {
  process.send?.(what)
}
