import { sql } from 'kysely'
import type { LedgerEntry, LedgerPage } from '#contract/ledger.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import type { PageInput } from '#server/kit/db/db.ts'
import { listStatementMonths } from './statement.ts'

type Exchange = {
  reviewId: string | null
  queueId: string | null
  title: string | null
  isMine: boolean | null
}

/**
 * My entries, newest first, each with the balance after it, and the sum of all. A correction stands with the
 * exchange of the entry that it corrects.
 */
export async function listLedger(ctx: MemberCtx, { cursor, limit = 20 }: PageInput): Promise<LedgerPage> {
  const { rows } = await sql<Omit<LedgerEntry, 'exchange'> & Exchange>`
    with shown as (
      select id, at, reason, delta, review_id, corrects from ledger_entries
      where member_id = ${ctx.who.id} and ${afterCursor(cursor, sql`at, id`)}
      order by at desc, id desc limit ${limit + 1}
    ),
    newest as (select at, id from shown order by at desc, id desc limit 1),
    start as (select sum(e.delta) as balance from ledger_entries e, newest n
      where e.member_id = ${ctx.who.id} and (e.at, e.id) <= (n.at, n.id))
    select s.id, s.at, s.reason, s.delta, r.id as review_id, o.snapshot ->> 'title' as title,
      r.reviewer_id = ${ctx.who.id} as is_mine,
      case when o.pass_id is not null then o.queue_id end as queue_id,
      (start.balance - coalesce(sum(s.delta) over (order by s.at desc, s.id desc
        rows between unbounded preceding and 1 preceding), 0))::int as balance
    from shown s cross join start
    left join ledger_entries c on c.id = s.corrects
    left join reviews r on r.id = coalesce(s.review_id, c.review_id)
    left join offers o on o.queue_id = r.queue_id and o.state = 'accepted'
    order by s.at desc, s.id desc`.execute(ctx.db)
  const page = pageOf(rows, limit, ({ at, id }) => ({ time: at, id }))
  return {
    ...(await readSum(ctx)),
    months: await listStatementMonths(ctx),
    next: page.next,
    items: page.items.map(({ reviewId, queueId, title, isMine, ...entry }) => ({
      ...entry,
      exchange: reviewId
        ? { reviewId, queueId, productTitle: title ?? '', side: isMine ? 'mine' : 'received' }
        : null,
    })),
  }
}

async function readSum(ctx: MemberCtx): Promise<{ entries: number; sum: number }> {
  const { rows } = await sql<{ entries: number; sum: number }>`
    select count(*)::int as entries, coalesce(sum(delta), 0)::int as sum
    from ledger_entries where member_id = ${ctx.who.id}`.execute(ctx.db)
  return rows[0] ?? { entries: 0, sum: 0 }
}
