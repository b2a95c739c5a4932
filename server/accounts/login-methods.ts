// The rows of a member's sign-in methods: the password, under 'credential', and the account at a provider.
// The sign-in library reads them. Passkeys have a separate table.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { hashOfSecret } from './secrets.ts'

type NewPassword = { memberId: string; passwordHash: string }

/** Sets or replaces the password. This ends a browser's claim to an unconfirmed sign-up. */
export async function setPassword(ctx: Ctx, { memberId, passwordHash }: NewPassword) {
  await putPassword(ctx, { memberId, passwordHash, pendingHash: null })
}

/**
 * Sets the newest sign-up's password and ties it to its browser. Replaces an older sign-up's password and
 * claim.
 */
export async function setPendingPassword(
  ctx: Ctx,
  { pending, ...password }: NewPassword & { pending: string },
) {
  await putPassword(ctx, { ...password, pendingHash: hashOfSecret(pending) })
}

async function putPassword(
  ctx: Ctx,
  { memberId, passwordHash, pendingHash }: NewPassword & { pendingHash: Buffer | null },
) {
  await sql`
    insert into login_methods (id, member_id, provider_id, account_id, password, pending_hash)
    values (${newId()}, ${memberId}, 'credential', ${memberId}, ${passwordHash}, ${pendingHash})
    on conflict (provider_id, account_id) do update
      set password = excluded.password, pending_hash = excluded.pending_hash,
        updated_at = clock_timestamp()`.execute(ctx.db)
}

/** Keeps the password of a confirmed sign-up, no longer tied to its browser. */
export async function keepPendingPassword(ctx: Ctx, memberId: string) {
  await ctx.db
    .updateTable('loginMethods')
    .set({ pendingHash: null })
    .where('memberId', '=', memberId)
    .where('providerId', '=', 'credential')
    .execute()
}

/** Whether a member's password was set after this moment. */
export async function isPasswordNewer(ctx: Ctx, memberId: string, since: Date): Promise<boolean> {
  const newer = await ctx.db
    .selectFrom('loginMethods')
    .select('id')
    .where('memberId', '=', memberId)
    .where('providerId', '=', 'credential')
    .where('updatedAt', '>', since.toISOString())
    .executeTakeFirst()
  return newer !== undefined
}

/** The hash of my password; null without one. */
export async function findPasswordHash(ctx: MemberCtx): Promise<string | null> {
  const method = await ctx.db
    .selectFrom('loginMethods')
    .select('password')
    .where('memberId', '=', ctx.who.id)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return method?.password ?? null
}

/** Connects a provider's account. False if any member has already connected that account. */
export async function addProvider(
  ctx: Ctx,
  { memberId, providerId, subject }: { memberId: string; providerId: string; subject: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into login_methods (id, member_id, provider_id, account_id)
    values (${newId()}, ${memberId}, ${providerId}, ${subject})
    on conflict (provider_id, account_id) do nothing returning id`.execute(ctx.db)
  return rows.length > 0
}

/** Disconnects my provider and returns its id; null without a provider. */
export async function removeProvider(ctx: MemberCtx): Promise<string | null> {
  const removed = await ctx.db
    .deleteFrom('loginMethods')
    .where('memberId', '=', ctx.who.id)
    .where('providerId', '!=', 'credential')
    .returning('providerId')
    .executeTakeFirst()
  return removed?.providerId ?? null
}

/** My password and my provider, as far as they exist. */
export function listMethods(ctx: MemberCtx) {
  return ctx.db
    .selectFrom('loginMethods')
    .select(['providerId', 'createdAt'])
    .where('memberId', '=', ctx.who.id)
    .execute()
}
