// The facts of the contract's two predicates, read for a member in as few queries as possible.
import { sql } from 'kysely'
import { capRelaxation, productExposure } from '#contract/matching.ts'
import type { AskFacts, ReceiveFacts } from '#contract/matching.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { standingFacts, takesPart } from '#server/membership/standings.ts'
import { canManage } from '#server/products/my-products.ts'
import { exclusionOf } from './exclusions.ts'
import { readPairWindow, windowStart } from './pairs.ts'

/**
 * The facts that decide whether I may request a review, for each of my products here. `nextAt`: when a
 * refusal may end.
 */
export async function readAskFacts(
  ctx: MemberCtx,
  productIds: string[],
): Promise<Map<string, AskFacts & { nextAt: string | null }>> {
  const since = windowStart(await readPairWindow(ctx))
  const { rows } = await sql<AskFacts & { productId: string; exposureEnds: string | null }>`
    select p.id as product_id, ${standingFacts},
      p.archived_at is null as product_live, k.lane <> 'closed' as marketplace_open,
      exists (select from review_queue q where q.listing_id = p.listing_id and q.status in ('queued', 'held',
        'offered', 'in_review')) as open_request,
      exposed.reviews as completed_in90_days, exposed.ends as exposure_ends,
      s.balance, s.pending_take, s.open_requests, s.give_first,
      (select count(*) from ledger_entries l where l.member_id = p.seller_id
        and l.reason = 'gave') as given_ever,
      (select count(*) from (
        select from reviewer_states c where ${takesPart('c.member_id')} and c.member_id <> p.seller_id
          and c.available_at < clock_timestamp() + interval '24 hours'
          and c.last_seen_at > clock_timestamp() - interval '168 hours'
          and c.balance + c.pending_give < 4
          and not exists (select from pair_uses u where u.lo = least(c.member_id, p.seller_id)
            and u.hi = greatest(c.member_id, p.seller_id)
            and (u.held or u.last_at > ${since}))
          and not exists (select from reviews r where r.reviewer_id = c.member_id
            and r.listing_id = p.listing_id and r.status <> 'lapsed')
          and ${exclusionOf('c.member_id')} is null
          and not exists (select from products o where o.listing_id = p.listing_id
            and o.seller_id = c.member_id)
        limit 2) could) as members_who_could
    from products p
    join marketplaces k on k.id = p.marketplace_id
    join reviewer_states s on s.member_id = p.seller_id
    join standings t on t.member_id = p.seller_id
    cross join lateral (
      select count(*) as reviews, min(q.completed_at) + make_interval(hours => ${productExposure.days * 24})
        as ends
      from review_queue q where q.listing_id = p.listing_id and q.status = 'completed'
        and q.completed_at > clock_timestamp() - make_interval(hours => ${productExposure.days * 24})
    ) exposed
    where ${canManage(ctx, 'p.seller_id')} and p.id = any(${productIds}::uuid[])
      and p.deleted_at is null`.execute(ctx.db)
  return new Map(
    rows.map(({ productId, exposureEnds, ...facts }) => {
      const nextAt = facts.completedIn90Days >= productExposure.reviews ? exposureEnds : null
      return [productId, { ...facts, nextAt }]
    }),
  )
}

/** The facts that decide whether I may get an offer now. The age of `requestId` relaxes the giving cap. */
export async function readReceiveFacts(ctx: MemberCtx, requestId?: string): Promise<ReceiveFacts | null> {
  const { rows } = await sql<Omit<ReceiveFacts, 'relaxation'> & { ageHours: number | null }>`
    select ${standingFacts},
      s.balance, s.pending_give,
      exists (select from offers o where o.reviewer_id = s.member_id and o.state = 'open') as open_offer,
      coalesce(s.cooldown_until > clock_timestamp(), false) as on_cooldown,
      (select count(*) from offers o where o.reviewer_id = s.member_id and o.state = 'accepted'
        and o.responded_at >= date_trunc('day', clock_timestamp(), 'UTC')) as accepted_today,
      (select count(*) from offers o where o.reviewer_id = s.member_id and o.state = 'accepted'
        and o.responded_at > clock_timestamp() - interval '168 hours') as accepted_in_week,
      exists (select from reviews r where r.reviewer_id = s.member_id and r.status = 'pending'
        and r.purchase_due_at < clock_timestamp()) as overdue_review,
      (select extract(epoch from clock_timestamp() - q.created_at) / 3600 from review_queue q
        where q.id = ${requestId ?? null}::uuid)::float8 as age_hours
    from reviewer_states s join standings t on t.member_id = s.member_id
    where s.member_id = ${ctx.who.id}`.execute(ctx.db)
  const row = rows[0]
  if (!row) return null
  const { ageHours, ...facts } = row
  return { ...facts, relaxation: ageHours === null ? 0 : capRelaxation(ageHours) }
}
