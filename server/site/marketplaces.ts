// The list of marketplaces as anybody may read it before joining: which there are, and on which sentence of whose policy the club relies.
import { sql } from 'kysely'
import type { ListedMarketplace } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** Every listed marketplace by name, closed ones too. */
export async function listMarketplacesPublicly(ctx: Ctx): Promise<ListedMarketplace[]> {
  const { rows } = await sql<ListedMarketplace>`
    select name, host, lane, policy_url, policy_sentence, read_on::text as read_on, coupon_prices
    from marketplaces order by name collate "C"`.execute(ctx.db)
  return rows
}
