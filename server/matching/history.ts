// What history forbids: the pairs of a request and a member that the draw never makes. The pass and the
// staff's page about waiting requests read the same rules here.
import { sql } from 'kysely'
import { reofferHours } from '#contract/matching-rules.ts'
import type { SkipReason } from '#contract/draw.ts'
import { exclusionOf } from './exclusions.ts'
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
 * In SQL: the edges of these that history forbids, each with its reasons: paired within the pair window, the
 * listing reviewed, sold or declined before, excluded by what a member stated, or asked recently. A lateral
 * part with a limit is looked up for each pair: the planner would read the whole table of a small club.
 */
export function forbiddenOf(edges: readonly Partial<Edge>[], since: WindowStart) {
  return sql<{ edge: number; reason: SkipReason }>`
    with e as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(edges)}::jsonb) as t(edge int, listing uuid,
        seller uuid, reviewer uuid)
    )
    select e.edge, 'paired_before' as reason from e cross join lateral (
      select from pair_uses u
      where u.lo = least(e.seller, e.reviewer) and u.hi = greatest(e.seller, e.reviewer)
        and ${pairBars(sql`e.reviewer`, since)} limit 1
    ) u
    union all
    select e.edge, 'reviewed_before' from e cross join lateral (
      select from reviews r
      where r.reviewer_id = e.reviewer and r.listing_id = e.listing and r.status <> 'lapsed' limit 1
    ) r
    union all
    select e.edge, 'own_product' from e cross join lateral (
      select from products where listing_id = e.listing and seller_id = e.reviewer limit 1
    ) p
    union all
    select e.edge, 'asked_recently' from e cross join lateral (
      select from review_queue q join offers o on o.queue_id = q.id and o.reviewer_id = e.reviewer
      where q.listing_id = e.listing and ${askedRecently} limit 1
    ) o
    union all
    select edge, reason from (
      select e.edge, ${exclusionOf('e.reviewer')} as reason from e
        cross join lateral (
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
    ), m as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as t(n int, id uuid)
    )
    select f.request, f.reason, string_agg(f.place::text, ',') as places from (
      select r.n as request, m.n as place, 'paired_before' as reason from r
        cross join lateral (select * from pair_uses where lo = r.seller offset 0) u
        join m on m.id = u.hi where ${pairBars(sql`m.id`, since)}
      union all
      select r.n, m.n, 'paired_before' from r
        cross join lateral (select * from pair_uses where hi = r.seller offset 0) u
        join m on m.id = u.lo where ${pairBars(sql`m.id`, since)}
      union all
      select r.n, m.n, 'reviewed_before' from r
        cross join lateral (select reviewer_id from reviews
          where listing_id = r.listing and status <> 'lapsed' offset 0) v
        join m on m.id = v.reviewer_id
      union all
      select r.n, m.n, 'own_product' from r
        cross join lateral (select seller_id from products where listing_id = r.listing offset 0) p
        join m on m.id = p.seller_id
      union all
      select r.n, m.n, 'asked_recently' from r
        cross join lateral (select o.* from review_queue q join offers o on o.queue_id = q.id
          where q.listing_id = r.listing and ${askedRecently} offset 0) o
        join m on m.id = o.reviewer_id
    ) f group by f.request, f.reason`
}
