import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import pg from 'pg'
import type { EventIds, EventName } from '#contract/live.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { StoredEvent } from '#server/kit/ctx.ts'
import type { Database } from '#server/kit/db/db.ts'
import type { Log } from '#server/kit/log.ts'

// Events travel: row in the action's transaction → relay (one in the club, in a worker) → NOTIFY → each web process → its streams.
// NOTIFY is sent by the relay alone: inside the actions' transactions all commits would queue behind one lock.

export const channel = 'live'
const pollMs = 100
const standbyMs = 1000
// PostgreSQL takes 8,000 bytes in a message; an id with its quotes is 39.
const recipientsPerMessage = 150
const closeGraceMs = 1000
const queuedBytesLimit = 64 * 1024
const streamsPerMember = 5

type Wire = { n: EventName; i: EventIds; h: string[] }

export type Relay = { handOver: (event: StoredEvent) => void; stop(): Promise<void> }

/**
 * Passes events on. A session-level advisory lock makes it the only one in the club; the others wait to take over.
 * Events committed by its own process arrive by `handOver` at once, those of others are found within 100 ms. It tells first
 * and marks afterwards: after a crash an event may be told twice, which costs a refetch, and none is lost. Whatever fails, it gives
 * up the lead and tries to take it again, so that a healthy one may be faster.
 */
export function startRelay(connection: Connection, database: Database, log: Log): Relay {
  let stopped = false
  let leader: pg.Client | null = null
  let told: string[] = []
  let publishedSoFar: Promise<void> = Promise.resolve()

  async function lead() {
    const client = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'evenhand-relay',
    })
    client.on('error', (err) => {
      log.warn({ err }, 'the relay lost its connection')
      if (leader === client) leader = null
    })
    try {
      await client.connect()
      while (!stopped && !leader) {
        const { rows } = await client.query<{ mine: boolean }>(
          `select pg_try_advisory_lock(hashtextextended('evenhand:relay', 0)) as mine`,
        )
        if (rows[0]?.mine) leader = client
        else await pause(standbyMs)
      }
    } finally {
      if (leader !== client) await end(client)
    }
  }

  /** The lock goes with its connection. */
  async function resign() {
    const client = leader
    leader = null
    if (client) await end(client)
  }

  /** One after the other, as they come: a connection is asked one thing at a time. */
  function tell(event: StoredEvent): Promise<void> {
    const telling = publishedSoFar.then(() => notify(event))
    publishedSoFar = telling.catch(() => {})
    return telling
  }

  async function notify(event: StoredEvent) {
    const client = leader
    if (!client || told.includes(event.id)) return
    for (let at = 0; at < event.recipients.length; at += recipientsPerMessage) {
      const wire: Wire = {
        n: event.name,
        i: event.ids,
        h: event.recipients.slice(at, at + recipientsPerMessage),
      }
      await client.query('select pg_notify($1, $2)', [channel, JSON.stringify(wire)])
    }
    told.push(event.id)
  }

  async function markPublished() {
    if (told.length === 0) return
    const ids = told
    told = []
    await sql`update events set published_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
      database.db,
    )
  }

  async function run() {
    while (!stopped) {
      try {
        if (!leader) await lead()
        if (!leader) continue
        await markPublished()
        const waiting = await database.db
          .selectFrom('events')
          .select(['id', 'name', 'ids', 'recipients'])
          .where('publishedAt', 'is', null)
          .orderBy('at')
          .orderBy('id')
          .limit(500)
          .execute()
        // The row was written by `emit`, which takes only names of the contract and ids.
        for (const row of waiting) await tell(row as StoredEvent)
        if (waiting.length < 500) await pause(pollMs)
      } catch (err) {
        log.warn({ err }, 'the relay will try again')
        await resign()
        await pause(500)
      }
    }
    await markPublished().catch(() => {})
    await resign()
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
    // Who does not read does not read the end either.
    const cut = setTimeout(() => stream.res.destroy(), closeGraceMs)
    cut.unref()
    stream.res.on('close', () => clearTimeout(cut))
  }

  function forget(stream: Stream) {
    const set = byMember.get(stream.memberId)
    set?.delete(stream)
    if (set?.size === 0) byMember.delete(stream.memberId)
  }

  function pass({ n, i, h }: Wire) {
    const message = messageOf(n, i)
    for (const memberId of h) {
      for (const stream of byMember.get(memberId) ?? []) {
        write(stream, message)
        if (n === 'session.ended' && i.sessionId === stream.sessionId) close(stream)
      }
    }
  }

  const syncMessage = messageOf('sync', {})

  async function listen() {
    const client = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'evenhand-live',
    })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => {
      const wire = readWire(payload)
      if (wire) pass(wire)
      else log.warn('a live message could not be read')
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      // Whatever was told while nobody listened is made up for by asking again.
      for (const stream of streams()) write(stream, syncMessage)
      listener = client
      if (!stopped) await lost
    } finally {
      listener = null
      await end(client)
    }
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
    for (const stream of open.filter(({ sessionId }) => !alive.has(sessionId))) {
      // The page learns why its stream ends, however its session did.
      write(stream, messageOf('session.ended', { sessionId: stream.sessionId }))
      close(stream)
    }
  }

  const beat = setInterval(() => {
    for (const stream of streams()) write(stream, ': here\n\n')
  }, 20_000)
  const watch = setInterval(() => void endDeadSessions().catch(() => {}), 4000)
  const listening = keepListening()

  return {
    open(stream) {
      if (stopped) {
        stream.res.writeHead(503, { 'retry-after': '1' }).end()
        return
      }
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
      if (listener) await end(listener)
      await listening
    },
  }
}

/** Anybody with a database connection may write to the channel, so what arrives is looked at before it is believed. */
export function readWire(payload: string | undefined): Wire | null {
  try {
    const wire: unknown = JSON.parse(payload ?? '')
    if (typeof wire !== 'object' || wire === null || !('n' in wire && 'i' in wire && 'h' in wire)) return null
    if (typeof wire.n !== 'string' || typeof wire.i !== 'object' || wire.i === null || !Array.isArray(wire.h))
      return null
    // The relay writes names of the contract, and ids.
    return wire as Wire
  } catch {
    return null
  }
}

/** Ends a connection, which may be lost already. */
function end(client: pg.Client) {
  return client.end().catch(() => {})
}

function messageOf(name: EventName, ids: EventIds) {
  return `data: ${JSON.stringify({ name, ids })}\n\n`
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
