// The live stream from the action to the page: the events table, the relay, NOTIFY and a web process's
// sockets.
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser, StreamReader } from '#server/testing/browser.ts'
import type { EventName } from '#contract/live.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { EventFields } from './event-fields.ts'
import { emit } from './events.ts'
import { startRelay } from './relay.ts'
import type { Relay } from './relay.ts'
import { openLog } from '#server/kit/log.ts'

const club = useFreshClub()
const edge = useEdge(club)
const other = useEdge(club)
const crowded = useEdge(club, { config: { mode: 'production' } })
const log = openLog('test', 'silent')

const relays: Relay[] = []
const streams: StreamReader[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  // The server notices both a moment later.
  await eventually(() => expect([edge, other, crowded].map(({ live }) => live.count())).toEqual([0, 0, 0]))
  await eventually(async () => expect(await leaders()).toEqual([]))
})

function relay() {
  const started = startRelay(club.connection, club.database, log)
  relays.push(started)
  return started
}

async function listen(browser: Browser, headers?: Record<string, string>) {
  const stream = await browser.listen(headers)
  streams.push(stream)
  return stream
}

/** Emits an event to these members. */
async function happens<N extends EventName>(
  name: N,
  recipients: string[],
  fields: EventFields<N>,
  handOver?: Relay['handOver'],
) {
  const kit = { ...club.system.kit, reactions: [], ...(handOver ? { handOver } : {}) }
  await inTransaction({ ...club.system, kit }, (ctx) => emit(ctx, name, fields, recipients))
}

const eventually = (holds: () => unknown) => vi.waitFor(holds, { timeout: 60_000 })

const names = (stream: StreamReader) => stream.received.map(({ name }) => name)

