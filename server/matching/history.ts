// What history forbids: the pairs of a request and a member that the draw never makes. The pass and the
// staff's page about waiting requests read the same rules here.
import { sql } from 'kysely'
import { reofferHours } from '#contract/matching.ts'
import type { SkipReason } from './draw.ts'
import { exclusionOf } from './exclusions.ts'
import type { windowStart } from './pairs.ts'

/** A request's listing and seller with a member who may be asked; `edge` names the pair. */
export type Edge = { edge: number; listing: string; seller: string; reviewer: string }

/**
 * In SQL: the edges of these that history forbids, each with its reasons: paired within the pair window, the
 * listing reviewed, sold or declined before, excluded by what a member stated, or asked recently.
 */
export function forbiddenOf(edges: readonly Partial<Edge>[], since: ReturnType<typeof windowStart>) {
  return sql<{ edge: number; reason: SkipReason }>`
    with e as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(edges)}::jsonb) as t(edge int, listing uuid,
        seller uuid, reviewer uuid)
    )
    select e.edge, 'paired_before' as reason from e
      join pair_uses u on u.lo = least(e.seller, e.reviewer) and u.hi = greatest(e.seller, e.reviewer)
      where u.held or u.last_at > ${since}
    union all
    select e.edge, 'reviewed_before' from e
      join reviews r on r.reviewer_id = e.reviewer and r.listing_id = e.listing and r.status <> 'lapsed'
    union all
    select e.edge, 'own_product' from e
      join products p on p.listing_id = e.listing and p.seller_id = e.reviewer
    union all
    select e.edge, 'asked_recently' from e
      join review_queue q on q.listing_id = e.listing
      join offers o on o.queue_id = q.id and o.reviewer_id = e.reviewer
      where (o.state = 'expired' and o.responded_at > clock_timestamp() - make_interval(hours =>
        ${reofferHours.expired}))
         or (o.state = 'declined' and o.responded_at > clock_timestamp() - make_interval(hours =>
           ${reofferHours.declined}))
    union all
    select e.edge, 'asked_recently' from e
      join review_queue q on q.listing_id = e.listing
      join offers o on o.queue_id = q.id and o.reviewer_id = e.reviewer
      where o.state = 'declined' and o.reason in ('not_relevant', 'similar')
    union all
    select edge, reason from (
      select e.edge, ${exclusionOf('e.reviewer')} as reason from e
        join products p on p.listing_id = e.listing and p.seller_id = e.seller and p.deleted_at is null
    ) excluded where reason is not null`
}
