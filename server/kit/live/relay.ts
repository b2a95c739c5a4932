// The relay forwards committed events: row in the action's transaction → relay (only one, in a worker) →
// NOTIFY → each web process → its streams. Only the relay sends NOTIFY: sent inside the actions'
// transactions, it would make all commits queue behind one lock.
import { sql } from 'kysely'
import { readLiveMessage } from '#contract/live.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { StoredEvent } from '#server/kit/ctx.ts'
import type { Database } from '#server/kit/db/db.ts'
import type { Log } from '#server/kit/log.ts'
import { pause } from './connection.ts'
import { newLead } from './lead.ts'
import { channel, payloadsOf } from './wire.ts'

const pollMs = 100
const retryMs = 500
const eventsPerRound = 500

export type Relay = { handOver: (event: StoredEvent) => void; stop(): Promise<void> }

/**
 * Forwards events while it leads. Its own process hands over committed events at once; those of other
 * processes are found within 100 ms. It notifies first and marks afterwards: after a crash an event may be
 * sent twice, which costs a refetch, but none is lost. On any failure it resigns, so that a healthy relay can
 * lead.
 */
export function startRelay(connection: Connection, database: Database, log: Log): Relay {
  const lead = newLead(connection, log)
  let stopped = false
  let published: string[] = []
  let publishing: Promise<void> = Promise.resolve()

  /** Publishes one event after another, because a connection takes one query at a time. */
  function publish(event: StoredEvent): Promise<void> {
    const done = publishing.then(() => notify(event))
    publishing = done.catch(() => {})
    return done
  }

  async function notify(event: StoredEvent) {
    const client = lead.client()
    if (!client || published.includes(event.id)) return
    for (const payload of payloadsOf(event))
      await client.query('select pg_notify($1, $2)', [channel, payload])
    published.push(event.id)
  }

  async function markPublished() {
    if (published.length === 0) return
    const ids = published
    published = []
    await sql`update events set published_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
      database.db,
    )
  }

  async function publishWaiting() {
    await markPublished()
    const rows = await readWaiting(database)
    for (const { id, recipients, ...row } of rows) {
      const message = readLiveMessage(row)
      if (message) await publish({ ...message, id, recipients })
      else published.push(id)
    }
    if (rows.length < eventsPerRound) await pause(pollMs)
  }

  async function run() {
    let fails = false
    while (!stopped) {
      try {
        if (!lead.client()) await lead.take(() => stopped)
        if (lead.client()) await publishWaiting()
        if (fails) log.info('the relay works again')
        fails = false
      } catch (err) {
        // Once for each failure of the database, however long it lasts.
        if (!fails) log.warn({ err }, 'the relay will try again')
        fails = true
        await lead.resign()
        await pause(retryMs)
      }
    }
    await markPublished().catch(() => {})
    await lead.resign()
  }

  const running = run()
  return {
    handOver: (event) =>
      void publish(event).catch((err: unknown) => log.warn({ err }, 'an event waits for the next round')),
    stop: async () => {
      stopped = true
      await running
    },
  }
}

function readWaiting(database: Database) {
  return database.db
    .selectFrom('events')
    .select(['id', 'name', 'ids', 'recipients'])
    .where('publishedAt', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .limit(eventsPerRound)
    .execute()
}
