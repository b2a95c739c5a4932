// When a request that waited for its seller is drawn again, over any history: at a moment that no one knows.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { resumeHours, takenBackHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { listProducts } from '#server/products/reads.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { withdrawWaiting, withdrawForDeclaration } from '../endings.ts'
import { explainWait } from '../explain/own-wait.ts'
import { holdAtLimit } from '../limits/received.ts'
import { waitAtLeast } from '../limits/resuming.ts'
import { matchRequests } from '../pass.ts'
import { cancelRequest } from '../requests.ts'
import { whyNotAsk } from '../reads.ts'
import { refreshStanding } from '../standing.ts'
import { addProductOf, askForReview, letMomentsCome, offeredTo, present } from '../testing.ts'
import { receive, setScene, writeStanding } from './testing.ts'
import type { Scene } from './testing.ts'

const club = useClub()
const hourMs = 3_600_000

/** What the request waits for: `suspension` stands for any time in which its seller does not take part. */
const reasons = ['pause', 'suspension', 'limit', 'declaration', 'declared by another'] as const

test('a request that waited is drawn within two hours after, at a moment that no one is shown', async () => {
  const scene = await setScene(club)
  const { member, steady, seller, product } = scene
  const history = fc.record({
    /** Whether a member is being asked when the first of it begins. */
    asked: fc.boolean(),
    steps: fc.array(fc.constantFrom(...reasons), { minLength: 1, maxLength: 3 }),
  })
  const shares: number[] = []
  const property = fc.asyncProperty(history, ({ asked, steps }) =>
    undone(club.system, async (ctx) => {
      const { id } = await askForReview(seller, product)
      await present(member)
      if (asked) await matchRequests(ctx)
      expect((await offeredTo(member)) !== undefined).toBe(asked)
      let latest = -Infinity
      for (const [at, step] of steps.entries()) {
        const until = await wait(ctx, scene, { step, asked: asked && at === 0 })
        latest = Math.max(latest, until)
        await present(member, steady)
      }
      const request = await read(ctx, id)
      const waits = latest > -Infinity
      expect(request).toMatchObject({ status: 'queued', resumesBy: waits ? expect.any(String) : null })
      // A moment that is over by now is drawn at random as well.
      await sql`update review_queue set waits_until = greatest(waits_until, clock_timestamp()
        + interval '1 minute') where id = ${id} and resumes_by is not null`.execute(ctx.db)
      await matchRequests(ctx)
      expect((await read(ctx, id)).status).toBe(waits ? 'queued' : 'offered')
      if (!waits) return
      const [moment, by] = [Date.parse(request.waitsUntil), Date.parse(request.resumesBy ?? '')]
      expect(by / hourMs).toBeCloseTo(latest / hourMs + resumeHours, 1)
      expect(moment).toBeLessThanOrEqual(by)
      expect(moment).toBeGreaterThan(by - resumeHours * hourMs - 1)
      shares.push((by - moment) / (resumeHours * hourMs))
      const shown = await explainWait(seller, id)
      expect(shown).toMatchObject({ heldBy: expect.any(String) })
      expect(Date.parse(shown.heldUntil ?? '')).toBe(by)
      expect(JSON.stringify(shown)).not.toContain(request.waitsUntil)
      await letMomentsCome(ctx)
      await matchRequests(ctx)
      expect((await read(ctx, id)).status).toBe('offered')
    }),
  )
  const examples = reasons.flatMap((step) =>
    [true, false].map((asked): [{ asked: boolean; steps: (typeof reasons)[number][] }] => [
      { asked, steps: [step] },
    ]),
  )
  examples.push([{ asked: false, steps: ['limit', 'limit', 'limit'] }])
  await fc.assert(property, { numRuns: examples.length + 12, examples })
  // One moment in the two hours is as likely as another.
  expect(new Set(shares).size).toBe(shares.length)
  expect(Math.min(...shares)).toBeLessThan(0.5)
  expect(Math.max(...shares)).toBeGreaterThan(0.5)
})

