// The lane of a marketplace says where its reviews go. A review that began in the public lane goes on as
// private feedback when its marketplace leaves that lane; it never has to be posted again.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Lane } from '#contract/products.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** In SQL: the lane of what began at `since` on the marketplace in this column. */
export function laneSince(marketplaceId: string, since: string): RawBuilder<Lane> {
  return sql<Lane>`(select case when k.lane = 'public' and exists (
      select from marketplace_versions v where v.marketplace_id = k.id and v.lane <> 'public'
        and v.replaced_at > ${sql.ref(since)}) then 'private' else k.lane end
    from marketplaces k where k.id = ${sql.ref(marketplaceId)})`
}

/**
 * The marketplaces that are open. None of them closes until the transaction ends, so a draw, an acceptance or
 * a request is either before a closing, which then finds it, or after it.
 */
export async function lockOpenMarketplaces(ctx: Ctx): Promise<string[]> {
  const open = await ctx.db
    .selectFrom('marketplaces')
    .select('id')
    .where('lane', '<>', 'closed')
    .orderBy('id')
    .forShare()
    .execute()
  return open.map(({ id }) => id)
}

/** Notifies those who write reviews there that these stay private from now on. */
export function notifyOfLane(ctx: Ctx, { id, version }: { id: string; version: number }) {
  return ctx.kit.jobs.send(ctx, 'notify-of-private-lane', { marketplaceId: id, version })
}
