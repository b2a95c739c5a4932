// Erases a member. The row stays, because other members' exchanges refer to it, but it holds no personal
// data. The constraint `members_erased` checks that.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import { usernameReservedDays } from '#contract/members.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { refuse } from '#server/kit/refusal.ts'

/** Refuses LAST_ADMIN for the only admin. When two admins leave at the same time, the second is refused. */
export async function requireAnotherAdmin(ctx: Ctx, memberId: string): Promise<void> {
  const admins = await lockAdmins(ctx)
  if (admins.length === 1 && admins[0] === memberId) throw refuse('LAST_ADMIN')
}

/** Locks all admins until the transaction ends, so that roles change in turn. Returns their ids. */
export async function lockAdmins(ctx: Ctx): Promise<string[]> {
  // Unlike `for update`, this lock lets others write rows that refer to these members.
  const admins = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('role', '=', 'admin')
    .where('erasedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return admins.map(({ id }) => id)
}

/**
 * Erases the person behind an account and reserves the username for 90 days. It runs first, under the row's
 * lock: rows written before are deleted with the rest, and later ones are refused (`refuse_erased_member`).
 * Erasing again changes nothing.
 */
export function erasePerson(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const person = await ctx.db
      .selectFrom('members')
      .select(['username', 'avatarKey'])
      .where('id', '=', memberId)
      .where('erasedAt', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!person) return
    await reserveUsernames(ctx, memberId, person.username)
    removeAfterCommit(ctx, [person.avatarKey])
    await ctx.db
      .updateTable('members')
      .set({
        email: sql<string>`'erased-' || id || '@erased.invalid'`,
        username: null,
        displayName: '',
        fullName: null,
        image: null,
        avatarKey: null,
        locale: 'en-US',
        timeZone: null,
        usernameChangedAt: null,
        twoFactorEnabled: false,
        role: 'user',
        suspendedAt: null,
        suspendedUntil: null,
        suspensionReason: null,
        erasedAt: sql<string>`clock_timestamp()`,
        updatedAt: sql<string>`clock_timestamp()`,
      })
      .where('id', '=', memberId)
      .execute()
    await ctx.db.deleteFrom('memberNotes').where('memberId', '=', memberId).execute()
    await ctx.db
      .insertInto('erasures')
      .values({ memberId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** Keeps the usernames reserved without an owner, so that no one can impersonate the erased member. */
async function reserveUsernames(ctx: Ctx, memberId: string, username: string | null) {
  await ctx.db
    .updateTable('reservedUsernames')
    .set({ memberId: null })
    .where('memberId', '=', memberId)
    .execute()
  if (username === null) return
  await sql`
    insert into reserved_usernames (username, member_id, reserved_until)
    values (${username}, null, clock_timestamp() + make_interval(days => ${usernameReservedDays}))
    on conflict (username) do update set member_id = null,
      reserved_until = greatest(reserved_usernames.reserved_until, excluded.reserved_until)`.execute(ctx.db)
}

/** Deletes records of erasures that are older than the oldest backup. */
export function deleteOldErasures(ctx: Ctx): Promise<void> {
  const where = olderThan(sql`erased_at`, retention.erasureDays * 24)
  return removeOldRows(ctx, [{ table: 'erasures', where }])
}
