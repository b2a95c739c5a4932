import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'

/** Marks my notice as read. Marking it again changes nothing. Refuses NOT_FOUND when it is not mine. */
export async function markNoticeRead(ctx: MemberCtx, noticeId: string) {
  const read = await ctx.db
    .updateTable('notices')
    .set({ readAt: sql`coalesce(read_at, clock_timestamp())` })
    .where('id', '=', noticeId)
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirst()
  if (read.numUpdatedRows === 0n) throw refuse('NOT_FOUND')
  await emit(ctx, 'notice.read', {}, [ctx.who.id])
}

/** Marks these notices of mine as read. Refuses NOT_FOUND when one of them is not mine. */
export function markNoticesRead(ctx: MemberCtx, ids: string[]) {
  return inTransaction(ctx, async (ctx) => {
    const asked = [...new Set(ids)]
    const read = await ctx.db
      .updateTable('notices')
      .set({ readAt: sql`coalesce(read_at, clock_timestamp())` })
      .where('id', 'in', asked)
      .where('memberId', '=', ctx.who.id)
      .executeTakeFirst()
    if (Number(read.numUpdatedRows) !== asked.length) throw refuse('NOT_FOUND')
    await emit(ctx, 'notice.read', {}, [ctx.who.id])
  })
}

/** Marks all my notices as read. */
export async function markAllNoticesRead(ctx: MemberCtx) {
  await ctx.db
    .updateTable('notices')
    .set({ readAt: sql`clock_timestamp()` })
    .where('memberId', '=', ctx.who.id)
    .where('readAt', 'is', null)
    .execute()
  await emit(ctx, 'notice.read', {}, [ctx.who.id])
}
