import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** Deletes a member's passkeys, second factor, and sign-ins in progress, which may contain their address. */
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
