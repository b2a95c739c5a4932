// Push messages on their way: written in the action's transaction, one for each browser, and sent by a job.
// A message is deleted when it was taken, refused or is too old; what is left in the table is still to send.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PushPayload } from '#contract/notifications.ts'
import { aliveSession } from '#server/accounts/authenticate.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { newId } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'
import type { PushResult } from '#server/kit/web-push.ts'
import { sendPush } from '#server/kit/web-push.ts'

/** How long a push service keeps a message that has no deadline for a browser that is offline. */
const hoursKept = 24

/** What a notice says, in the inbox and as a push message. */
export type ShownNotice = {
  title: string
  message: string
  priority: 'high' | 'medium' | 'low'
  action?: { label: string; href: string }
  /** ISO text: when there is nothing left to answer. A push message is not delivered after it. */
  until?: string
}

type Shown = { memberId: string; key: string; notice?: ShownNotice }

/** Puts a push message into the outbox for each browser of the members who have a notice among these. */
export async function queuePushes(ctx: Ctx, notifications: Shown[]): Promise<void> {
  const wanted = notifications.flatMap(({ memberId, key, notice }) =>
    notice
      ? [
          {
            memberId,
            key,
            title: notice.title,
            body: notice.message,
            href: notice.action?.href ?? '/notifications',
            urgent: notice.priority === 'high',
            until: notice.until ?? null,
          },
        ]
      : [],
  )
  if (wanted.length === 0 || !ctx.config.push) return
  const { rows } = await sql<{ id: string }>`
    insert into push_messages (id, device_id, dedupe_key, title, body, href, urgent, expires_at)
    select gen_random_uuid(), d.id, t.key, t.title, t.body, t.href, t.urgent,
      coalesce(t.until, clock_timestamp() + make_interval(hours => ${hoursKept}))
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      as t("memberId" uuid, key text, title text, body text, href text, urgent boolean, until timestamptz)
    join push_devices d on d.member_id = t."memberId"
    on conflict (device_id, dedupe_key) do nothing
    returning id`.execute(ctx.db)
  if (rows.length > 0) await ctx.kit.jobs.send(ctx, 'send-pushes', {})
}

/** Puts a test into the outbox for one browser. It is worth nothing after five minutes. */
export async function queueTest(ctx: Ctx, deviceId: string): Promise<void> {
  const id = newId()
  await sql`
    insert into push_messages (id, device_id, dedupe_key, title, body, href, urgent, expires_at)
    values (${id}, ${deviceId}, ${`test:${id}`}, 'Push messages work here',
      'This browser gets the messages that you switched on.', '/settings/notifications', true,
      clock_timestamp() + interval '5 minutes')`.execute(ctx.db)
  await ctx.kit.jobs.send(ctx, 'send-pushes', {})
}

type Which = { memberIds: string[]; keys: string[] }

/** Drops the messages of these members whose keys match one of the patterns: what they are about is over. */
export async function dropPushes(ctx: Ctx, { memberIds, keys }: Which): Promise<void> {
  await sql`delete from push_messages where dedupe_key like any(${keys}::text[])
    and device_id in (select id from push_devices where member_id = any(${memberIds}::uuid[]))`.execute(
    ctx.db,
  )
}

/** Drops the messages of these members that hold one of these texts. */
export async function dropPushesWith(
  ctx: Ctx,
  { memberIds, texts }: { memberIds: string[]; texts: string[] },
): Promise<void> {
  await sql`delete from push_messages
    where device_id in (select id from push_devices where member_id = any(${memberIds}::uuid[]))
      and exists (select from unnest(${texts}::text[]) as t(text)
        where position(t.text in body) > 0)`.execute(ctx.db)
}

/**
 * Sends the messages that are due. A worker claims a message by moving its next try ahead, so two never send
 * it at once; a crash after sending repeats it, and the browser replaces one by the other. A subscription
 * that its service no longer knows is removed. Too old messages are not sent.
 */
export async function sendPushes(ctx: Ctx): Promise<void> {
  for (;;) {
    const due = await claimDue(ctx)
    if (due.length === 0) return
    // Each goes to another browser, often at another service: a slow one does not hold up the others.
    await Promise.all(due.map((message) => deliver(ctx, message)))
  }
}

/** Deletes the messages that are too old to be sent. */
export function deleteExpiredPushes(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'push_messages', where: sql`expires_at <= clock_timestamp()` }])
}

type Due = {
  id: string
  deviceId: string
  memberId: string
  dedupeKey: string
  title: string
  body: string
  href: string
  urgent: boolean
  until: string
  secondsLeft: number
  attempts: number
  endpoint: string
  p256dh: string
  auth: string
}

/** Claims messages for browsers whose login session is alive. The others go with their session. */
async function claimDue(ctx: Ctx): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select p.id from push_messages p join push_devices d on d.id = p.device_id
        join sessions s on s.id = d.session_id join members m on m.id = d.member_id
      where p.next_try_at <= clock_timestamp() and p.expires_at > clock_timestamp()
        and m.suspended_at is null and ${sql.raw(aliveSession)}
      order by p.next_try_at limit 20 for update of p skip locked
    )
    update push_messages p set attempts = p.attempts + 1,
      next_try_at = clock_timestamp() + least(interval '1 hour', interval '20 seconds' * power(2, p.attempts))
    from due, push_devices d where p.id = due.id and d.id = p.device_id
    returning p.id, p.device_id, d.member_id, p.dedupe_key, p.title, p.body, p.href, p.urgent, p.attempts,
      p.expires_at as until, extract(epoch from p.expires_at - clock_timestamp())::float8 as seconds_left,
      d.endpoint, d.p256dh, d.auth`.execute(ctx.db)
  return rows
}

async function deliver(ctx: Ctx, message: Due): Promise<void> {
  const result = await attempt(ctx, message)
  if (result === 'later') return
  if (result === 'gone') return removeGone(ctx, message)
  await ctx.db.deleteFrom('pushMessages').where('id', '=', message.id).execute()
  if (result === 'taken') {
    await ctx.db
      .updateTable('pushDevices')
      .set({ deliveredAt: sql`clock_timestamp()` })
      .where('id', '=', message.deviceId)
      .execute()
  }
}

async function attempt(ctx: Ctx, { memberId, ...message }: Due): Promise<PushResult> {
  const { push } = ctx.config
  if (!push) return 'later'
  // A tag that a browser shows nowhere, so it need not be secret: the same notification replaces itself.
  const tag = createHash('sha256').update(`${memberId} ${message.dedupeKey}`).digest('base64url').slice(0, 32)
  const { title, body, href, until } = message
  const payload: PushPayload = { title, body, href, tag, until }
  try {
    const result = await sendPush(push, message, {
      payload: JSON.stringify(payload),
      seconds: message.secondsLeft,
      urgent: message.urgent,
      topic: tag,
    })
    if (result === 'later' || result === 'refused') {
      ctx.log.warn({ pushId: message.id, result, attempt: message.attempts }, 'a push message was not taken')
    }
    return result
  } catch (err) {
    ctx.log.warn({ err, pushId: message.id, attempt: message.attempts }, 'a push message was not sent')
    return 'later'
  }
}

async function removeGone(ctx: Ctx, { deviceId, memberId }: Due) {
  await ctx.db.deleteFrom('pushDevices').where('id', '=', deviceId).execute()
  await emit(ctx, 'member.changed', { memberId }, [memberId])
}
