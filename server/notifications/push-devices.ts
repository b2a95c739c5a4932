// The browsers in which a member gets push messages. Each belongs to a login session and ends with it: by
// signing out, by a sign-out from elsewhere, by its expiry, by a suspension or by erasure.
import { sql } from 'kysely'
import { pushDeviceLimit } from '#contract/notifications.ts'
import type { Push, PushDevice } from '#contract/notifications.ts'
import { aliveSession } from '#server/accounts/authenticate.ts'
import { describeDevice } from '#server/accounts/device-names.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isPushService } from '#server/kit/web-push.ts'
import { queueTest } from './push-messages.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** My browsers that get push messages, the newest first, and the key that a further one subscribes with. */
export async function getPush(ctx: MemberCtx): Promise<Push> {
  const { rows } = await sql<Omit<PushDevice, 'label' | 'kind'> & { userAgent: string | null }>`
    select d.id, s.user_agent, coalesce(s.id = ${ctx.who.sessionId}, false) as current, d.created_at,
      d.delivered_at
    from push_devices d join sessions s on s.id = d.session_id join members m on m.id = s.member_id
    where d.member_id = ${ctx.who.id} and ${sql.raw(aliveSession)}
    order by current desc, d.created_at desc, d.id desc`.execute(ctx.db)
  return {
    publicKey: ctx.config.push?.publicKey ?? null,
    devices: rows.map(({ userAgent, ...device }) => ({ ...device, ...describeDevice(userAgent ?? '') })),
  }
}

/**
 * Sends push messages to this browser until its login session ends. Repeating it replaces the subscription.
 * Refuses SUSPENDED, PUSH_UNAVAILABLE, PUSH_SERVICE_UNKNOWN for an address of another host, and
 * TOO_MANY_PUSH_DEVICES.
 */
export async function addPushDevice(ctx: MemberCtx, { endpoint, keys }: Subscription) {
  const { id: memberId, sessionId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [memberId])
    const { suspendedAt } = await ctx.db
      .selectFrom('members')
      .select('suspendedAt')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
    if (suspendedAt !== null) throw refuse('SUSPENDED')
    // Every signed-in browser has a login session; only our own jobs have none.
    if (!ctx.config.push || sessionId === null) throw refuse('PUSH_UNAVAILABLE')
    if (!isPushService(ctx.config.push, endpoint)) throw refuse('PUSH_SERVICE_UNKNOWN')
    const { numDeletedRows: replaced } = await ctx.db
      .deleteFrom('pushDevices')
      .where((where) =>
        where.or([
          where('sessionId', '=', sessionId),
          // The keys prove that it is the same browser, in which another member was signed in before.
          where.and([where('endpoint', '=', endpoint), where('auth', '=', keys.auth)]),
        ]),
      )
      .executeTakeFirst()
    const { count } = await ctx.db
      .selectFrom('pushDevices')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('memberId', '=', memberId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= pushDeviceLimit) throw refuse('TOO_MANY_PUSH_DEVICES')
    const { rows } = await sql`
      insert into push_devices (id, member_id, session_id, endpoint, p256dh, auth)
      values (${newId()}, ${memberId}, ${sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth})
      on conflict (endpoint) do nothing returning id`.execute(ctx.db)
    // The address of another browser, with other keys.
    if (rows.length === 0) throw refuse('PUSH_SERVICE_UNKNOWN')
    if (replaced === 0n) await recordActivity(ctx, 'push_device_added', { sessionId })
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}

/** Ends push messages in one of my browsers. Refuses NOT_FOUND. */
export async function removePushDevice(ctx: MemberCtx, id: string) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('pushDevices')
      .where('id', '=', id)
      .where('memberId', '=', memberId)
      .returning('sessionId')
      .executeTakeFirst()
    if (!removed) throw refuse('NOT_FOUND')
    await recordActivity(ctx, 'push_device_removed', { sessionId: removed.sessionId })
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}

/** Ends push messages in all browsers of a member. */
export async function removePushDevices(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('pushDevices').where('memberId', '=', memberId).execute()
}

/**
 * Sends a push message to a browser of mine, so that I see whether it arrives. Refuses NOT_FOUND, and
 * PUSH_UNAVAILABLE.
 */
export async function testPush(ctx: MemberCtx, id: string) {
  await inTransaction(ctx, async (ctx) => {
    const device = await ctx.db
      .selectFrom('pushDevices')
      .select('id')
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .executeTakeFirst()
    if (!device) throw refuse('NOT_FOUND')
    if (!ctx.config.push) throw refuse('PUSH_UNAVAILABLE')
    await queueTest(ctx, device.id)
  })
}
