// The role of a member: user, support or admin. Only this module writes it; every change leaves a row in
// role_changes.
import { sql } from 'kysely'
import type { Role } from '#contract/members.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { lockAdmins } from './erasure.ts'

type RoleChange = { id: string; from: Role; to: Role }

/**
 * Gives a member another role, in the open transaction. Changes run one after the other, so of two admins who
 * demote each other one stays. Refuses OWN_ROLE, ONLY_ADMIN, FORBIDDEN to an admin who is none any more, and
 * CONFLICT when the member's role is no longer `from`.
 */
export async function setRole(ctx: MemberCtx, { id, from, to }: RoleChange): Promise<void> {
  if (id === ctx.who.id) throw refuse('OWN_ROLE')
  if (from === to) throw refuse('CONFLICT')
  const admins = await lockAdmins(ctx)
  if (to !== 'admin' && admins.length === 1 && admins[0] === id) throw refuse('ONLY_ADMIN')
  if (!admins.includes(ctx.who.id)) throw refuse('FORBIDDEN')
  // The trigger that records the change reads it.
  await sql`select set_config('evenhand.actor', ${ctx.who.id}, true)`.execute(ctx.db)
  const changed = await ctx.db
    .updateTable('members')
    .set({ role: to, updatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('role', '=', from)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw refuse('CONFLICT')
}

/** The addresses of all admins. */
export async function listAdmins(ctx: MemberCtx): Promise<{ id: string; email: string }[]> {
  return ctx.db
    .selectFrom('members')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('erasedAt', 'is', null)
    .orderBy('id')
    .execute()
}

/**
 * Makes the member with this address an admin, by the operator's command. The reason why not, if it was not
 * done: there is no such member, the address is not confirmed, or they are an admin already.
 */
export async function makeAdmin(
  ctx: Ctx,
  email: string,
): Promise<'missing' | 'unconfirmed' | 'already' | null> {
  await lockAdmins(ctx)
  const member = await ctx.db
    .selectFrom('members')
    .select(['id', 'role', 'emailVerified'])
    .where('email', '=', email.trim().toLowerCase())
    .where('erasedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!member) return 'missing'
  if (!member.emailVerified) return 'unconfirmed'
  if (member.role === 'admin') return 'already'
  await ctx.db
    .updateTable('members')
    .set({ role: 'admin', updatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', member.id)
    .execute()
  await recordStaffAction(ctx, {
    action: 'role_changed',
    memberId: member.id,
    reason: 'Made an admin by the operator’s command.',
    before: { role: member.role },
    after: { role: 'admin' },
  })
  return null
}