async function endConnections(application: string) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${application}`.execute(club.system.db)
}

async function leaders() {
  const { rows } = await sql<{ pid: number }>`select l.pid from pg_locks l
    join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
    where l.locktype = 'advisory' and l.granted and a.application_name = 'evenhand-relay'`.execute(
    club.system.db,
  )
  return rows.map(({ pid }) => pid)
}

describe('a live stream', () => {
  test('begins with sync, then carries only the events of its member', async () => {
    relay()
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const [hers, his] = [await listen(anna), await listen(ben)]
    const [noticeId, productId] = [newId(), newId()]
    await happens('notice.created', [anna.memberId ?? ''], { noticeId })
    await happens('offer.made', [], { queueId: newId() })
    await happens('product.changed', [anna.memberId ?? '', ben.memberId ?? ''], { productId })
    await Promise.all([hers.next('product.changed'), his.next('product.changed')])
    expect(hers.received).toEqual([
      { name: 'sync', ids: {} },
      { name: 'notice.created', ids: { noticeId } },
      { name: 'product.changed', ids: { productId } },
    ])
    expect(names(his)).toEqual(['sync', 'product.changed'])
  })

  test('sends simultaneous events one by one: a connection takes one query at a time', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { handOver } = relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await happens('notice.read', [anna.memberId ?? ''], {}, handOver)
    await hers.next('notice.read')
    const noticeIds = Array.from({ length: 20 }, newId)
    await Promise.all(
      noticeIds.map((noticeId) => happens('notice.created', [anna.memberId ?? ''], { noticeId }, handOver)),
    )
    for (const _ of noticeIds) await hers.next('notice.created')
    const created = hers.received.filter(({ name }) => name === 'notice.created')
    expect(new Set(created.map(({ ids }) => ids.noticeId))).toEqual(new Set(noticeIds))
    expect(warnings).toEqual([])
  })

  test('carries no event of an action that was rolled back', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    const undone = inTransaction(club.system, async (ctx) => {
      await emit(ctx, 'offer.made', { queueId: newId() }, [anna.memberId ?? ''])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.next('notice.read')
    expect(names(hers)).toEqual(['sync', 'notice.read'])
  })

  test('opens only for members, and only from our own pages', async () => {
    expect(await listen(edge.visitor())).toMatchObject({ status: 401, received: [] })
    const anna = await edge.signIn('anna')
    for (const origin of ['https://evil.example', 'null', 'http://app.localhost:3000']) {
      expect(await listen(anna, { origin })).toMatchObject({ status: 401, received: [] })
    }
    expect((await anna.send('HEAD', '/api/events')).status).toBe(404)
    const stream = await listen(anna, { origin: edge.config.origin, 'last-event-id': '99999999' })
    await stream.next('sync')
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-request-id': expect.any(String),
      },
    })
  })

  test('ends with its own login session, not with another', async () => {
    relay()
    const [here, there] = [await edge.signIn('anna'), await edge.signIn('anna')]
    const [mine, elsewhere] = [await listen(here), await listen(there)]
    expect((await here.post('/api/auth/sign-out')).status).toBe(200)
    await mine.ended
    expect(await listen(here)).toMatchObject({ status: 401 })
    // The event alone ends it as well. The row of this session remains, so the check would keep the stream.
    const third = await edge.signIn('anna')
    const word = await listen(third)
    await happens('session.ended', [third.memberId ?? ''], { sessionId: third.sessionId ?? '' })
    await word.ended
    expect(names(word)).toEqual(['sync', 'session.ended'])
    await happens('notice.read', [here.memberId ?? ''], {})
    await elsewhere.next('notice.read')
  })

  test('ends within seconds when its session ended without an event', async () => {
    const anna = await edge.signIn('anna')
    const stream = await listen(anna)
    await stream.next('sync')
    await club.system.db
      .deleteFrom('sessions')
      .where('id', '=', anna.sessionId ?? '')
      .execute()
    await stream.ended
    await eventually(() => expect(edge.live.count()).toBe(0))
  })

  test('closes when its member opens a sixth; streams of other members stay', async () => {
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const his = await listen(ben)
    const hers: StreamReader[] = []
    for (let count = 0; count < 6; count += 1) hers.push(await listen(anna))
    await hers[0]?.ended
    await eventually(() => expect(edge.live.count()).toBe(6))
    relay()
    await happens('notice.read', [anna.memberId ?? '', ben.memberId ?? ''], {})
    await Promise.all([his, ...hers.slice(1)].map((stream) => stream.next('notice.read')))
    expect(names(hers[0] as StreamReader)).toEqual(['sync'])
  })

  test('is refused when 50 are open from one address', async () => {
    const at = { 'x-test-address': '203.0.113.7' }
    for (let who = 0; who < 10; who += 1) {
      await club.newMember(`crowd_${who}`)
      const browser = await crowded.signIn(`crowd_${who}`)
      for (let count = 0; count < 5; count += 1) expect((await listen(browser, at)).status).toBe(200)
    }
    const anna = await crowded.signIn('anna')
    expect(await listen(anna, at)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    expect((await listen(anna, { 'x-test-address': '203.0.113.8' })).status).toBe(200)
    streams[0]?.close()
    await eventually(async () => expect((await listen(anna, at)).status).toBe(200))
  })

  test('that is not read is cut off and does not delay the others', async () => {
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const [stalled, his] = [await listen(anna), await listen(ben)]
    stalled.stall()
    const recipients = JSON.stringify([anna.memberId])
    // More than the machine's own buffers take: 21 MB.
    await sql`select count(pg_notify('live', '{"name":"notice.created","ids":{"noticeId":"' || n
        || repeat('x', 7000) || '"},"recipients":' || ${recipients} || '}'))
      from generate_series(1, 3000) n`.execute(club.system.db)
    await eventually(() => expect(edge.live.count()).toBe(1))
    relay()
    await happens('notice.read', [ben.memberId ?? ''], {})
    await his.next('notice.read')
  })
})

describe('when the database drops the connections', () => {
  test('every page receives a sync and then further events', async () => {
    relay()
    const [anna, ben] = [await edge.signIn('anna'), await other.signIn('ben')]
    const [hers, his] = [await listen(anna), await listen(ben)]
    await Promise.all([hers.next('sync'), his.next('sync')])
    await endConnections('evenhand-live')
    await Promise.all([hers.next('sync'), his.next('sync')])
    await endConnections('evenhand-relay')
    await happens('notice.read', [anna.memberId ?? '', ben.memberId ?? ''], {})
    await Promise.all([hers.next('notice.read'), his.next('notice.read')])
  })

  test('a message that is not one of ours is ignored', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await hers.next('sync')
    const recipients = [anna.memberId]
    const strangers = [
      { name: 'weather.changed', ids: {}, recipients },
      { name: 'offer.made', ids: {}, recipients },
      { name: 'offer.made', ids: { queueId: 1 }, recipients },
      { name: 'notice.read', ids: null, recipients },
      { name: 'notice.read', ids: {}, recipients: null },
      { name: 'notice.read', ids: {}, recipients: [1] },
    ].map((stranger) => JSON.stringify(stranger))
    for (const payload of ['', 'no json', 'null', '{}', ...strangers]) {
      await sql`select pg_notify('live', ${payload})`.execute(club.system.db)
    }
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.next('notice.read')
    expect(names(hers)).toEqual(['sync', 'notice.read'])
  })
})

describe('a relay', () => {
  test('forwards an event of any web process to all of them', async () => {
    relay()
    const [anna, again] = [await edge.signIn('anna'), await other.signIn('anna')]
    const both = [await listen(anna), await listen(again)]
    await Promise.all(both.map((stream) => stream.next('sync')))
    await anna.post('/api/notifications/read')
    await Promise.all(both.map((stream) => stream.next('notice.read')))
    await again.post('/api/notifications/read')
    await Promise.all(both.map((stream) => stream.next('notice.read')))
  })

  test('forwards an event of its own process at once and marks it as published', async () => {
    const handing = relay()
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await happens('notice.read', [anna.memberId ?? ''], {}, handing.handOver)
    await hers.next('notice.read')
    await eventually(async () => expect(await unpublished()).toBe(0))
  })

  test('leads alone; when it stops, another takes over and sends what happened in between', async () => {
    const first = relay()
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const [leader] = await leaders()
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await hers.next('sync')
    for (let count = 0; count < 5; count += 1) await happens('notice.read', [anna.memberId ?? ''], {})
    for (let count = 0; count < 5; count += 1) await hers.next('notice.read')
    expect(await leaders()).toEqual([leader])
    await first.stop()
    await happens('offer.made', [anna.memberId ?? ''], { queueId: newId() })
    await hers.next('offer.made')
    const now = await leaders()
    expect(now).toHaveLength(1)
    expect(now).not.toEqual([leader])
    await eventually(async () => expect(await unpublished()).toBe(0))
  })

  test('resigns when its query fails, and the events arrive later', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const [before] = await leaders()
    await sql`alter table events rename to events_away`.execute(club.system.db)
    // It resigns, so that a healthy relay could lead.
    await eventually(async () => expect(await leaders()).not.toContain(before))
    await sql`alter table events_away rename to events`.execute(club.system.db)
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.next('notice.read')
  })

  test('sends an event to all of its recipients, even to hundreds', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    const recipients = [...Array.from({ length: 700 }, () => newId()), anna.memberId ?? '']
    await happens('membership.changed', recipients, { memberId: newId() })
    await hers.next('membership.changed')
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.next('notice.read')
    expect(names(hers)).toEqual(['sync', 'membership.changed', 'notice.read'])
  })
})

async function unpublished() {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from events where published_at is null`.execute(club.system.db)
  return rows[0]?.n
}

test('a process that stops ends its streams and opens no more', async () => {
  const anna = await other.signIn('anna')
  const stream = await listen(anna)
  await other.live.stop()
  await stream.ended
  expect(await listen(anna)).toMatchObject({ status: 503 })
  expect(other.live.count()).toBe(0)
})
