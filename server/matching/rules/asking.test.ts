// What asking again gets: the ticket that was drawn before, and no more reviews than a listing may have.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { productExposure } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { takeTicket } from '../lottery.ts'
import { cancelRequest, requestReview } from '../requests.ts'
import { addProductOf, answerOf, askForReview, newMembers } from '../testing.ts'
import { setScene } from './testing.ts'

const club = useClub()

test('a listing is asked for again as soon as fewer than ten of its reviews are of 90 days', async () => {
  const scene = await setScene(club)
  const { reviews, days } = productExposure
  const reviewers = await newMembers(club, reviews + 2)
  const daysAgo = fc.oneof(
    fc.integer({ min: 0, max: days - 1 }),
    fc.constantFrom(days - 1, days, days + 1),
    fc.integer({ min: days, max: 3 * days }),
  )
  const history = fc.array(daysAgo, { minLength: reviews - 2, maxLength: reviewers.length })
  const property = fc.asyncProperty(history, (completed) =>
    undone(club.system, async (ctx) => {
      for (const [at, daysAgo] of completed.entries()) {
        await writeCompleted(ctx, reviewers[at]!.who.id, daysAgo)
      }
      const counted = completed.filter((daysAgo) => daysAgo < days)
      const answer = await answerOf(askForReview(scene.seller, scene.product))
      if (counted.length < reviews) expect(answer).toEqual({ code: 'taken' })
      else expect(answer.code).toBe('EXPOSURE_REACHED')
      if (counted.length !== reviews) return
      const wait = (Date.parse(String(answer.at)) - Date.now()) / 86_400_000
      expect(wait).toBeCloseTo(days - Math.max(...counted), 1)
    }),
  )
  const nine = Array.from({ length: reviews - 1 }, () => 1)
  const examples: [number[]][] = [[[...nine, days - 1]], [[...nine, days]], [nine]]
  await fc.assert(property, { numRuns: examples.length + 15, examples })

  function writeCompleted(ctx: Ctx, reviewerId: string, daysAgo: number) {
    const at = sql`clock_timestamp() - make_interval(days => ${daysAgo})`
    return sql`insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at,
        offered_to, reviewer_id, accepted_at, completed_at, lottery_day, lottery_ticket, lottery_nonce,
        lottery_commit, lottery_key)
      select ${newId()}, product_id, listing_id, seller_id, 'completed', ${at}, ${at}, ${reviewerId},
        ${reviewerId}, ${at}, ${at}, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key
      from review_queue where id = ${scene.former.request}`.execute(ctx.db)
  }
})

type Asked = { product: number; ticket: string; status: 'open' | 'cancelled' | 'completed'; today: boolean }

