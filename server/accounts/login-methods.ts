// What somebody signs in with, as far as it is a row: a password, under 'credential', and what a provider calls them. The sign-in library
// compares with it; passkeys are its own.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { hashOfSecret } from './secrets.ts'

type NewPassword = { memberId: string; passwordHash: string }

/** The password from now on, whether there was one or not. No browser's claim to an unconfirmed sign-up outlives it. */
export async function setPassword(ctx: Ctx, { memberId, passwordHash }: NewPassword) {
  await putPassword(ctx, { memberId, passwordHash, pendingHash: null })
}

/** The newest sign-up's password, tied to its browser. The one before it stops working, and so does its browser's claim. */
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
      set password = excluded.password, pending_hash = excluded.pending_hash, updated_at = clock_timestamp()`.execute(
    ctx.db,
  )
}

/** The password of a sign-up is its owner's: it needs the browser that chose it no more. */
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

/** Connects what a provider calls somebody. False when it is connected already, with whomever. */
export async function addProvider(
  ctx: Ctx,
  { memberId, providerId, subject }: { memberId: string; providerId: string; subject: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into login_methods (id, member_id, provider_id, account_id) values (${newId()}, ${memberId}, ${providerId}, ${subject})
    on conflict (provider_id, account_id) do nothing returning id`.execute(ctx.db)
  return rows.length > 0
}

/** Disconnects my provider and answers which it was; null without one. */
export async function removeProvider(ctx: MemberCtx): Promise<string | null> {
  const removed = await ctx.db
    .deleteFrom('loginMethods')
    .where('memberId', '=', ctx.who.id)
    .where('providerId', '!=', 'credential')
    .returning('providerId')
    .executeTakeFirst()
  return removed?.providerId ?? null
}

/** The password and the provider that are mine. */
export function listMethods(ctx: MemberCtx) {
  return ctx.db
    .selectFrom('loginMethods')
    .select(['providerId', 'createdAt'])
    .where('memberId', '=', ctx.who.id)
    .execute()
}
