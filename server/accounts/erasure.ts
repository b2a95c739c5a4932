import type { Ctx } from '#server/kit/ctx.ts'
import { endSessions } from './sessions.ts'

/** Deletes a member's password, provider, one-time secrets, changes of address and login sessions. */
export async function deleteAccessOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('loginMethods').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('oneTimeSecrets').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('emailChanges').where('memberId', '=', memberId).execute()
  await endSessions(ctx, memberId)
}
