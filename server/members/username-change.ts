// Changing a username. The old one stays reserved for its owner, so that no one can impersonate them with it.
import { sql } from 'kysely'
import { usernameChangeDays, usernameReservedDays } from '#contract/members.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { mailUsernameChanged } from './notices.ts'
import { asTaken, isUsernameHeld, readUsername, requireUnreserved } from './usernames.ts'

/**
 * When a changed username may be changed again. The first choice of a username does not count as a change.
 */
export const changeableFrom = sql<
  string | null
>`username_changed_at + make_interval(days => ${usernameChangeDays})`

/**
 * Changes my username, at most once in 30 days, and reserves the old one for me for 90 days. With my current
 * username it changes nothing. Refuses INVALID_USERNAME, USERNAME_TAKEN, USERNAME_TOO_SOON with the time of
 * the next possible change, and CONFLICT before the first choice.
 */
export async function changeUsername(ctx: MemberCtx, text: string) {
  const username = readUsername(text)
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    const me = await lockMe(ctx)
    if (me.username === null) throw refuse('CONFLICT')
    if (me.username === username) return
    if (me.tooSoon) throw refuse('USERNAME_TOO_SOON', { field: 'username', at: me.changeableFrom ?? '' })
    if (await isUsernameHeld(ctx, username)) throw refuse('USERNAME_TAKEN', { field: 'username' })
    await ctx.db
      .updateTable('members')
      .set({
        username,
        usernameChangedAt: sql<string>`clock_timestamp()`,
        updatedAt: sql<string>`clock_timestamp()`,
      })
      .where('id', '=', memberId)
      .execute()
    await requireUnreserved(ctx, username)
    await reserveUsername(ctx, { memberId, old: me.username, next: username })
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await recordActivity(ctx, 'username_changed', {})
    await mailUsernameChanged(ctx, { memberId, to: me.email, old: me.username, next: username })
  }).catch((error: unknown) => {
    throw asTaken(error)
  })
}

async function lockMe(ctx: MemberCtx) {
  type Me = { email: string; username: string | null; changeableFrom: string | null; tooSoon: boolean }
  await ctx.db.selectFrom('members').select('id').where('id', '=', ctx.who.id).forUpdate().execute()
  const { rows } = await sql<Me>`
    select email, username, ${changeableFrom} as changeable_from,
      coalesce(${changeableFrom} > clock_timestamp(), false) as too_soon
    from members where id = ${ctx.who.id}`.execute(ctx.db)
  const me = rows[0]
  if (!me) throw refuse('UNAUTHORIZED')
  return me
}

/** Reserves my old username for me, and ends the reservation of the new one. */
async function reserveUsername(
  ctx: Ctx,
  { memberId, old, next }: { memberId: string; old: string; next: string },
) {
  await ctx.db.deleteFrom('reservedUsernames').where('username', '=', next).execute()
  await sql`
    insert into reserved_usernames (username, member_id, reserved_until)
    values (${old}, ${memberId}, clock_timestamp() + make_interval(days => ${usernameReservedDays}))
    on conflict (username) do update
      set member_id = excluded.member_id, reserved_until = excluded.reserved_until`.execute(ctx.db)
}

/** Deletes expired reservations. Anyone can take these usernames. */
export function deleteExpiredUsernames(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'reserved_usernames', where: sql`reserved_until < clock_timestamp()` }])
}
