// Login sessions of our own making. Their rows and cookies are the sign-in library's, so that either side accepts the other's.
import { sql } from 'kysely'
import { sessionLimits } from '#contract/retention.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { sessionCookie, sessionSeconds } from './cookies.ts'
import { newSecret } from './secrets.ts'

/** Signs a member in, in the open transaction. The cookie is the whole Set-Cookie line; its value stands nowhere else. */
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
      expiresAt: sql<string>`clock_timestamp() + case (select role from members where id = ${memberId})
        when 'user' then make_interval(secs => ${sessionSeconds}) else make_interval(hours => ${sessionLimits.staff.totalHours}) end`,
      ipAddress: ctx.client ? truncatedAddress(ctx.client.address) : null,
      userAgent: ctx.client?.userAgent ?? null,
    })
    .execute()
  await recordActivity(ctx, 'user_logged_in', { method }, memberId)
  return { sessionId, cookie: sessionCookie(ctx.config, token) }
}

/** Ends the session that this request came with. The next request with its cookie is nobody's, and its live streams close. */
export async function endOwnSession(ctx: Ctx) {
  const { who } = ctx
  if (who.id === null || who.sessionId === null) return
  const { id: memberId, sessionId } = who
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.deleteFrom('sessions').where('id', '=', sessionId).where('memberId', '=', memberId).execute()
    await emit(ctx, 'session.ended', { sessionId }, [memberId])
  })
}

/** Takes a login session back that its browser never learnt of, or has replaced: there is nothing to tell. */
export async function dropSession(ctx: Ctx, which: { id: string } | { token: string }) {
  const sessions = ctx.db.deleteFrom('sessions')
  await (
    'id' in which ? sessions.where('id', '=', which.id) : sessions.where('token', '=', which.token)
  ).execute()
}

/**
 * Ends the member's login sessions, but for those to keep, in the open transaction. The member's row must be locked: then no sign-in
 * adds a session meanwhile.
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
  // Each page asks once more who it belongs to; after that its stream is closed and would tell it nothing.
  // A statement of its own: things that happen in one statement may bear the same moment, and then be told in any order.
  await emit(ctx, 'member.changed', { memberId }, recipients)
  await emitAll(
    ctx,
    'session.ended',
    ended.map(({ id }) => ({ fields: { sessionId: id }, recipients })),
  )
}

/** Deletes login sessions that are over by age. Who may still come in is decided at each request, not here. */
export async function deleteExpiredSessions(ctx: Ctx) {
  await ctx.db
    .deleteFrom('sessions')
    .where('expiresAt', '<', sql<string>`clock_timestamp()`)
    .execute()
}
