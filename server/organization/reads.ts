import { sql } from 'kysely'
import type { Declaration, Household, Shop } from '#contract/organization.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { readLimit } from './limits.ts'

const mostHouseholds = 50
const binds = sql`(d.ends_at is null or d.ends_at > clock_timestamp())`

/**
 * My shops, what I declared, and who named me as household or team. Conflicts and competitors that others
 * declared are in no answer to a member.
 */
export async function getOrganization(ctx: MemberCtx) {
  const me = ctx.who.id
  const shops = await sql<Shop>`
    select s.id, s.name, s.address, k.name as marketplace_name
    from shops s join marketplaces k on k.id = s.marketplace_id
    where s.member_id = ${me} order by k.name collate "C"`.execute(ctx.db)
  const declarations = await sql<Declaration>`
    select d.id, d.kind, d.named_as, d.created_at, d.ends_at, d.answer from declarations d
    where d.member_id = ${me} and ${binds} order by d.created_at desc, d.id desc`.execute(ctx.db)
  const households = await sql<Household>`
    select d.id, m.username as by, d.created_at, d.ends_at, d.answer
    from declarations d join members m on m.id = d.member_id
    where d.about_member_id = ${me} and d.kind = 'household' and ${binds}
    order by d.answer is not null, d.created_at desc, d.id desc limit ${mostHouseholds}`.execute(ctx.db)
  const { rows: stated } = await sql<{ sellers: number }>`
    select count(*)::int as sellers from conflicts where declared_by = ${me} and ${me} in (lo, hi)`.execute(
    ctx.db,
  )
  return {
    shops: shops.rows,
    declarations: declarations.rows,
    households: households.rows,
    declinedFor: stated[0]?.sellers ?? 0,
    limit: await readLimit(ctx),
  }
}
