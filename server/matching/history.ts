// What history forbids: the pairs of a request and a member that the draw never makes. The pass and the
// staff's page about waiting requests read the same rules here.
import { sql } from 'kysely'
import { reofferHours } from '#contract/matching-rules.ts'
import type { SkipReason } from '#contract/draw.ts'
import { expectedRows } from '#server/kit/db/prepared.ts'
import { exclusionOf } from './exclusions/exclusions.ts'
import { pairBars } from './pairs.ts'
import type { WindowStart } from './pairs.ts'

/** A request's listing and seller with a member who may be asked; `edge` names the pair. */
type Edge = { edge: number; listing: string; seller: string; reviewer: string }

/**
 * In SQL: whether the offer `o` is so fresh, or its answer so final, that the listing is not offered to its
 * member again.
 */
export const askedRecently = sql<boolean>`(
  o.state = 'expired' and o.responded_at > clock_timestamp() - make_interval(hours =>
    ${sql.lit(reofferHours.expired)})
  or (o.state = 'declined' or o.by_declaration) and o.responded_at > clock_timestamp() -
    make_interval(hours => ${sql.lit(reofferHours.declined)})
  or o.state = 'declined' and o.reason in ('not_relevant', 'similar'))`

/**
 * In SQL: whether the review in this row keeps its writer from the listing: unless it lapsed before a
 * purchase was proved. Who bought it once cannot prove another purchase. An index has the same words.
 */
export function barsListing(review: 'r' | 'v') {
  return sql<boolean>`(${sql.ref(`${review}.status`)} <> 'lapsed'
    or ${sql.ref(`${review}.purchased_at`)} is not null)`
}

/**
 * In SQL: the edges of these that history forbids, each with its reasons: paired within the pair window, the
 * listing reviewed, sold or declined before, excluded by what a member stated, or asked recently.
 */
export function forbiddenOf(edges: readonly Partial<Edge>[], since: WindowStart) {
  return sql<{ edge: number; reason: SkipReason }>`
    with e as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(edges)}::jsonb) as t(edge int, listing uuid,
        seller uuid, reviewer uuid)
      limit ${expectedRows(edges)}
    )
    select e.edge, 'paired_before' as reason from e
      join pair_uses u on u.lo = least(e.seller, e.reviewer) and u.hi = greatest(e.seller, e.reviewer)
      where ${pairBars(sql`e.reviewer`, since)}
    union all
    select e.edge, 'reviewed_before' from e
      join reviews r on r.reviewer_id = e.reviewer and r.listing_id = e.listing and ${barsListing('r')}
    union all
    select e.edge, 'own_product' from e
      join products p on p.listing_id = e.listing and p.seller_id = e.reviewer
    union all
    select e.edge, 'asked_recently' from e
      join review_queue q on q.listing_id = e.listing
      join offers o on o.queue_id = q.id and o.reviewer_id = e.reviewer
      where ${askedRecently}
    union all
    select edge, reason from (
      select e.edge, ${exclusionOf('e.reviewer')} as reason from e
        cross join lateral (
          -- Limited, so that the planner looks each listing up instead of reading all products.
          select listing_id, seller_id, category, format from products
          where listing_id = e.listing and seller_id = e.seller and deleted_at is null limit 1
        ) p
    ) excluded where reason is not null`
}

type Window = {
  requests: readonly { listingId: string; sellerId: string }[]
  candidates: readonly { memberId: string }[]
}

/**
 * In SQL: for each request of a window and each reason, the places of the candidates whom history forbids, as
 * a list with commas. It leaves out what members stated, which the check of each chosen pair finds.
 */
export function historyOf({ requests, candidates }: Window, since: WindowStart) {
  const asked = requests.map(({ listingId, sellerId }, n) => ({ n, listing: listingId, seller: sellerId }))
  const members = candidates.map(({ memberId }, n) => ({ n, id: memberId }))
  return sql<{ request: number; reason: SkipReason; places: string }>`
    with r as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as t(n int, listing uuid, seller uuid)
      limit ${expectedRows(asked)}
    ), m as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as t(n int, id uuid)
      limit ${expectedRows(members)}
    )
    select f.request, f.reason, string_agg(f.place::text, ',') as places from (
      select r.n as request, m.n as place, 'paired_before' as reason from r
        join pair_uses u on u.lo = r.seller join m on m.id = u.hi where ${pairBars(sql`m.id`, since)}
      union all
      select r.n, m.n, 'paired_before' from r
        join pair_uses u on u.hi = r.seller join m on m.id = u.lo where ${pairBars(sql`m.id`, since)}
      union all
      select r.n, m.n, 'reviewed_before' from r
        join reviews v on v.listing_id = r.listing join m on m.id = v.reviewer_id where ${barsListing('v')}
      union all
      select r.n, m.n, 'own_product' from r
        join products p on p.listing_id = r.listing join m on m.id = p.seller_id
      union all
      select r.n, m.n, 'asked_recently' from r
        join review_queue q on q.listing_id = r.listing join offers o on o.queue_id = q.id
        join m on m.id = o.reviewer_id where ${askedRecently}
    ) f group by f.request, f.reason`
}
