// Thousands of open streams: how long after its commit an event reaches them, one member's at a time and all
// members' at once, and whether each one does.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/kit/config.ts'
import { newId, systemCtx } from '#server/kit/ctx.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openLog } from '#server/kit/log.ts'
import { openStream } from '../http-client.ts'
import type { SignedIn } from './mixes.ts'

/** `delays`: milliseconds from the commit, for each stream that had to receive an event. */
export type Streamed = { what: string; asked: number; seconds: number; delays: number[]; lost: number }

type Club = { connection: PgConnection; config: Config; people: SignedIn[]; port: number }
type Wanted = { streams: number; seconds: number; perSecond: number }

const openedAtOnce = 16
/** After so long an event counts as lost. */
const lostMs = 5000

/**
 * Opens streams of members, notifies single ones at this rate, and then all of them at once. `whileOpen` runs
 * before they are closed. The events are committed by this process, which hands none to the relay.
 */
export async function measureStreams<Result>(
  { connection, config, people, port }: Club,
  { streams, seconds, perSecond }: Wanted,
  whileOpen: (count: number) => Promise<Result>,
): Promise<{ rows: Streamed[]; result: Result }> {
  const arrivals = new Map<string, number[]>()
  const opened: { memberId: string; close(): void }[] = []
  const waiting = Array.from({ length: streams }, (_, nth) => people[nth % people.length] as SignedIn)
  const onText = (text: string) => {
    for (const [, noticeId = ''] of text.matchAll(/"noticeId":"([^"]+)"/g))
      arrivals.get(noticeId)?.push(performance.now())
  }
  async function openNext() {
    for (let one = waiting.pop(); one; one = waiting.pop())
      opened.push({ memberId: one.memberId, ...(await openStream(port, '/api/events', one.cookie, onText)) })
  }
  await Promise.allSettled(Array.from({ length: openedAtOnce }, openNext))
  const streamsOf = Map.groupBy(opened, ({ memberId }) => memberId)
  const log = openLog('bench', 'warn')
  const database = openDatabase(connection, { name: 'bench-streams', log, max: 4 })
  const jobs = { send: async () => {}, stop: async () => {} }
  const ctx = systemCtx({ db: database.db, jobs, files: openFiles(config), reactions: [] }, config, log)
  try {
    const result = await whileOpen(opened.length)
    const members = [...streamsOf.keys()]
    const single = await notifyEach(ctx, arrivals, { members, count: seconds * perSecond, perSecond })
    const all = await notifyAll(ctx, arrivals, members)
    const rows = [
      row(
        `events to one member of ${opened.length.toLocaleString('en')} streams`,
        single,
        perSecond,
        seconds,
      ),
      row('one event to all of them', [all], members.length, 1),
    ]
    return { rows, result }
  } finally {
    for (const stream of opened) stream.close()
    await database.close()
  }

  function row(what: string, sent: Sent[], asked: number, ofSeconds: number): Streamed {
    const delays = sent.flatMap(({ noticeId, at }) =>
      (arrivals.get(noticeId) ?? []).map((moment) => Math.max(0, moment - at)),
    )
    const expected = sent.reduce(
      (sum, { members }) => sum + members.reduce((all, id) => all + (streamsOf.get(id)?.length ?? 0), 0),
      0,
    )
    return { what, asked, seconds: ofSeconds, delays, lost: expected - delays.length }
  }
}

/** An event, whom it went to, and when its commit was acknowledged. */
type Sent = { noticeId: string; members: string[]; at: number }
type Arrivals = Map<string, number[]>

async function notify(ctx: Ctx, arrivals: Arrivals, members: string[]): Promise<Sent> {
  const noticeId = newId()
  arrivals.set(noticeId, [])
  await inTransaction(ctx, (ctx) => emit(ctx, 'notice.created', { noticeId }, members))
  return { noticeId, members, at: performance.now() }
}

async function notifyEach(
  ctx: Ctx,
  arrivals: Arrivals,
  { members, count, perSecond }: { members: string[]; count: number; perSecond: number },
) {
  const sent: Promise<Sent>[] = []
  for (let nth = 0; nth < count; nth += 1) {
    sent.push(notify(ctx, arrivals, [members[(nth * 7919) % members.length] ?? '']))
    await sleep(1000 / perSecond)
  }
  await sleep(lostMs)
  return Promise.all(sent)
}

async function notifyAll(ctx: Ctx, arrivals: Arrivals, members: string[]) {
  const sent = await notify(ctx, arrivals, members)
  await sleep(lostMs)
  return sent
}
