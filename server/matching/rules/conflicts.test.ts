// Whom a member stated a conflict with, over any history of declines: the two meet in neither direction, and
// no one states more of them than the club allows.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { readMost } from '#server/organization/limits.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { rememberReason } from '../exclusions/exclusions.ts'
import { matchRequests } from '../pass.ts'
import { cancelRequest } from '../requests.ts'
import { addProductOf, askForReview, newMembers, offeredTo, present } from '../testing.ts'
import { setScene, writeOffer } from './testing.ts'

const club = useClub()

/** `own`: the member states that they own the product. */
const reasons = { conflict: 'conflict', own: 'already_own', busy: 'busy' } as const satisfies Record<
  string,
  DeclineReason
>

test('a stated conflict keeps two apart both ways; beyond the most only the listing stays away', async () => {
  const scene = await setScene(club)
  const { member } = scene
  const sellers = await newMembers(club, (await readMost(club.system)) + 2)
  const listed: { seller: MemberCtx; product: string; request: string }[] = []
  for (const seller of sellers) {
    const product = await addProductOf(seller, newId())
    const { id } = await askForReview(seller, product)
    await cancelRequest(seller, id)
    listed.push({ seller, product, request: id })
  }
  const mine = await addProductOf(member, newId())
  const most = await readMost(club.system)
  const decline = fc.record({
    by: fc.nat({ max: sellers.length - 1 }),
    reason: fc.constantFrom(...(Object.keys(reasons) as (keyof typeof reasons)[])),
  })
  const property = fc.asyncProperty(
    fc.array(decline, { maxLength: most + 3 }),
    fc.nat({ max: sellers.length - 1 }),
    (declines, asked) =>
      undone(club.system, async (ctx) => {
        const apart = new Set<number>()
        const keptAway = new Set<number>()
        for (const { by, reason } of declines) {
          const { seller, request } = listed[by]!
          // So long ago that the decline itself keeps nothing away any more.
          const id = await writeOffer(ctx, scene, { of: request, state: 'declined', hours: 100 })
          await rememberReason(member, { id, sellerId: seller.who.id }, reasons[reason])
          if (reason === 'conflict' && apart.size < most) apart.add(by)
          else if (reason !== 'busy') keptAway.add(by)
        }
        const { seller, product } = listed[asked]!
        const meets = !apart.has(asked)
        expect(await isOffered(ctx, { seller, product, to: member })).toBe(meets && !keptAway.has(asked))
        const another = await addProductOf(seller, newId())
        expect(await isOffered(ctx, { seller, product: another, to: member })).toBe(meets)
        expect(await isOffered(ctx, { seller: member, product: mine, to: seller })).toBe(meets)
      }),
  )
  const conflicts = sellers.map((_, by) => ({ by, reason: 'conflict' as const })).slice(0, most + 1)
  await fc.assert(property, { numRuns: 25, examples: [[conflicts, most]] })
})

type Meeting = { seller: MemberCtx; product: string; to: MemberCtx }

/** Whether the draw offers the product to this member when no one else could be asked; leaves no trace. */
async function isOffered(ctx: Ctx, { seller, product, to }: Meeting): Promise<boolean> {
  let offered = false
  await undone(ctx, async (ctx) => {
    await askForReview(seller, product)
    await sql`update reviewer_states set here_until = null, tier = 9, available_at = 'infinity'
      where member_id <> ${to.who.id}`.execute(ctx.db)
    await sql`update reviewer_states set available_at = '-infinity' where member_id = ${to.who.id}`.execute(
      ctx.db,
    )
    await present(to)
    await matchRequests(club.system)
    offered = (await offeredTo(to))?.productId === product
  })
  return offered
}
