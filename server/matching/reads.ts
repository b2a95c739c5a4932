import { sql } from 'kysely'
import { refusals } from '#contract/index.ts'
import { givenReasons } from '#contract/ledger.ts'
import { canReceiveOffer, canRequestReview } from '#contract/matching.ts'
import { offerManners, productExposure } from '#contract/matching-rules.ts'
import type { Balance, Cooldown, Offer, ReviewRequest } from '#contract/matching.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { startOfToday } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from '#server/products/my-products.ts'
import { placeInQueue } from './candidates.ts'
import { acceptedBy } from './limits/accepted.ts'
import { givesFirst } from './limits/give-first.ts'
import { readAskFacts, readReceiveFacts } from './facts.ts'
import { endsFrom } from './presence/rests.ts'
import { offered } from './snapshots.ts'

/** One of my requests, with its place in the queue while it waits. Refuses NOT_FOUND. */
export async function getRequest(ctx: MemberCtx, queueId: string): Promise<ReviewRequest> {
  const { rows } = await sql<ReviewRequest>`
    select q.id, q.product_id, q.status, q.created_at,
      ${placeInQueue} as position,
      (select f.typical_wait_hours from rotation_figures f) as typical_wait_hours
    from review_queue q where q.id = ${queueId} and ${canManage(ctx, 'q.seller_id')}`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw refuse('NOT_FOUND')
  return row
}

/** My open offer, if any, the oldest first. Reading it marks it as seen. */
export async function findCurrentOffer(ctx: MemberCtx): Promise<Offer | null> {
  const { rows } = await sql<
    Omit<Offer, 'consentNeeded'> & {
      seen: boolean
      consented: boolean
      marketplaceId: string
      policyVersion: number
      policyUrl: string
      policySentence: string
    }
  >`
    select offers.id, offers.seen_at is not null as seen, q.id as queue_id,
      ${offered.title} as product_title, ${offered.description} as product_description,
      ${offered.imageId} as product_image, ${offered.category} as category, ${offered.format} as format,
      ${offered.priceCents} as price_cents, ${offered.couponCents} as coupon_cents,
      ${offered.imageFocus} as image_focus, k.coupon_prices, k.name as marketplace_name, k.lane, k.disclosure,
      q.offered_at, q.offer_expires_at as expires_at, clock_timestamp() as server_time,
      ${declinesToday('q.offered_to', true)} as declines_today,
      ${declinesToday('q.offered_to', false)} as free_declines_today,
      (select s.refusals from reviewer_states s where s.member_id = q.offered_to) as refusals,
      offers.set_aside_at is not null as set_aside,
      mine.answered_at + make_interval(secs => ${offerManners.quietSeconds}) as quiet_until,
      mine.answered_at is null and not exists (
        select from products s where s.seller_id = q.offered_to and s.deleted_at is null) as newcomer,
      k.id as marketplace_id, k.policy_version, k.policy_url, k.policy_sentence,
      exists (select from marketplace_consents c where c.member_id = q.offered_to and c.marketplace_id = k.id
        and c.policy_version = k.policy_version) as consented
    from review_queue q
    join offers on offers.queue_id = q.id and offers.state = 'open'
    join products p on p.id = q.product_id
    join marketplaces k on k.id = p.marketplace_id
    cross join lateral (select max(responded_at) as answered_at from offers
      where reviewer_id = q.offered_to and state in ('accepted', 'declined')) mine
    where q.offered_to = ${ctx.who.id} and q.status = 'offered' and q.offer_expires_at > clock_timestamp()
    order by q.offered_at limit 1`.execute(ctx.db)
  const row = rows[0]
  if (!row) return null
  const { seen, consented, marketplaceId, policyVersion, policyUrl, policySentence, ...offer } = row
  if (!seen) await markSeen(ctx, offer.id)
  return {
    ...offer,
    consentNeeded: consented ? null : { marketplaceId, policyVersion, policyUrl, policySentence },
  }
}

/** Notes that an offer was seen, at first. */
export async function markSeen(ctx: Ctx, offerId: string): Promise<void> {
  await ctx.db
    .updateTable('offers')
    .set({ seenAt: sql`clock_timestamp()` })
    .where('id', '=', offerId)
    .where('seenAt', 'is', null)
    .execute()
}

