// How many declarations a member has, and how many the club allows. The limit grows with the club, so that no
// one can narrow the draw down to a partner; removed ones count while they bind.
import { sql } from 'kysely'
import { declarationLimitOf, declarationLimits } from '#contract/organization.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isTakingPart } from '#server/membership/standings.ts'

/** In SQL: the members who take part, as far as they raise the limit. */
const membersCounted = sql<number>`(select count(*) from (
  select from reviewer_states where ${isTakingPart('standing')}
  limit ${sql.lit(Math.ceil(declarationLimits.most / declarationLimits.share))}) counted)`

/** How many members a member may keep from being matched with them, by declarations and again by declines. */
export async function readMost(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ members: number }>`select ${membersCounted} as members`.execute(ctx.db)
  return declarationLimitOf(rows[0]?.members ?? 0)
}

/** My declarations and addresses that bind, without the first address, and how many I may have. */
export async function readLimit(ctx: MemberCtx): Promise<{ used: number; most: number }> {
  const { rows } = await sql<{ named: number; addresses: number; members: number }>`
    select (select count(*) from declarations
        where member_id = ${ctx.who.id} and kind <> 'former_shop') as named,
      (select count(*) from declarations where member_id = ${ctx.who.id} and kind = 'former_shop')
        + (select count(*) from shops where member_id = ${ctx.who.id}) as addresses,
      ${membersCounted} as members`.execute(ctx.db)
  const { named = 0, addresses = 0, members = 0 } = rows[0] ?? {}
  return { used: named + Math.max(0, addresses - 1), most: declarationLimitOf(members) }
}

/** Refuses DECLARATION_LIMIT when what was just written is more than I may have. */
export async function requireWithinLimit(ctx: MemberCtx, field: string): Promise<void> {
  const { used, most } = await readLimit(ctx)
  if (used > most) throw refuse('DECLARATION_LIMIT', { field })
}

/** Deletes my declarations that no longer bind, so that the same can be declared again. */
export async function deleteMyEndedDeclarations(ctx: MemberCtx): Promise<void> {
  await sql`delete from declarations where member_id = ${ctx.who.id}
    and ends_at <= clock_timestamp()`.execute(ctx.db)
}

/** Deletes declarations that no longer bind. */
export function deleteEndedDeclarations(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'declarations', where: sql`ends_at <= clock_timestamp()` }])
}
