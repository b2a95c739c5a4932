// Login sessions that we open ourselves. Their rows and cookies have the sign-in library's format, so that
// each side accepts the other's sessions.
import { sql } from 'kysely'
import { sessionLimits } from '#contract/retention.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { sessionCookie, sessionSeconds } from './cookies.ts'
import { newSecret } from './secrets.ts'

/** Signs a member in, in the open transaction. `cookie` is the whole Set-Cookie line. */
export async function openSession(
  ctx: Ctx,
  memberId: string,
  method: string,
): Promise<{ sessionId: string; cookie: string }> {
  const sessionId = newId()
  const token = newSecret()
  await ctx.db
    .insertInto('sessions')
    .values({
      id: sessionId,
      token,
      memberId,
      expiresAt: sessionEnd(memberId),
      ipAddress: ctx.client ? truncatedAddress(ctx.client.address) : null,
      userAgent: ctx.client?.userAgent ?? null,
    })
    .execute()
  await recordActivity(ctx, 'user_logged_in', { method }, memberId)
  return { sessionId, cookie: sessionCookie(ctx.config, token) }
}

/** In SQL: when a session of this member that begins now expires. Sessions of staff expire sooner. */
export function sessionEnd(memberId: string) {
  return sql<string>`clock_timestamp() + case (select role from members where id = ${memberId})
    when 'user' then make_interval(secs => ${sessionSeconds})
    else make_interval(hours => ${sessionLimits.staff.totalHours}) end`
}

/** Ends the session of this request and closes its live streams. The next request is a visitor's. */
export async function endOwnSession(ctx: Ctx) {
  const { who } = ctx
  if (who.id === null || who.sessionId === null) return
  const { id: memberId, sessionId } = who
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.deleteFrom('sessions').where('id', '=', sessionId).where('memberId', '=', memberId).execute()
    await emit(ctx, 'session.ended', { sessionId }, [memberId])
  })
}

/** Deletes a login session that its browser never received or has replaced, so it emits no event. */
export async function dropSession(ctx: Ctx, which: { id: string } | { token: string }) {
  const sessions = ctx.db.deleteFrom('sessions')
  await (
    'id' in which ? sessions.where('id', '=', which.id) : sessions.where('token', '=', which.token)
  ).execute()
}

/**
 * Ends the member's login sessions except those in `except`, in the open transaction. The member's row must
 * be locked, so that no sign-in adds a session meanwhile.
 */
export async function endSessions(
  ctx: Ctx,
  memberId: string,
  { except = null }: { except?: string | null | readonly (string | null)[] } = {},
) {
  const kept = [except].flat().filter((id) => id !== null)
  let ending = ctx.db.deleteFrom('sessions').where('memberId', '=', memberId)
  if (kept.length > 0) ending = ending.where('id', 'not in', kept)
  const ended = await ending.returning('id').execute()
  const recipients = [memberId]
  // Pages need `member.changed` before their streams close. Events of one statement may have the same time
  // and arrive in any order, so this is a separate statement.
  await emit(ctx, 'member.changed', { memberId }, recipients)
  await emitAll(
    ctx,
    'session.ended',
    ended.map(({ id }) => ({ fields: { sessionId: id }, recipients })),
  )
}

/** Deletes expired login sessions. Each request checks validity itself and does not depend on this. */
export function deleteExpiredSessions(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'sessions', where: sql`expires_at < clock_timestamp()` }])
}
