// Notification preferences: a member may switch each kind in the app, by mail and by push. At first push is
// off, and everything else is on. The activity is always written. Mails about security, the account and
// support have no kind and are always sent.
import { sql } from 'kysely'
import { noticeKinds } from '#contract/notifications.ts'
import type { NoticeKind, NoticePreference } from '#contract/notifications.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'

type Channel = 'inApp' | 'byEmail' | 'byPush'

/** My preferences, kind by kind, in the order of the contract. */
export async function listNoticePreferences(ctx: MemberCtx): Promise<NoticePreference[]> {
  const said = await ctx.db
    .selectFrom('noticePreferences')
    .select(['kind', 'inApp', 'byEmail', 'byPush'])
    .where('memberId', '=', ctx.who.id)
    .execute()
  // The keys are the kinds; Object.keys types them as strings.
  return (Object.keys(noticeKinds) as NoticeKind[]).map((kind) => {
    const {
      inApp = true,
      byEmail = true,
      byPush = false,
    } = said.find((preference) => preference.kind === kind) ?? {}
    return { kind, inApp, byEmail, byPush }
  })
}

/** Sets my channels for one kind from now on. Earlier notifications stay. */
export async function setNoticePreference(ctx: MemberCtx, input: NoticePreference) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    await sql`
      insert into notice_preferences (member_id, kind, in_app, by_email, by_push)
      values (${memberId}, ${input.kind}, ${input.inApp}, ${input.byEmail}, ${input.byPush})
      on conflict (member_id, kind) do update set in_app = excluded.in_app, by_email = excluded.by_email,
        by_push = excluded.by_push, updated_at = clock_timestamp()`.execute(ctx.db)
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}

/**
 * In SQL: whether a notification of this kind reaches the member in this column while they are away: by a
 * mail to an address that takes mails, or by a push message to a browser.
 */
export function isReachable(kind: NoticeKind, memberId: string) {
  return sql<boolean>`(
    select (coalesce(n.by_email, true) and m.email_verified
        and not exists (select from bounced_addresses b where b.address = lower(m.email)))
      or (coalesce(n.by_push, false) and exists (select from push_devices d where d.member_id = m.id))
    from members m left join notice_preferences n on n.member_id = m.id and n.kind = ${kind}
    where m.id = ${sql.ref(memberId)})`
}

/** Stops mails of this kind to this member from now on. Stopping them again changes nothing. */
export async function stopMails(ctx: Ctx, { memberId, kind }: { memberId: string; kind: NoticeKind }) {
  await inTransaction(ctx, async (ctx) => {
    const { numAffectedRows } = await sql`
      insert into notice_preferences as p (member_id, kind, in_app, by_email)
      select id, ${kind}, true, false from members where id = ${memberId} and erased_at is null
      on conflict (member_id, kind) do update set by_email = false, updated_at = clock_timestamp()
      where p.by_email`.execute(ctx.db)
    if (numAffectedRows === 1n) await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}

/**
 * Reads the preferences of all members at once. `wants` decides whether a member gets a kind by a channel,
 * `isHere` whether they still have an account.
 */
export async function readSwitches(ctx: Ctx, memberIds: string[]) {
  const said = await ctx.db
    .selectFrom('members')
    .leftJoin('noticePreferences', 'noticePreferences.memberId', 'members.id')
    .select(['members.id as memberId', 'kind', 'inApp', 'byEmail', 'byPush'])
    .where('members.id', 'in', [...new Set(memberIds)])
    .where('members.erasedAt', 'is', null)
    .execute()
  const here = new Set(said.map(({ memberId }) => memberId))
  const of = new Map(said.map((preference) => [`${preference.memberId} ${preference.kind}`, preference]))
  return {
    isHere: (memberId: string) => here.has(memberId),
    wants: (memberId: string, kind: NoticeKind | null, channel: Channel): boolean =>
      (kind === null ? undefined : of.get(`${memberId} ${kind}`))?.[channel] ?? channel !== 'byPush',
  }
}
