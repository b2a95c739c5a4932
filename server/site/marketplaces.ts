// The list of marketplaces that anyone may read before joining: each with the sentence of its policy that the
// club relies on.
import { sql } from 'kysely'
import type { ListedMarketplace } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** Every listed marketplace, ordered by name. Closed ones are included. */
export async function listMarketplacesPublicly(ctx: Ctx): Promise<ListedMarketplace[]> {
  const { rows } = await sql<ListedMarketplace>`
    select name, host, lane, policy_url, policy_sentence, read_on::text as read_on, coupon_prices
    from marketplaces order by name collate "C"`.execute(ctx.db)
  return rows
}
