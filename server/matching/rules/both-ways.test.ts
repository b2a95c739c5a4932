// Within one pass no two members review for each other, and as many requests are served as that allows, over
// any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { phases } from '../candidates.ts'
import { matchRequests, runPass } from '../pass.ts'
import { addProductOf, askForReview, newMembers, present } from '../testing.ts'

const club = useClub()
const size = 5
/** In days, while these histories are tried. */
const windows = { same: 20, reverse: 45 }

type Meeting = { reviewer: number; of: number; days: number }
type Edge = { seller: number; member: number }

test('no two are drawn for each other in a pass, which serves as many requests as that allows', async () => {
  const { db } = club.system
  await sql`update reviewer_states set available_at = 'infinity', tier = 9`.execute(db)
  await sql`update rotation_figures set pair_window_days = ${windows.same},
    reverse_window_days = ${windows.reverse}`.execute(db)
  const members = await newMembers(club, size)
  const ids = members.map(({ who }) => who.id)
  for (const member of members) await askForReview(member, await addProductOf(member, newId()))

  const someone = fc.nat({ max: size - 1 })
  const history = fc.record({
    here: fc.uniqueArray(someone, { minLength: 2, maxLength: size }),
    asking: fc.uniqueArray(someone, { minLength: 2, maxLength: size }),
    met: fc.uniqueArray(
      fc.record({ reviewer: someone, of: someone, days: fc.constantFrom(1, 19, 21, 44, 46) }),
      { maxLength: 8, selector: ({ reviewer, of }) => 2 ** reviewer + 2 ** of },
    ),
  })
  const property = fc.asyncProperty(history, ({ here, asking, met }) =>
    undone(club.system, async (ctx) => {
      const edges = asking.flatMap((seller) =>
        here.filter((member) => mayMeet({ seller, member }, met)).map((member) => ({ seller, member })),
      )
      for (const one of met) if (one.reviewer !== one.of) await meet(ctx, one)
      await sql`update review_queue set status = 'held'
        where seller_id <> all(${asking.map((at) => ids[at])}::uuid[])`.execute(ctx.db)
      await present(...here.map((at) => members[at]!))
      const { matched } = await runPass(ctx, { phase: phases.present, batch: 2 * size })
      const offers = await openOffers(ctx)
      const backwards = offers.filter(({ seller, member }) =>
        offers.some((other) => other.seller === member && other.member === seller),
      )
      expect(backwards).toEqual([])
      for (const offer of offers) expect(edges).toContainEqual(offer)
      expect({ matched, offers: offers.length }).toEqual({ matched: most(edges), offers: most(edges) })
      expect(await matchRequests(ctx)).toBe(0)
    }),
  )
  const everyone = [0, 1, 2, 3, 4]
  const others = [2, 3, 4]
  const metOthers = [0, 1].flatMap((of) => others.map((reviewer) => ({ reviewer, of, days: 1 })))
  await fc.assert(property, {
    numRuns: 40,
    examples: [
      [{ here: [0, 1], asking: [0, 1], met: [] }],
      [{ here: everyone, asking: everyone, met: [] }],
      // The first two may meet no one else.
      [{ here: everyone, asking: everyone, met: metOthers }],
    ],
  })

  async function meet(ctx: Ctx, { reviewer, of, days }: Meeting) {
    const [one, other] = [ids[reviewer], ids[of]]
    await sql`insert into pair_uses (lo, hi, held, last_at, last_reviewer_id)
      values (least(${one}::uuid, ${other}::uuid), greatest(${one}::uuid, ${other}::uuid), false,
        clock_timestamp() - make_interval(days => ${days}), ${one})`.execute(ctx.db)
  }

  async function openOffers(ctx: Ctx): Promise<Edge[]> {
    const rows = await ctx.db
      .selectFrom('offers')
      .select(['sellerId', 'reviewerId'])
      .where('state', '=', 'open')
      .execute()
    return rows.map(({ sellerId, reviewerId }) => ({
      seller: ids.indexOf(sellerId),
      member: ids.indexOf(reviewerId),
    }))
  }
})

function mayMeet({ seller, member }: Edge, met: Meeting[]) {
  return (
    seller !== member &&
    met.every(({ reviewer, of, days }) => {
      if (reviewer === member && of === seller) return days >= windows.same
      if (reviewer === seller && of === member) return days >= windows.reverse
      return true
    })
  )
}

/** The most of these that can be chosen, each seller and member once, and no two members both ways. */
function most(edges: Edge[]): number {
  const [edge, ...others] = edges
  if (!edge) return 0
  const { seller, member } = edge
  const beside = others.filter(
    (other) =>
      other.seller !== seller &&
      other.member !== member &&
      !(other.seller === member && other.member === seller),
  )
  return Math.max(1 + most(beside), most(others))
}
