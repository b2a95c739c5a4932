// Where I am signed in. A device is a login session, told apart by what its browser says of itself and by the network it came from.
import { sql } from 'kysely'
import type { Device } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from '#server/members/members.ts'
import { describeDevice } from './device-names.ts'
import { endSessions } from './sessions.ts'
import { aliveSession } from './authenticate.ts'

/** Where I am signed in: this device first, then the one seen last. Sessions that are over by their age are not among them. */
export async function listDevices(ctx: MemberCtx): Promise<Device[]> {
  const { rows } = await sql<Omit<Device, 'label' | 'kind'> & { userAgent: string | null }>`
    select s.id, coalesce(s.id = ${ctx.who.sessionId}, false) as current, s.user_agent, nullif(s.ip_address, '') as address,
      s.created_at as signed_in_at, s.last_seen_at
    from sessions s join members m on m.id = s.member_id
    where s.member_id = ${ctx.who.id} and ${sql.raw(aliveSession)}
    order by current desc, s.last_seen_at desc, s.id desc limit 100`.execute(ctx.db)
  return rows.map(({ userAgent, ...device }) => ({ ...device, ...describeDevice(userAgent ?? '') }))
}

/** Signs one device out, at once. Refuses NOT_FOUND. */
export async function endDevice(ctx: MemberCtx, { id }: { id: string }) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    const ended = await ctx.db
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('memberId', '=', memberId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw refuse('NOT_FOUND')
    await recordActivity(ctx, 'device_signed_out', { sessionId: id })
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await emit(ctx, 'session.ended', { sessionId: id }, [memberId])
  })
}

/** Signs every device out but this one, or this one as well. A link for a new password that is on its way stops working with them. */
export async function endDevices(ctx: MemberCtx, { but }: { but: 'this' | 'none' }) {
  const { id: memberId, sessionId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    await lockMember(ctx, memberId)
    await endSessions(ctx, memberId, { except: but === 'this' ? sessionId : null })
    await recordActivity(ctx, but === 'this' ? 'other_devices_signed_out' : 'all_devices_signed_out', {})
  })
}