test('each request of a seller has a moment of its own, and an earlier reason changes none', async () => {
  const { seller, product } = await setScene(club)
  const other = await addProductOf(seller, newId())
  await sql`update reviewer_states set balance = 2 where member_id = ${seller.who.id}`.execute(club.system.db)
  const requests = [await askForReview(seller, product), await askForReview(seller, other)]
  await leave(club.system, seller.who.id, 'pause')
  const moments = async () => Promise.all(requests.map(({ id }) => read(club.system, id)))
  const [first, second] = await moments()
  expect(first?.waitsUntil).not.toBe(second?.waitsUntil)
  for (const { id } of requests)
    await waitAtLeast(club.system, id, sql`clock_timestamp() - interval '1 hour'`)
  expect(await moments()).toEqual([first, second])
  for (const { id } of requests) await cancelRequest(seller, id)
  await sql`update reviewer_states set balance = 0 where member_id = ${seller.who.id}`.execute(club.system.db)
})

test('a moment that was written without random hours is waited for, and the product says so', async () => {
  const { seller, product } = await setScene(club)
  const { id } = await askForReview(seller, product)
  for (const resumesBy of [null, '2026-01-01T00:00:00Z']) {
    await sql`update review_queue set waits_until = clock_timestamp() + interval '20 hours',
      resumes_by = ${resumesBy} where id = ${id}`.execute(club.system.db)
    const { waitsUntil } = await read(club.system, id)
    expect(await explainWait(seller, id)).toMatchObject({ heldBy: 'resumes_soon', heldUntil: waitsUntil })
    const [card] = await listProducts(seller, whyNotAsk)
    expect(card?.request).toMatchObject({ id, status: 'held' })
    await leave(club.system, seller.who.id, 'pause')
    expect((await read(club.system, id)).waitsUntil).toBe(waitsUntil)
  }
})

test('a seller who paused while a member was asked reads when the pause lets it resume', async () => {
  const { member, seller, product } = await setScene(club)
  const { id } = await askForReview(seller, product)
  await present(member)
  await matchRequests(club.system)
  await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
    paused_until = clock_timestamp() + interval '29 days' where member_id = ${seller.who.id}`.execute(
    club.system.db,
  )
  await refreshStanding(club.system, seller.who.id)
  const { heldBy, heldUntil } = await explainWait(seller, id)
  expect(heldBy).toBe('seller_paused')
  expect((Date.parse(heldUntil ?? '') - Date.now()) / hourMs).toBeCloseTo(29 * 24 + resumeHours, 1)
  await sql`update memberships set paused_from = null, paused_until = null
    where member_id = ${seller.who.id}`.execute(club.system.db)
  await refreshStanding(club.system, seller.who.id)
  expect(await explainWait(seller, id)).toMatchObject({ heldBy: 'taken_back' })
})

function read({ db }: Ctx, id: string) {
  return db
    .selectFrom('reviewQueue')
    .select(['status', 'waitsUntil', 'resumesBy'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

type Waiting = { step: (typeof reasons)[number]; asked: boolean }

/** Lets the seller's request wait for this, and end it. Returns until when it waits at least. */
async function wait(ctx: Ctx, scene: Scene, { step, asked }: Waiting): Promise<number> {
  const { id } = scene.seller.who
  const now = async () => Date.parse(await databaseNow(ctx))
  if (step === 'limit') {
    await receive(ctx, scene, 3)
    await holdAtLimit(ctx, id)
    await withdrawWaiting(ctx)
    // With the eighth of the week, it is a week from the first.
    const { rows } = await sql<{ at: string }>`select case when count(*) >= 8
        then clock_timestamp() + interval '168 hours'
        else date_trunc('day', clock_timestamp(), 'UTC') + interval '24 hours' end as at
      from reviews where seller_id = ${id}`.execute(ctx.db)
    return Date.parse(rows[0]?.at ?? '')
  }
  if (step === 'declared by another') {
    const declarer = scene.other.who.id
    await withdrawForDeclaration(ctx, { declarerId: declarer, namedIds: [id] })
    return asked ? now() : -Infinity
  }
  const tookBack = asked ? (await now()) + takenBackHours * hourMs : -Infinity
  if (step === 'declaration') {
    await withdrawForDeclaration(ctx, { declarerId: id, namedIds: [] })
    return tookBack
  }
  await leave(ctx, id, step)
  return Math.max(tookBack, await now())
}

/** The seller stops to take part for a moment. */
async function leave(ctx: Ctx, id: string, how: 'pause' | 'suspension') {
  await writeStanding(ctx, id, { standing: how === 'pause' ? 'paused' : 'suspended' })
  await refreshStanding(ctx, id)
  await sql`update memberships set paused_from = null, paused_until = null
    where member_id = ${id}`.execute(ctx.db)
  await sql`update members set suspended_at = null where id = ${id}`.execute(ctx.db)
  await refreshStanding(ctx, id)
}
