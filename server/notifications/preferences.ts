// What a member wants to be told of each kind, in the app and by mail. Everything is on until they say otherwise. The activity is always
// written, and mails about security, the account and support are always sent: they are of no kind.
import { sql } from 'kysely'
import { noticeKinds } from '#contract/notifications.ts'
import type { NoticeKind, NoticePreference } from '#contract/notifications.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'

/** What I am told, kind by kind, in the order of the contract. */
export async function listNoticePreferences(ctx: MemberCtx): Promise<NoticePreference[]> {
  const said = await ctx.db
    .selectFrom('noticePreferences')
    .select(['kind', 'inApp', 'byEmail'])
    .where('memberId', '=', ctx.who.id)
    .execute()
  // The keys are the kinds; Object.keys forgets it.
  return (Object.keys(noticeKinds) as NoticeKind[]).map((kind) => {
    const { inApp = true, byEmail = true } = said.find((preference) => preference.kind === kind) ?? {}
    return { kind, inApp, byEmail }
  })
}

/** What I want to be told of one kind from now on. What was told before stays. */
export async function setNoticePreference(ctx: MemberCtx, wish: NoticePreference) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    await sql`
      insert into notice_preferences (member_id, kind, in_app, by_email)
      values (${memberId}, ${wish.kind}, ${wish.inApp}, ${wish.byEmail})
      on conflict (member_id, kind) do update
        set in_app = excluded.in_app, by_email = excluded.by_email, updated_at = clock_timestamp()`.execute(
      ctx.db,
    )
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}

/** No mails of this kind to this member from now on. Switching off twice changes nothing. */
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

/** What members have switched off, in one question for all of them: whether this one may be told of this kind by this channel. */
export async function readSwitches(ctx: Ctx, memberIds: string[]) {
  const said = await ctx.db
    .selectFrom('noticePreferences')
    .select(['memberId', 'kind', 'inApp', 'byEmail'])
    .where('memberId', 'in', [...new Set(memberIds)])
    .execute()
  const of = new Map(said.map((preference) => [`${preference.memberId} ${preference.kind}`, preference]))
  return (memberId: string, kind: NoticeKind | null, channel: 'inApp' | 'byEmail') =>
    (kind === null ? undefined : of.get(`${memberId} ${kind}`))?.[channel] ?? true
}
