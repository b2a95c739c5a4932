// Whether whoever sits at the device still is who signed in there. What could lock an owner out of the account, or take everything out of
// it, asks for a fresh proof: a login session counts as fresh for a while after signing in and after each confirmation.
import { sql } from 'kysely'
import { freshMinutes } from '#contract/accounts.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

/** Until when my login session is fresh; null when it is not. Without a login session nothing ever is. */
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
    .executeTakeFirst()
  return session?.until ?? null
}

/** This login session is fresh from now on. */
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
