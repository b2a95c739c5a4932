// Checks that the person at the device is still the member who signed in. Actions that could lock out the
// owner, or export all data, need a fresh login session. It is fresh for a while after signing in and each
// confirmation.
import { sql } from 'kysely'
import { freshMinutes } from '#contract/accounts.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

/**
 * When my login session stops being fresh. Null if it is not fresh, or without a login session. A
 * confirmation later than now is from before the database's clock was set back: its age is not known.
 */
export async function findFreshUntil(ctx: MemberCtx): Promise<string | null> {
  const { id: memberId, sessionId } = ctx.who
  if (sessionId === null) return null
  const until = sql<string>`confirmed_at + make_interval(mins => ${freshMinutes})`
  const session = await ctx.db
    .selectFrom('sessions')
    .select(until.as('until'))
    .where('id', '=', sessionId)
    .where('memberId', '=', memberId)
    .where(until, '>', sql<string>`clock_timestamp()`)
    .where('confirmedAt', '<', sql<string>`clock_timestamp() + interval '1 minute'`)
    .executeTakeFirst()
  return session?.until ?? null
}

/** Marks a login session as fresh from now on. */
export async function markConfirmed(ctx: Ctx, sessionId: string | null) {
  await ctx.db
    .updateTable('sessions')
    .set({ confirmedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', sessionId)
    .execute()
}

/** Refuses NOT_FRESH unless my login session is fresh. */
export async function requireFresh(ctx: MemberCtx): Promise<void> {
  if ((await findFreshUntil(ctx)) === null) throw refuse('NOT_FRESH')
}
