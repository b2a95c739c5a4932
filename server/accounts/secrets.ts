// Secrets sent by mail: 32 random bytes for one member and one purpose. Only the SHA-256 is stored. A newer
// secret replaces the older one. Using a secret deletes it, so only one of several simultaneous claims
// succeeds.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'

type Purpose = 'verify_email' | 'reset_password' | 'change_email' | 'confirm_address'

/** 32 random bytes as text for a link or a cookie. */
export function newSecret() {
  return randomBytes(32).toString('base64url')
}

/** The SHA-256 that is stored for a secret, so that a copy of the table is of no use. */
export function hashOfSecret(secret: string) {
  return createHash('sha256').update(secret).digest()
}

/** Stores and returns a new secret for a member and a purpose. It replaces an older one. */
export async function issueSecret(
  ctx: Ctx,
  {
    memberId,
    purpose,
    minutes,
    data = null,
  }: { memberId: string; purpose: Purpose; minutes: number; data?: Record<string, string> | null },
): Promise<string> {
  const secret = newSecret()
  await sql`
    insert into one_time_secrets (hash, member_id, purpose, data, expires_at)
    values (${hashOfSecret(secret)}, ${memberId}, ${purpose}, ${data && JSON.stringify(data)},
      clock_timestamp() + make_interval(mins => ${minutes}))
    on conflict (member_id, purpose) do update
      set hash = excluded.hash, data = excluded.data, created_at = clock_timestamp(),
        expires_at = excluded.expires_at`.execute(ctx.db)
  return secret
}

/** The member of a secret that has not expired. Does not use it up. */
export async function findSecret(ctx: Ctx, secret: string, purpose: Purpose): Promise<string | undefined> {
  const found = await ctx.db
    .selectFrom('oneTimeSecrets')
    .select('memberId')
    .where('hash', '=', hashOfSecret(secret))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  return found?.memberId
}

/** Deletes expired secrets. Those of sign-ups are deleted with the sign-up. */
export function deleteExpiredSecrets(ctx: Ctx): Promise<void> {
  const where = sql`purpose <> 'verify_email' and expires_at < clock_timestamp()`
  return removeOldRows(ctx, [{ table: 'one_time_secrets', where }])
}

/** Uses up a secret. False if it was used, replaced or has expired. */
export async function claimSecret(ctx: Ctx, secret: string, purpose: Purpose): Promise<boolean> {
  const claimed = await ctx.db
    .deleteFrom('oneTimeSecrets')
    .where('hash', '=', hashOfSecret(secret))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  return claimed.numDeletedRows === 1n
}
