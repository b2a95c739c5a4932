import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** Takes away passkeys and the second factor, and what the sign-in library remembers of a sign-in under way, which may name its member. */
export async function deleteSignInMethodsOf(
  ctx: Ctx,
  { memberId, email }: { memberId: string; email: string },
): Promise<void> {
  await ctx.db.deleteFrom('passkeys').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('twoFactorSecrets').where('memberId', '=', memberId).execute()
  await sql`delete from sign_in_states
    where position(${memberId}::text in value) > 0 or position(${email}::text in lower(value)) > 0`.execute(
    ctx.db,
  )
}