/** The reviews I gave and received, those in progress, and whether I may get an offer now. */
export async function getBalance(ctx: MemberCtx): Promise<Balance> {
  const { rows } = await sql<Omit<Balance, 'offerRefusal'>>`
    select s.balance, s.pending_give, s.pending_take, s.open_requests, ${givesFirst} as give_first,
      (select count(*)::int from ledger_entries l where l.member_id = s.member_id
        and l.reason in ${oneOf(givenReasons)}) as given,
      (select count(*)::int from ledger_entries l where l.member_id = s.member_id
        and l.reason = 'received') as received,
      (select coalesce(-sum(l.delta), 0)::int from ledger_entries l where l.member_id = s.member_id
        and l.reason in ('carried', 'settled')) as carried,
      (select coalesce(sum(l.delta), 0)::int from ledger_entries l where l.member_id = s.member_id
        and l.reason = 'corrected') as corrected
    from reviewer_states s where s.member_id = ${ctx.who.id}`.execute(ctx.db)
  const row = rows[0] ?? {
    balance: 0,
    pendingGive: 0,
    pendingTake: 0,
    openRequests: 0,
    giveFirst: false,
    given: 0,
    received: 0,
    carried: 0,
    corrected: 0,
  }
  const facts = await readReceiveFacts(ctx)
  const may = facts ? canReceiveOffer({ ...facts, openOffer: false }) : 'EMAIL_UNVERIFIED'
  return { ...row, offerRefusal: may === true ? null : { code: may, message: refusals[may].message } }
}

/** How many offers a member declined on this UTC day: those that count, or those without a cooldown. */
function declinesToday(memberId: string, counted: boolean) {
  return sql`(select count(*)::int from decline_history d where d.reviewer_id = ${sql.ref(memberId)}
    and d.counted = ${sql.lit(counted)}
    and d.created_at >= ${startOfToday})`
}

/** My declines of this UTC day, my cooldown and my rest; null for a user who is not in the rotation. */
export async function findCooldown(ctx: MemberCtx): Promise<Cooldown | null> {
  const { rows } = await sql<Omit<Cooldown, 'history'>>`
    select s.cooldown_until, s.last_decline_reset, clock_timestamp() as server_time, s.refusals,
      case when s.rest_until > clock_timestamp() then s.rest_until end as rest_until,
      case when ${endsFrom} > clock_timestamp() then ${endsFrom} end as ready_from,
      ${declinesToday('s.member_id', true)} as declines_today,
      ${declinesToday('s.member_id', false)} as free_declines_today,
      accepted.today as accepted_today, accepted.week as accepted_in_week
    from reviewer_states s cross join lateral ${acceptedBy(sql`s.member_id`)} accepted
    where s.member_id = ${ctx.who.id}`.execute(ctx.db)
  const state = rows[0]
  if (!state) return null
  const history = await sql<Cooldown['history'][number] & { reason: DeclineReason | null }>`
    select d.id, d.created_at, d.reason, d.counted, d.cooldown_applied_minutes,
      ${offered.title} as product_title
    from decline_history d join offers on offers.id = d.offer_id
    where d.reviewer_id = ${ctx.who.id} and d.created_at >= ${startOfToday}
    order by d.created_at desc, d.id desc limit 100`.execute(ctx.db)
  return { ...state, history: history.rows }
}

type AskRefusal = { code: string; message: string; at: string | null; alert: boolean }

/**
 * For each of my products here: why a review of it cannot be requested now, or null when it can, and its
 * reviews that count toward the limit.
 */
export async function whyNotAsk(
  ctx: MemberCtx,
  productIds: string[],
): Promise<
  Map<string, { refusal: AskRefusal | null; exposure: { reviews: number; of: number }; waits: boolean }>
> {
  if (productIds.length === 0) return new Map()
  const facts = await readAskFacts(ctx, productIds)
  return new Map(
    [...facts].map(([productId, { nextAt, alert, waits, ...asked }]) => {
      const may = canRequestReview(asked)
      const refusal = may === true ? null : { code: may, message: refusals[may].message, at: nextAt, alert }
      return [
        productId,
        { refusal, exposure: { reviews: asked.completedIn90Days, of: productExposure.reviews }, waits },
      ]
    }),
  )
}
