// The formats that a member said they cannot use, each in a category. Declines state them, and Settings takes
// them back.
import { sql } from 'kysely'
import type { UnusableFormat } from '#contract/matching.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { leavesTooFew } from './left-out.ts'

/** The formats that I said I cannot use, the latest first. */
export async function listUnusableFormats(ctx: MemberCtx): Promise<UnusableFormat[]> {
  const { rows } = await sql<UnusableFormat>`
    select id, category, format, created_at from unusable_formats where member_id = ${ctx.who.id}
    order by created_at desc, id desc`.execute(ctx.db)
  return rows
}

/**
 * From now on no draw offers me products of this category and format. Changes nothing and returns false when
 * too few products would be left to me. The caller holds my lock.
 */
export async function stateUnusable(
  ctx: MemberCtx,
  { category, format }: Pick<UnusableFormat, 'category' | 'format'>,
): Promise<boolean> {
  const id = newId()
  await ctx.db
    .insertInto('unusableFormats')
    .values({ id, memberId: ctx.who.id, category, format })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (!(await leavesTooFew(ctx))) return true
  await ctx.db.deleteFrom('unusableFormats').where('id', '=', id).execute()
  return false
}

/** I can use this format after all. Refuses NOT_FOUND. */
export function allowFormat(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const allowed = await ctx.db
      .deleteFrom('unusableFormats')
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .executeTakeFirst()
    if (allowed.numDeletedRows === 0n) throw refuse('NOT_FOUND')
    await emit(ctx, 'member.changed', { memberId: ctx.who.id }, [ctx.who.id])
    await ctx.kit.jobs.send(ctx, 'match-requests')
  })
}
