// A member's row, from sign-up to erasure (`erasure.ts`). Only this module writes it. The sign-in code calls
// these functions.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { removeBatch } from '#server/kit/db/old-rows.ts'
import { newId } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'

type NewMember = { email: string; emailVerified?: boolean; username?: string; displayName?: string }

/** Adds a member and returns the id, or null if the address has a member. Of two calls at once, one adds. */
export async function addMember(ctx: Ctx, member: NewMember): Promise<string | null> {
  const { email, emailVerified = false, username = null, displayName = '' } = member
  const { rows } = await sql<{ id: string }>`
    insert into members (id, email, email_verified, username, display_name)
    values (${newId()}, ${email}, ${emailVerified}, ${username}, ${displayName})
    on conflict (lower(email)) do nothing returning id`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/**
 * Locks and returns a member's row, so that concurrent changes to one account run in turn. Refuses NOT_FOUND.
 */
export async function lockMember(ctx: Ctx, memberId: string) {
  const member = await ctx.db
    .selectFrom('members')
    .select(['id', 'email', 'username', 'role', 'twoFactorEnabled as twoFactor'])
    .where('id', '=', memberId)
    .where('erasedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!member) throw refuse('NOT_FOUND')
  return member
}

/** A member who has not left. Refuses NOT_FOUND. */
export function requireMember(ctx: Ctx, memberId: string) {
  return ctx.db
    .selectFrom('members')
    .select(['id', 'email', 'emailVerified', 'username', 'role'])
    .where('id', '=', memberId)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/** Marks the member's address as confirmed and emits `member.verified`. */
export async function confirmMember(ctx: Ctx, memberId: string) {
  await ctx.db
    .updateTable('members')
    .set({ emailVerified: true, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
  await emit(ctx, 'member.verified', { memberId }, [memberId])
}

/**
 * Moves a member to another confirmed address. Deletes an unconfirmed sign-up with that address. If a
 * confirmed member has it, the update violates `members_email_key`.
 */
export async function moveMember(ctx: Ctx, memberId: string, email: string) {
  await ctx.db
    .deleteFrom('members')
    .where(sql`lower(email)`, '=', email)
    .where('emailVerified', '=', false)
    .execute()
  await ctx.db
    .updateTable('members')
    .set({ email, emailVerified: true, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
}

/** Stores whether a member has a second factor. */
export async function setTwoFactor(ctx: Pick<Ctx, 'db'>, memberId: string, isOn: boolean) {
  await ctx.db
    .updateTable('members')
    .set({ twoFactorEnabled: isOn, updatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
}

/** Deletes a member whose address was never confirmed, with all their rows. */
export async function removeUnconfirmed(ctx: Ctx, memberId: string) {
  await ctx.db.deleteFrom('members').where('id', '=', memberId).where('emailVerified', '=', false).execute()
}

/**
 * Deletes a batch of the members who did not confirm their address within this many days of the last link
 * sent to it. Returns whether more may be left.
 */
export function deleteUnconfirmed(
  ctx: Ctx,
  { days, rowsPerBatch }: { days: number; rowsPerBatch: number },
): Promise<boolean> {
  const old = sql`clock_timestamp() - make_interval(days => ${days})`
  const where = sql`not members.email_verified and members.created_at < ${old} and not exists (
    select from one_time_secrets s
    where s.member_id = members.id and s.purpose = 'verify_email' and s.created_at > ${old})`
  return removeBatch(ctx, { table: 'members', where, rowsPerBatch })
}
