import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'

/**
 * Takes a member out of the exchange until our staff let them back in. They stay signed in: what they owe can still be finished,
 * and they can write to support. Suspending twice changes nothing.
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
