// The devices where I am signed in. A device is a login session, shown with its browser and its network.
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

/** My devices: this one first, then by last use. Expired sessions are left out. */
export async function listDevices(ctx: MemberCtx): Promise<Device[]> {
  const { rows } = await sql<Omit<Device, 'label' | 'kind'> & { userAgent: string | null }>`
    select s.id, coalesce(s.id = ${ctx.who.sessionId}, false) as current, s.user_agent,
      nullif(s.ip_address, '') as address, s.created_at as signed_in_at, s.last_seen_at
    from sessions s join members m on m.id = s.member_id
    where s.member_id = ${ctx.who.id} and ${sql.raw(aliveSession)}
    order by current desc, s.last_seen_at desc, s.id desc limit 100`.execute(ctx.db)
  return rows.map(({ userAgent, ...device }) => ({ ...device, ...describeDevice(userAgent ?? '') }))
}

/** Signs out one device immediately. Refuses NOT_FOUND. */
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

/** Signs out all devices, or all but this one. */
export async function endDevices(ctx: MemberCtx, { but }: { but: 'this' | 'none' }) {
  const { id: memberId, sessionId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    await lockMember(ctx, memberId)
    await endSessions(ctx, memberId, { except: but === 'this' ? sessionId : null })
    await recordActivity(ctx, but === 'this' ? 'other_devices_signed_out' : 'all_devices_signed_out', {})
  })
}
