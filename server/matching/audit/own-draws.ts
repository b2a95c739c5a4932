// The draws that a member can check: of what they asked for, and of what was offered to them.
import { sql } from 'kysely'
import type { OwnDraw } from '#contract/matching.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { wasDrawn } from '#server/products/exchanges.ts'
import { canManage } from '#server/products/my-products.ts'
import { showsRequest } from '../snapshots.ts'

const latest = 10

/**
 * My latest requests and offers that were drawn, the newest first, each request once. An open offer is among
 * them once I have opened it.
 */
export async function listOwnDraws(ctx: MemberCtx): Promise<OwnDraw[]> {
  const { rows } = await sql<OwnDraw>`
    with mine as (
      (select q.id as request, 'seller' as side, p.title, q.lottery_day, q.created_at as at
        from review_queue q join products p on p.id = q.product_id
        where ${canManage(ctx, 'q.seller_id')} and ${wasDrawn}
        order by q.created_at desc, q.id desc limit ${latest})
      union all
      (select q.id, 'reviewer', coalesce(o.snapshot ->> 'title', p.title), q.lottery_day, o.offered_at
        from offers o join review_queue q on q.id = o.queue_id join products p on p.id = q.product_id
        where o.reviewer_id = ${ctx.who.id} and o.pass_id is not null
          and ${showsRequest}
        order by o.offered_at desc limit ${latest})
    )
    select request, side, title, lottery_day::text as day, exists (select from draw_records r
      where r.day = mine.lottery_day and r.kind = 'revealed') as published
    from mine order by at desc, request limit ${2 * latest}`.execute(ctx.db)
  const first = new Map<string, OwnDraw>()
  for (const row of rows) if (!first.has(row.request)) first.set(row.request, row)
  return [...first.values()].slice(0, latest)
}
