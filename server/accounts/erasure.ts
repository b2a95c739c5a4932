import type { Ctx } from '#server/kit/ctx.ts'
import { endSessions } from './sessions.ts'

/** Takes away what opens an account: password and provider, each secret on its way, and every login session, whose pages go to the sign-in. */
export async function deleteAccessOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('loginMethods').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('oneTimeSecrets').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('emailChanges').where('memberId', '=', memberId).execute()
  await endSessions(ctx, memberId)
}
