// The lists of a member's page. Exchanges that the caller is part of are not named in any of them.
import { sql } from 'kysely'
import type { MailRow, StaffActionRow } from '#contract/staff/exchanges.ts'
import type { ActivityRow, LedgerRow, MemberExchangeRow } from '#contract/staff/member-page.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordLook } from '#server/kit/staff-actions.ts'
import { reviewOfEntry } from '#server/reviews/corrections.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { idsOfMyExchanges, namesNone } from '../exchanges/own-exchanges.ts'
import { notMine, rowColumns, rowSources } from '../exchanges/rows.ts'
import { mailColumns } from '../mail-rows.ts'
import { actionColumns } from '../staff-action-rows.ts'

type Of = PageInput & { id: string }

/** Refuses OWN_MATTER and NOT_FOUND. The look at the member is recorded, as that at their page. */
async function openMember(ctx: MemberCtx, id: string) {
  await refuseOwnMatter(ctx, [id])
  const { rows } = await sql`select from members where id = ${id}`.execute(ctx.db)
  if (rows.length === 0) throw refuse('NOT_FOUND')
  await recordLook(ctx, { action: 'member_viewed', memberId: id, subject: { kind: 'member', id } })
}

/** The ledger with the balance after each entry, counted without those of the caller's own exchanges. */
export async function listMemberLedger(ctx: MemberCtx, input: Of): Promise<Page<LedgerRow>> {
  await openMember(ctx, input.id)
  const limit = input.limit ?? 50
  const { rows } = await sql<LedgerRow>`
    select e.id, e.at, e.reason, e.delta, e.balance, e.corrects,
      q.id as exchange_id, p.title as product,
      exists (select from ledger_entries c where c.corrects = e.id) as corrected
    from (
      select l.id, l.at, l.reason, l.delta, l.corrects, q.id as queue_id,
        sum(l.delta) over (order by l.at, l.id)::int as balance
      from ledger_entries l left join reviews r on r.id = ${reviewOfEntry(sql`l.id`)}
      left join review_queue q on q.id = r.queue_id
      where l.member_id = ${input.id} and (q.id is null or ${notMine(ctx)})
    ) e left join review_queue q on q.id = e.queue_id and e.corrects is null
    left join products p on p.id = q.product_id
    where ${afterCursor(input.cursor, sql`e.at, e.id`)}
    order by e.at desc, e.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ at, id }) => ({ time: at, id }))
}

type Side = { side: 'seller' | 'reviewer' | 'offers' }

/** The requests of a member, the reviews they write, or the offers they got. */
export async function listMemberExchanges(
  ctx: MemberCtx,
  input: Of & Side,
): Promise<Page<MemberExchangeRow>> {
  await openMember(ctx, input.id)
  const limit = input.limit ?? 50
  const { from, at, id, note } = sides[input.side](input.id)
  const { rows } = await sql<MemberExchangeRow & { placeAt: string; placeId: string }>`
    select ${rowColumns}, ${note} as note, ${sql.ref(id)} as place_id, ${sql.ref(at)} as place_at
    from ${from} ${rowSources}
    where ${afterCursor(input.cursor, sql`${sql.ref(at)}, ${sql.ref(id)}`)} and ${notMine(ctx)}
    order by ${sql.ref(at)} desc, ${sql.ref(id)} desc limit ${limit + 1}`.execute(ctx.db)
  const { items, next } = pageOf(rows, limit, ({ placeAt, placeId }) => ({ time: placeAt, id: placeId }))
  return { items: items.map(({ placeAt, placeId, ...row }) => ({ ...row, key: placeId, at: placeAt })), next }
}

const sides = {
  seller: (id: string) => ({
    from: sql`(select * from review_queue where seller_id = ${id}) q`,
    at: 'q.created_at',
    id: 'q.id',
    note: sql`null::text`,
  }),
  reviewer: (id: string) => ({
    from: sql`(select * from review_queue where id in
      (select queue_id from reviews where reviewer_id = ${id})) q`,
    at: 'q.accepted_at',
    id: 'q.id',
    note: sql`null::text`,
  }),
  offers: (id: string) => ({
    from: sql`(select id as offer_id, queue_id, state as offer_state, offered_at as made_at, reason
      from offers where reviewer_id = ${id}) f join review_queue q on q.id = f.queue_id`,
    at: 'f.made_at',
    id: 'f.offer_id',
    note: sql`f.offer_state || coalesce(': ' || f.reason, '')`,
  }),
}

/** The mails to a member: which, when and how it went. */
export async function listMemberMails(ctx: MemberCtx, input: Of): Promise<Page<MailRow>> {
  await openMember(ctx, input.id)
  const limit = input.limit ?? 50
  const { rows } = await sql<MailRow>`
    select ${mailColumns} from mails m
    where m.member_id = ${input.id} and ${afterCursor(input.cursor, sql`m.created_at, m.id`)}
    order by m.created_at desc, m.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ at, id }) => ({ time: at, id }))
}

/** What the activity log holds about a member. */
export async function listMemberActivity(ctx: MemberCtx, input: Of): Promise<Page<ActivityRow>> {
  await openMember(ctx, input.id)
  const limit = input.limit ?? 50
  const { rows } = await sql<ActivityRow>`
    select l.id, l.created_at as at, l.action, l.metadata as details, l.ip_address as address
    from activity_logs l
    where l.member_id = ${input.id} and ${namesNone(await idsOfMyExchanges(ctx))}
      and ${afterCursor(input.cursor, sql`l.created_at, l.id`)}
    order by l.created_at desc, l.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ at, id }) => ({ time: at, id }))
}

/** What our staff did about a member, and who looked. */
export async function listMemberActions(ctx: MemberCtx, input: Of): Promise<Page<StaffActionRow>> {
  await openMember(ctx, input.id)
  const limit = input.limit ?? 50
  const { rows } = await sql<StaffActionRow>`
    select ${actionColumns} from staff_actions a left join members w on w.id = a.actor_id
    where a.member_id = ${input.id} and ${afterCursor(input.cursor, sql`a.at, a.id`)}
      and (a.subject_id is null or a.subject_id <> all(${await idsOfMyExchanges(ctx)}::uuid[]))
    order by a.at desc, a.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ at, id }) => ({ time: at, id }))
}
