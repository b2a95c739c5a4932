// The role of a member: user, support or admin. Only this module writes it; every change leaves a row in
// role_changes.
import { sql } from 'kysely'
import type { Role } from '#contract/members.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
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
