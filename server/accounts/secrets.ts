// Secrets that travel by mail: 32 random bytes, of which only the SHA-256 is kept, bound to one member and one purpose. A newer one
// replaces the older, and one is used by deleting it, so that of several claims at once a single one succeeds.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

type Purpose = 'verify_email' | 'reset_password' | 'change_email'

/** 32 random bytes as text that fits into a link and a cookie. */
export function newSecret() {
  return randomBytes(32).toString('base64url')
}

/** The SHA-256 under which a secret is kept and found: a copy of the table opens nothing. */
export function hashOfSecret(secret: string) {
  return createHash('sha256').update(secret).digest()
}

/** Stores a new secret for a member and a purpose in place of an older one, and answers it: it is nowhere else. */
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
    values (${hashOfSecret(secret)}, ${memberId}, ${purpose}, ${data && JSON.stringify(data)}, clock_timestamp() + make_interval(mins => ${minutes}))
    on conflict (member_id, purpose) do update
      set hash = excluded.hash, data = excluded.data, created_at = clock_timestamp(), expires_at = excluded.expires_at`.execute(
    ctx.db,
  )
  return secret
}

/** Whose secret this is, while it lives. Uses nothing up. */
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

/** Forgets secrets that are over; those of sign-ups go with the sign-up. */
export async function deleteExpiredSecrets(ctx: Ctx) {
  await ctx.db
    .deleteFrom('oneTimeSecrets')
    .where('purpose', '<>', 'verify_email')
    .where('expiresAt', '<', sql<string>`clock_timestamp()`)
    .execute()
}

/** Uses a secret up. False when it is gone: used, replaced or expired. */
export async function claimSecret(ctx: Ctx, secret: string, purpose: Purpose): Promise<boolean> {
  const claimed = await ctx.db
    .deleteFrom('oneTimeSecrets')
    .where('hash', '=', hashOfSecret(secret))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  return claimed.numDeletedRows === 1n
}
