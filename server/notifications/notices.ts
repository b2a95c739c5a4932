// Notifies members: a notice in the inbox, a push message, a line in the activity, and a mail where it
// matters. Each module decides what to send in its own `notices.ts`.
import { sql } from 'kysely'
import type { NoticeKind } from '#contract/notifications.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { queueMails } from '#server/kit/mail/mail.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { readSwitches } from './preferences.ts'
import { dropPushes, queuePushes } from './push-messages.ts'
import type { ShownNotice } from './push-messages.ts'
import { unsubscribeHref } from './unsubscribe.ts'

export type Notification = {
  memberId: string
  /** The event and the id of its row. Each key is delivered once, ever. */
  key: string
  /** The kind, which the member may have switched off; null for notifications that are always sent. */
  kind: NoticeKind | null
  notice?: ShownNotice
  activity?: {
    type: 'reviews' | 'matching' | 'billing'
    title: string
    description: string
    status: 'success' | 'error' | 'pending' | 'info'
    href?: string
  }
  mail?: { template: string; props: MailProps }
}

/** Notifies one member, in the action's transaction. The same key is delivered once. */
export function notify(ctx: Ctx, notification: Notification) {
  return notifyAll(ctx, [notification])
}

/**
 * Notifies many members, each channel in one statement. Activity is always written. A deleted account gets
 * nothing more.
 */
export async function notifyAll(ctx: Ctx, all: Notification[]) {
  if (all.length === 0) return
  const { isHere, wants } = await readSwitches(
    ctx,
    all.map(({ memberId }) => memberId),
  )
  const notifications = all.filter(({ memberId }) => isHere(memberId))
  await addNotices(
    ctx,
    notifications.filter(({ memberId, kind }) => wants(memberId, kind, 'inApp')),
  )
  await queuePushes(
    ctx,
    notifications.filter(({ memberId, kind }) => wants(memberId, kind, 'byPush')),
  )
  await addActivity(ctx, notifications)
  await addMails(
    ctx,
    notifications.filter(({ memberId, kind }) => wants(memberId, kind, 'byEmail')),
  )
}

/**
 * Settles the notices of these members whose keys match one of the patterns (as for SQL's `like`): what they
 * are about is over. They count as read.
 */
export async function settleNotices(
  ctx: Ctx,
  { memberIds, keys }: { memberIds: string[]; keys: string[] },
): Promise<void> {
  if (keys.length === 0) return
  await dropPushes(ctx, { memberIds, keys })
  // The keys are read in their index alone: a member's notices lie far apart in the table.
  const { rows } = await sql<{ memberId: string }>`
    with over as materialized (
      select member_id, dedupe_key from notices
      where member_id = any(${memberIds}::uuid[]) and dedupe_key like any(${keys}::text[])
    )
    update notices n set settled_at = clock_timestamp(), read_at = coalesce(n.read_at, clock_timestamp())
    from over where n.member_id = over.member_id and n.dedupe_key = over.dedupe_key and n.settled_at is null
    returning n.member_id`.execute(ctx.db)
  if (rows.length === 0) return
  // Rows come in any order; the event is the same whichever it was.
  await emit(ctx, 'notice.read', {}, rows.map(({ memberId }) => memberId).toSorted())
}

async function addNotices(ctx: Ctx, notifications: Notification[]) {
  const notices = notifications.flatMap(({ memberId, key, notice }) =>
    notice ? [{ id: newId(), member: memberId, key, ...notice }] : [],
  )
  if (notices.length === 0) return
  const { rows } = await sql<{ id: string; memberId: string }>`
    insert into notices (id, member_id, dedupe_key, title, message, priority, action_label, action_href)
    select id, member, key, title, message, priority, action ->> 'label', action ->> 'href'
    from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
      as t(id uuid, member uuid, key text, title text, message text, priority text, action jsonb)
    on conflict (member_id, dedupe_key) do nothing
    returning id, member_id`.execute(ctx.db)
  await emitAll(
    ctx,
    'notice.created',
    rows.map(({ id, memberId }) => ({ fields: { noticeId: id }, recipients: [memberId] })),
  )
}

// A later text about the same event is the more precise one, such as with the reason of our staff.
async function addActivity(ctx: Ctx, notifications: Notification[]) {
  const items = notifications.flatMap(({ memberId, key, activity }) =>
    activity ? [{ id: newId(), member: memberId, key, ...activity }] : [],
  )
  if (items.length === 0) return
  await sql`
    insert into activity_items (id, member_id, dedupe_key, type, title, description, status, href)
    select id, member, key, type, title, description, status, href
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as t(id uuid, member uuid, key text, type text, title text, description text, status text, href text)
    on conflict (member_id, dedupe_key) do update set description = excluded.description
      where activity_items.description <> excluded.description`.execute(ctx.db)
}

async function addMails(ctx: Ctx, notifications: Notification[]) {
  const wanted = notifications.flatMap(({ mail, ...about }) => (mail ? [{ ...about, mail }] : []))
  if (wanted.length === 0) return
  const reachable = await ctx.db
    .selectFrom('members')
    .select(['id', 'email', 'username', 'displayName', 'fullName', 'locale', 'timeZone'])
    .where('id', 'in', [...new Set(wanted.map(({ memberId }) => memberId))])
    .where('emailVerified', '=', true)
    .where('erasedAt', 'is', null)
    .execute()
  const members = new Map(reachable.map((member) => [member.id, member]))
  await queueMails(
    ctx,
    wanted.flatMap(({ memberId, key, kind, mail }) => {
      const to = members.get(memberId)
      if (!to) return []
      const { locale, timeZone } = to
      const name = to.displayName || to.fullName || to.username || 'there'
      const unsubscribe = kind ? unsubscribeHref(ctx.config, { memberId, kind }) : null
      return [
        {
          to: to.email,
          memberId,
          template: mail.template,
          props: { name, locale, timeZone, unsubscribe, ...mail.props },
          dedupeKey: `${memberId}:${key}`,
        },
      ]
    }),
  )
}