test('who asks again gets no other ticket that day, for the same listing or after canceling', async () => {
  const scene = await setScene(club)
  const { seller, member } = scene
  const products = [scene.product, await addProductOf(seller, newId()), await addProductOf(seller, newId())]
  const step = fc.record({
    how: fc.constantFrom<('asks' | 'cancels' | 'completes' | 'next day')[]>(
      'asks',
      'asks',
      'cancels',
      'cancels',
      'completes',
      'next day',
    ),
    product: fc.nat({ max: products.length - 1 }),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) =>
    undone(club.system, async (ctx) => {
      await sql`update reviewer_states set balance = 20 where member_id = ${seller.who.id}`.execute(ctx.db)
      // The requests of the scene are of another day.
      await sql`update review_queue set created_at = created_at - interval '2 days',
        prio_at = prio_at - interval '2 days', closed_at = closed_at - interval '2 days'`.execute(ctx.db)
      await passDay(ctx)
      const asked: Asked[] = []
      for (const { how, product } of steps) {
        const open = asked.find((one) => one.product === product && one.status === 'open')
        if (how === 'next day') {
          await passDay(ctx)
          for (const one of asked) one.today = false
        }
        if (how === 'cancels' && open) {
          await cancelRequest(seller, await idOf(ctx, products[product]!))
          // Long ago, so that what was asked on another day makes its seller wait no more.
          await sql`update review_queue set created_at = created_at - interval '2 days',
              prio_at = prio_at - interval '2 days', closed_at = closed_at - interval '2 days'
            where status = 'cancelled' and closed_at > clock_timestamp() - interval '1 day'`.execute(ctx.db)
          open.status = 'cancelled'
        }
        if (how === 'completes' && open) {
          await complete(ctx, products[product]!)
          open.status = 'completed'
        }
        if (how === 'asks' && !open) asked.push(await ask(ctx, asked, product))
      }
    }),
  )
  // Two listings with a ticket each, both cancelled: the second keeps its own, which chance rarely tries.
  const ownTicket = (['asks', 'cancels'] as const).flatMap((how) =>
    [0, 1].map((product) => ({ how, product })),
  )
  const examples: [typeof ownTicket][] = [[[...ownTicket, { how: 'asks', product: 1 }]]]
  await fc.assert(property, { numRuns: 25, examples })

  async function ask(ctx: Ctx, asked: Asked[], product: number): Promise<Asked> {
    const productId = products[product]!
    const kept = keptFor(asked, product)
    const taken = await takeTicket(seller, productId)
    expect(await takeTicket(seller, productId)).toEqual(taken)
    if (kept === null) expect(asked.map(({ ticket }) => ticket)).not.toContain(taken.ticket)
    else expect(taken.ticket).toBe(kept)
    expect(taken.keptNonce === null).toBe(kept === null)
    for (const other of asked.map(({ ticket }) => ticket).filter((ticket) => ticket !== taken.ticket)) {
      const answer = await answerOf(requestReview(seller, { productId, ticket: other, nonce: newNonce() }))
      expect(answer.code).toBe('TICKET_EXPIRED')
    }
    await requestReview(seller, { productId, ticket: taken.ticket, nonce: newNonce() })
    const { lotteryTicket, lotteryNonce } = await ctx.db
      .selectFrom('reviewQueue')
      .select(['lotteryTicket', 'lotteryNonce'])
      .where('id', '=', await idOf(ctx, productId))
      .executeTakeFirstOrThrow()
    expect(String(lotteryTicket)).toBe(taken.ticket)
    if (taken.keptNonce !== null) expect(lotteryNonce.toString('hex')).toBe(taken.keptNonce)
    return { product, ticket: taken.ticket, status: 'open', today: true }
  }

  /** The listing's last ticket of today unless it was completed, else the first that only was cancelled. */
  function keptFor(asked: Asked[], product: number): string | null {
    const byTicket = asked.toSorted((one, other) => Number(one.ticket) - Number(other.ticket))
    const last = byTicket.findLast((one) => one.product === product)
    const lastTime = last && asked.findLast((one) => one.product === product && one.ticket === last.ticket)
    if (lastTime?.today && lastTime.status !== 'completed') return lastTime.ticket
    const unused = byTicket.find(
      ({ ticket, today }) =>
        today && asked.every((one) => one.ticket !== ticket || one.status === 'cancelled'),
    )
    return unused?.ticket ?? null
  }

  async function idOf(ctx: Ctx, productId: string) {
    const { id } = await ctx.db
      .selectFrom('reviewQueue')
      .select('id')
      .where('productId', '=', productId)
      .where('status', '=', 'queued')
      .executeTakeFirstOrThrow()
    return id
  }

  async function complete(ctx: Ctx, productId: string) {
    // Each completed request of a listing has another reviewer.
    const reviewer = await club.newMember(`by-${newId().slice(-12)}`)
    await sql`update review_queue set status = 'completed', offered_to = ${reviewer.who.id},
        reviewer_id = ${reviewer.who.id}, accepted_at = clock_timestamp(), completed_at = clock_timestamp()
      where product_id = ${productId} and status = 'queued'`.execute(ctx.db)
    await sql`update reviewer_states set available_at = 'infinity', last_seen_at = null, tier = 9
      where member_id not in (${member.who.id}, ${scene.steady.who.id}, ${seller.who.id})`.execute(ctx.db)
  }

  async function passDay(ctx: Ctx) {
    await sql`update review_queue set lottery_day = lottery_day - 1`.execute(ctx.db)
    await sql`update taken_tickets set day = day - 1`.execute(ctx.db)
  }
})

const newNonce = () => newId().replaceAll('-', '')
