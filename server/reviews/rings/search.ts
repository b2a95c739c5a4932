// The daily search for rings. It keeps what it finds for staff; no rule, draw or sanction reads it.
import { sql } from 'kysely'
import { ringSearch } from '#contract/reviews.ts'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, today, withLongStatements } from '#server/kit/db/db.ts'
import { findRings } from './rings.ts'
import type { Flow, Ring } from './rings.ts'

/**
 * Searches the final reviews of the last 90 days for rings of three and four members, and keeps those that
 * chance does not explain. A repeated run on one day replaces its counts.
 */
export async function searchRings(ctx: Ctx): Promise<void> {
  const flows = await withLongStatements(ctx, readFlows)
  const members = new Set(flows.flatMap(({ from, to }) => [from, to])).size
  const reviews = flows.reduce((sum, flow) => sum + flow.reviews, 0)
  await inTransaction(ctx, async (ctx) => {
    for (const length of ringSearch.lengths) {
      const { circles, byChance, rings } = findRings(flows, length, { below: ringSearch.byChanceBelow })
      await sql`
        insert into ring_searches (day, length, members, reviews, circles, by_chance)
        values (${today}, ${length}, ${members}, ${reviews}, ${circles}, ${byChance})
        on conflict (day, length) do update set members = excluded.members, reviews = excluded.reviews,
          circles = excluded.circles, by_chance = excluded.by_chance`.execute(ctx.db)
      await keepRings(ctx, rings)
      ctx.log.info(
        { length, members, reviews, circles, byChance, rings: rings.length },
        'rings were searched',
      )
    }
    await deleteOldRings(ctx)
  })
}

/** Who reviewed whom, and how often. Erased members are left out: they are no one any more. */
async function readFlows(ctx: Ctx): Promise<Flow[]> {
  const { rows } = await sql<Flow>`
    select r.reviewer_id as "from", r.seller_id as "to", count(*)::int as reviews
    from reviews r
    join members giver on giver.id = r.reviewer_id and giver.erased_at is null
    join members receiver on receiver.id = r.seller_id and receiver.erased_at is null
    where r.status = 'verified'
      and r.verified_at > clock_timestamp() - make_interval(days => ${ringSearch.days})
    group by r.reviewer_id, r.seller_id`.execute(ctx.db)
  return rows
}

async function keepRings(ctx: Ctx, rings: Ring[]) {
  for (const { members, reviews, byChance } of rings) {
    await sql`
      insert into rings (id, members, reviews, by_chance)
      values (${newId()}, ${members}::uuid[], ${reviews}, ${byChance})
      on conflict (members) do update set reviews = excluded.reviews, by_chance = excluded.by_chance,
        last_found_at = clock_timestamp()`.execute(ctx.db)
  }
}

async function deleteOldRings(ctx: Ctx) {
  const old = sql`clock_timestamp() - make_interval(days => ${retention.ringDays})`
  await sql`delete from rings where last_found_at < ${old}`.execute(ctx.db)
  await sql`delete from ring_searches where day < ((${old}) at time zone 'UTC')::date`.execute(ctx.db)
}

/** Deletes the rings of a member whose account is erased. */
export async function deleteRingsOf(ctx: Ctx, memberId: string) {
  await sql`delete from rings where ${memberId}::uuid = any(members)`.execute(ctx.db)
}
