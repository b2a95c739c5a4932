import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from './events.ts'
import { channel, readWire } from './wire.ts'

/**
 * Sends an event without a real recipient along the whole path of events: row, commit, relay, channel. Fails
 * if the database connection is lost. Without a working relay it waits until `abandoned`.
 */
export async function crossRelay(connection: Connection, ctx: Ctx, abandoned: AbortSignal): Promise<void> {
  const recipient = newId()
  const client = new DatabaseClient({
    ...connection,
    connectionTimeoutMillis: 5000,
    application_name: 'evenhand-probe',
  })
  try {
    const received = new Promise<void>((resolve, reject) => {
      client.on('notification', ({ payload }) => {
        if (readWire(payload)?.recipients.includes(recipient)) resolve()
      })
      client.on('error', reject)
      abandoned.addEventListener('abort', () => resolve())
    })
    await client.connect()
    await client.query(`listen ${channel}`)
    await inTransaction(ctx, (ctx) => emit(ctx, 'sync', {}, [recipient]))
    await received
  } finally {
    await client.end().catch(() => {})
  }
}
