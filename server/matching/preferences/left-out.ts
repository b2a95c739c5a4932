// What members leave out of their offers, by marks and by formats, and how much of the club that may be.
import { sql } from 'kysely'
import { unwantedLimits } from '#contract/matching-rules.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { takesPart } from '#server/membership/standings.ts'
import { canManage } from '#server/products/my-products.ts'

/** In SQL: whether the member in this column marked the product of the row `p` as not for them. */
export function isUnwanted(member: string) {
  return sql<boolean>`exists (select from unwanted_offers x where x.member_id = ${sql.ref(member)}
    and (x.listing_id = p.listing_id or x.category = p.category) and ${binds})`
}

/** In SQL: whether a mark, the row `x`, still counts. */
export const binds = sql`(x.ends_at is null or x.ends_at > clock_timestamp())`

/** In SQL: whether the member in this column said that they cannot use the format of the product row `p`. */
export function isUnusable(member: string) {
  return sql<boolean>`exists (select from unusable_formats x where x.member_id = ${sql.ref(member)}
    and x.category = p.category and x.format is not distinct from p.format)`
}

/**
 * Of so many live products, the newest, the share is taken, and five times as many are looked at to find
 * them: what a call reads doesn’t grow with the club.
 */
const mostLive = 2000

/**
 * Whether my marks and formats leave less of the other members' live products than the share that stays. Only
 * of members who take part, and of each as many as `unwantedLimits.ofSeller`, in the shares of all of theirs:
 * else a friend's made-up products would stay, and all others' could be left out.
 */
export async function leavesTooFew(ctx: MemberCtx): Promise<boolean> {
  const { rows } = await sql<{ live: number; left: number }>`
    select sum(p.counts) as live, sum(p.counts) filter (where not ${isUnwanted('me.member_id')}
      and not ${isUnusable('me.member_id')}) as left
    from (
      select *, least(1.0, ${sql.lit(unwantedLimits.ofSeller)}::numeric
        / count(*) over (partition by newest.seller_id))::float8 as counts
      from (
        select * from (
          select * from products p where p.deleted_at is null and p.archived_at is null
            and not ${canManage(ctx, 'p.seller_id')} order by p.id desc limit ${sql.lit(5 * mostLive)}
        ) p where ${takesPart('p.seller_id')} order by p.id desc limit ${sql.lit(mostLive)}
      ) newest
    ) p cross join (select ${ctx.who.id}::uuid as member_id) me`.execute(ctx.db)
  const { live, left } = rows[0] ?? {}
  // Sums of fractions are a little off.
  return (left ?? 0) < (live ?? 0) * unwantedLimits.shareLeft - 1e-9
}
