// The live stream from the action to the page: through the events' table, the relay, the database's NOTIFY
// and a web process's sockets.
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser, Ear } from '#server/testing/browser.ts'
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
const ears: Ear[] = []
afterEach(async () => {
  for (const ear of ears.splice(0)) ear.close()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  // The server learns of both a moment later.
  await eventually(() => expect([edge, other, crowded].map(({ live }) => live.count())).toEqual([0, 0, 0]))
  await eventually(async () => expect(await leaders()).toEqual([]))
})

function relay() {
  const started = startRelay(club.connection, club.database, log)
  relays.push(started)
  return started
}

async function listen(browser: Browser, headers?: Record<string, string>) {
  const ear = await browser.listen(headers)
  ears.push(ear)
  return ear
}

/** Something happens, and these members are notified. */
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

const names = (ear: Ear) => ear.heard.map(({ name }) => name)

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
  test('begins with sync, then tells its member what is theirs to hear, and nobody else', async () => {
    relay()
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const [hers, his] = [await listen(anna), await listen(ben)]
    const [noticeId, productId] = [newId(), newId()]
    await happens('notice.created', [anna.memberId ?? ''], { noticeId })
    await happens('offer.made', [], { queueId: newId() })
    await happens('product.changed', [anna.memberId ?? '', ben.memberId ?? ''], { productId })
    await Promise.all([hers.hears('product.changed'), his.hears('product.changed')])
    expect(hers.heard).toEqual([
      { name: 'sync', ids: {} },
      { name: 'notice.created', ids: { noticeId } },
      { name: 'product.changed', ids: { productId } },
    ])
    expect(names(his)).toEqual(['sync', 'product.changed'])
  })

  test('tells what happens at once one after the other, since a connection is asked one thing at a time', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { handOver } = relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await happens('notice.read', [anna.memberId ?? ''], {}, handOver)
    await hers.hears('notice.read')
    const noticeIds = Array.from({ length: 20 }, newId)
    await Promise.all(
      noticeIds.map((noticeId) => happens('notice.created', [anna.memberId ?? ''], { noticeId }, handOver)),
    )
    for (const _ of noticeIds) await hers.hears('notice.created')
    const heard = hers.heard.filter(({ name }) => name === 'notice.created').map(({ ids }) => ids.noticeId)
    expect(new Set(heard)).toEqual(new Set(noticeIds))
    expect(warnings).toEqual([])
  })

  test('tells nothing of an action that was undone', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    const undone = inTransaction(club.system, async (ctx) => {
      await emit(ctx, 'offer.made', { queueId: newId() }, [anna.memberId ?? ''])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.hears('notice.read')
    expect(names(hers)).toEqual(['sync', 'notice.read'])
  })

  test('is a member’s, asked for from our own pages', async () => {
    expect(await listen(edge.visitor())).toMatchObject({ status: 401, heard: [] })
    const anna = await edge.signIn('anna')
    for (const origin of ['https://evil.example', 'null', 'http://app.localhost:3000']) {
      expect(await listen(anna, { origin })).toMatchObject({ status: 401, heard: [] })
    }
    expect((await anna.send('HEAD', '/api/events')).status).toBe(404)
    const ear = await listen(anna, { origin: edge.config.origin, 'last-event-id': '99999999' })
    await ear.hears('sync')
    expect(ear).toMatchObject({
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

  test('ends with its own login session, and not with another', async () => {
    relay()
    const [here, there] = [await edge.signIn('anna'), await edge.signIn('anna')]
    const [mine, elsewhere] = [await listen(here), await listen(there)]
    expect((await here.post('/api/auth/sign-out')).status).toBe(200)
    await mine.ended
    expect(await listen(here)).toMatchObject({ status: 401 })
    // The event alone ends it as well: this session still has its row, so the check would let it live.
    const third = await edge.signIn('anna')
    const word = await listen(third)
    await happens('session.ended', [third.memberId ?? ''], { sessionId: third.sessionId ?? '' })
    await word.ended
    expect(names(word)).toEqual(['sync', 'session.ended'])
    await happens('notice.read', [here.memberId ?? ''], {})
    await elsewhere.hears('notice.read')
  })

  test('ends within seconds of a session that went without a word', async () => {
    const anna = await edge.signIn('anna')
    const ear = await listen(anna)
    await ear.hears('sync')
    await club.system.db
      .deleteFrom('sessions')
      .where('id', '=', anna.sessionId ?? '')
      .execute()
    await ear.ended
    await eventually(() => expect(edge.live.count()).toBe(0))
  })

  test('makes way for the sixth of a member; those of others stay', async () => {
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const his = await listen(ben)
    const hers: Ear[] = []
    for (let count = 0; count < 6; count += 1) hers.push(await listen(anna))
    await hers[0]?.ended
    await eventually(() => expect(edge.live.count()).toBe(6))
    relay()
    await happens('notice.read', [anna.memberId ?? '', ben.memberId ?? ''], {})
    await Promise.all([his, ...hers.slice(1)].map((ear) => ear.hears('notice.read')))
    expect(names(hers[0] as Ear)).toEqual(['sync'])
  })

  test('is refused to the 51st that comes from one address', async () => {
    const at = { 'x-test-address': '203.0.113.7' }
    for (let who = 0; who < 10; who += 1) {
      await club.newMember(`crowd_${who}`)
      const browser = await crowded.signIn(`crowd_${who}`)
      for (let count = 0; count < 5; count += 1) expect((await listen(browser, at)).status).toBe(200)
    }
    const anna = await crowded.signIn('anna')
    expect(await listen(anna, at)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    expect((await listen(anna, { 'x-test-address': '203.0.113.8' })).status).toBe(200)
    ears[0]?.close()
    await eventually(async () => expect((await listen(anna, at)).status).toBe(200))
  })

  test('that is not read is cut, and holds up nobody', async () => {
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    const [stalled, his] = [await listen(anna), await listen(ben)]
    stalled.stall()
    const recipients = JSON.stringify([anna.memberId])
    // More than the machine's own buffers take: 21 MB.
    await sql`select count(pg_notify('live', '{"name":"notice.created","ids":{"noticeId":"' || n || repeat('x', 7000) || '"},"recipients":' || ${recipients} || '}'))
      from generate_series(1, 3000) n`.execute(club.system.db)
    await eventually(() => expect(edge.live.count()).toBe(1))
    relay()
    await happens('notice.read', [ben.memberId ?? ''], {})
    await his.hears('notice.read')
  })
})

describe('when the database drops the connections', () => {
  test('every page is asked to look again, and hears on', async () => {
    relay()
    const [anna, ben] = [await edge.signIn('anna'), await other.signIn('ben')]
    const [hers, his] = [await listen(anna), await listen(ben)]
    await Promise.all([hers.hears('sync'), his.hears('sync')])
    await endConnections('evenhand-live')
    await Promise.all([hers.hears('sync'), his.hears('sync')])
    await endConnections('evenhand-relay')
    await happens('notice.read', [anna.memberId ?? '', ben.memberId ?? ''], {})
    await Promise.all([hers.hears('notice.read'), his.hears('notice.read')])
  })

  test('a message that none of ours could have sent is passed over', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await hers.hears('sync')
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
    await hers.hears('notice.read')
    expect(names(hers)).toEqual(['sync', 'notice.read'])
  })
})

describe('a relay', () => {
  test('tells all web processes what happened in any of them', async () => {
    relay()
    const [anna, again] = [await edge.signIn('anna'), await other.signIn('anna')]
    const both = [await listen(anna), await listen(again)]
    await Promise.all(both.map((ear) => ear.hears('sync')))
    await anna.post('/api/notifications/read')
    await Promise.all(both.map((ear) => ear.hears('notice.read')))
    await again.post('/api/notifications/read')
    await Promise.all(both.map((ear) => ear.hears('notice.read')))
  })

  test('passes on at once what its own process hands over, and marks it as told', async () => {
    const handing = relay()
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await happens('notice.read', [anna.memberId ?? ''], {}, handing.handOver)
    await hers.hears('notice.read')
    await eventually(async () => expect(await untold()).toBe(0))
  })

  test('leads alone; another takes over when it is gone, and what happened between is told', async () => {
    const first = relay()
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const [leader] = await leaders()
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await hers.hears('sync')
    for (let count = 0; count < 5; count += 1) await happens('notice.read', [anna.memberId ?? ''], {})
    for (let count = 0; count < 5; count += 1) await hers.hears('notice.read')
    expect(await leaders()).toEqual([leader])
    await first.stop()
    await happens('offer.made', [anna.memberId ?? ''], { queueId: newId() })
    await hers.hears('offer.made')
    const now = await leaders()
    expect(now).toHaveLength(1)
    expect(now).not.toEqual([leader])
    await eventually(async () => expect(await untold()).toBe(0))
  })

  test('goes on leading after a query of its own has failed', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    await eventually(async () => expect(await leaders()).toHaveLength(1))
    const [before] = await leaders()
    await sql`alter table events rename to events_away`.execute(club.system.db)
    // It gives the lead back, so that a healthy one could take it.
    await eventually(async () => expect(await leaders()).not.toContain(before))
    await sql`alter table events_away rename to events`.execute(club.system.db)
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.hears('notice.read')
  })

  test('tells a thing that everybody hears, however many they are', async () => {
    relay()
    const anna = await edge.signIn('anna')
    const hers = await listen(anna)
    const everybody = [...Array.from({ length: 700 }, () => newId()), anna.memberId ?? '']
    await happens('membership.changed', everybody, { memberId: newId() })
    await hers.hears('membership.changed')
    await happens('notice.read', [anna.memberId ?? ''], {})
    await hers.hears('notice.read')
    expect(names(hers)).toEqual(['sync', 'membership.changed', 'notice.read'])
  })
})

async function untold() {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from events where published_at is null`.execute(club.system.db)
  return rows[0]?.n
}

test('a process that stops ends its streams, asks the pages to come back, and opens no more', async () => {
  const anna = await other.signIn('anna')
  const ear = await listen(anna)
  await other.live.stop()
  await ear.ended
  expect(await listen(anna)).toMatchObject({ status: 503 })
  expect(other.live.count()).toBe(0)
})
