import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'

/**
 * Excludes a member from the exchange until our staff reinstate them. They stay signed in, so they can finish
 * the reviews they owe and write to support. Suspending twice changes nothing.
 */
export async function suspendMember(ctx: Ctx, memberId: string): Promise<void> {
  const suspended = await ctx.db
    .updateTable('members')
    .set({ suspendedAt: sql<string>`clock_timestamp()`, updatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', memberId)
    .where('suspendedAt', 'is', null)
    .executeTakeFirst()
  if (suspended.numUpdatedRows === 1n) await emit(ctx, 'member.changed', { memberId }, [memberId])
}
