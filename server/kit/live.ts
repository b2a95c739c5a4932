import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import pg from 'pg'
import type { EventIds, EventName } from '#contract/live.ts'
import type { Connection } from './connection.ts'
import type { StoredEvent } from './ctx.ts'
import type { Database } from './db.ts'
import type { Log } from './log.ts'

// Events travel: row in the deed's transaction → relay (one in the club, in a worker) → NOTIFY → each web process → its streams.
// NOTIFY is sent by the relay alone: inside the deeds' transactions all commits would queue behind one lock.

const channel = 'live'
const pollMs = 100
const queuedBytesLimit = 64 * 1024
const streamsPerMember = 5
const mostHearers = 150

type Wire = { n: EventName; i: EventIds; h: string[] }

export type Relay = { handOver: (event: StoredEvent) => void; stop(): Promise<void> }

/**
 * Passes events on. A session-level advisory lock makes it the only one in the club; the others wait to take over.
 * Events committed by its own process arrive by `handOver` at once, those of others are found within 100 ms. It tells first
 * and marks afterwards: after a crash an event may be told twice, which costs a refetch, and none is lost.
 */
export function startRelay(connection: Connection, database: Database, log: Log): Relay {
  let stopped = false
  let leader: pg.Client | null = null
  let told: string[] = []

  async function lead() {
    const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'evenhand-relay' })
    client.on('error', (err) => {
      log.warn({ err }, 'the relay lost its connection')
      leader = null
    })
    await client.connect()
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock(hashtextextended('evenhand:relay', 0)) as mine`,
      )
      if (rows[0]?.mine || stopped) break
      await pause(1000)
    }
    leader = client
  }

  async function tell(event: StoredEvent) {
    if (!leader) return
    // A notification holds less than 8,000 bytes, which is about two hundred hearers.
    for (let first = 0; first < event.hear.length; first += mostHearers) {
      const wire: Wire = { n: event.name, i: event.ids, h: event.hear.slice(first, first + mostHearers) }
      await leader.query('select pg_notify($1, $2)', [channel, JSON.stringify(wire)])
    }
    told.push(event.id)
  }

  async function markTold() {
    if (told.length === 0) return
    const ids = told
    told = []
    await sql`update events set told_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
      database.db,
    )
  }

  async function run() {
    while (!stopped) {
      try {
        if (!leader) await lead()
        await markTold()
        const waiting = await database.db
          .selectFrom('events')
          .select(['id', 'name', 'ids', 'hear'])
          .where('toldAt', 'is', null)
          .orderBy('at')
          .orderBy('id')
          .limit(500)
          .execute()
        // The row was written by `emit`, which takes only names of the contract and ids.
        for (const row of waiting) await tell(row as StoredEvent)
        if (waiting.length < 500) await pause(pollMs)
      } catch (err) {
        log.warn({ err }, 'the relay will try again')
        // The lock goes with its connection: one that stayed open would make the relay wait for itself.
        const former = leader
        leader = null
        await former?.end().catch(() => {})
        await pause(500)
      }
    }
    await markTold().catch(() => {})
    await leader?.end().catch(() => {})
  }

  const running = run()
  return {
    handOver: (event) =>
      void tell(event).catch((err: unknown) => log.warn({ err }, 'an event waits for the next round')),
    stop: async () => {
      stopped = true
      await running
    },
  }
}

export type Stream = { memberId: string; sessionId: string; res: ServerResponse }

export type Live = {
  /** Opens a stream for a member. `sync` comes first: whoever connects asks again for what they show. */
  open(stream: Stream): void
  count(): number
  stop(): Promise<void>
}

/**
 * The streams of one web process. Who hears what is decided by the event's row alone. A slow reader is cut at 64 KB queued, a
 * sixth stream of a member closes their oldest, and a stream ends with its login session: by its event, or by the check
 * every 4 seconds.
 */
export function openLive(
  connection: Connection,
  log: Log,
  findLiveSessions: (sessionIds: string[]) => Promise<Set<string>>,
): Live {
  const byMember = new Map<string, Set<Stream>>()
  let stopped = false
  let listener: pg.Client | null = null

  const streams = () => [...byMember.values()].flatMap((set) => [...set])

  function write(stream: Stream, text: string) {
    if (stream.res.writableLength > queuedBytesLimit) {
      stream.res.destroy()
      return
    }
    stream.res.write(text)
  }

  function close(stream: Stream, retryMs?: number) {
    if (retryMs) stream.res.write(`retry: ${retryMs}\n\n`)
    stream.res.end()
    forget(stream)
  }

  function forget(stream: Stream) {
    const set = byMember.get(stream.memberId)
    set?.delete(stream)
    if (set?.size === 0) byMember.delete(stream.memberId)
  }

  function pass({ n, i, h }: Wire) {
    const message = `data: ${JSON.stringify({ name: n, ids: i })}\n\n`
    for (const memberId of h) {
      for (const stream of byMember.get(memberId) ?? []) {
        if (n === 'session.ended' && i.sessionId === stream.sessionId) close(stream)
        else write(stream, message)
      }
    }
  }

  const syncMessage = `data: ${JSON.stringify({ name: 'sync', ids: {} })}\n\n`

  async function listen() {
    const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'evenhand-live' })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => pass(JSON.parse(payload ?? '{}') as Wire))
    await client.connect()
    await client.query(`listen ${channel}`)
    listener = client
    // Whatever was told while nobody listened is made up for by asking again.
    for (const stream of streams()) write(stream, syncMessage)
    await lost
    listener = null
  }

  async function keepListening() {
    while (!stopped) {
      try {
        await listen()
      } catch (err) {
        log.warn({ err }, 'live updates lost the database and will reconnect')
      }
      if (!stopped) await pause(300)
    }
  }

  async function endDeadSessions() {
    const open = streams()
    if (open.length === 0) return
    const alive = await findLiveSessions([...new Set(open.map((stream) => stream.sessionId))])
    for (const stream of open) if (!alive.has(stream.sessionId)) close(stream)
  }

  const beat = setInterval(() => {
    for (const stream of streams()) write(stream, ': here\n\n')
  }, 20_000)
  const watch = setInterval(() => void endDeadSessions().catch(() => {}), 4000)
  void keepListening()

  return {
    open(stream) {
      const mine = byMember.get(stream.memberId) ?? new Set<Stream>()
      byMember.set(stream.memberId, mine)
      mine.add(stream)
      if (mine.size > streamsPerMember) {
        const [oldest] = mine
        if (oldest) close(oldest)
      }
      stream.res.on('close', () => forget(stream))
      stream.res.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      })
      stream.res.write(`retry: 1000\n${syncMessage}`)
    },
    count: () => streams().length,
    async stop() {
      stopped = true
      clearInterval(beat)
      clearInterval(watch)
      for (const stream of streams()) close(stream, 1000)
      await listener?.end().catch(() => {})
    },
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
