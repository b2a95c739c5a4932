// The facts of the contract's two predicates, read for a member in as few queries as possible.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import {
  activeDays,
  candidateSeenHours,
  candidatesNeeded,
  capRelaxation,
  givingCap,
  productExposure,
} from '#contract/matching-rules.ts'
import { givenReasons } from '#contract/ledger.ts'
import type { Receiving } from '#contract/matching-rules.ts'
import { canRequestReview } from '#contract/matching.ts'
import type { AskFacts, ReceiveFacts } from '#contract/matching.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { standingFacts, takesPart } from '#server/membership/standings.ts'
import { canManage } from '#server/products/my-products.ts'
import { receiving, waitingSince } from './candidates.ts'
import { cannotTake, mustNotMeet } from './exclusions/exclusions.ts'
import { askedRecently, barsListing } from './history.ts'
import { acceptedBy } from './limits/accepted.ts'
import { givesFirst } from './limits/give-first.ts'
import { againAt, receivedBy } from './limits/received.ts'
import { isWaiting } from './limits/resuming.ts'
import { asksAgainAt } from './limits/taken-back.ts'
import { pairBars, windowStartNow } from './pairs.ts'

/** In SQL: whether a member gave a review in the last `activeDays`. Their next request moves ahead then. */
export function gaveLately(memberId: string) {
  return sql<boolean>`exists (
    select from ledger_entries where member_id = ${memberId} and reason in ${oneOf(givenReasons)}
      and at > clock_timestamp() - make_interval(hours => ${activeDays * 24}))`
}

/** When the limit of the product ends, and when the limits and the wait of its seller do. */
type AskEnds = { exposureEnds: string | null; asksAgain: string | null }

/** `membersWhoCould`: null where too few of the members who were looked at could, so that all have to be. */
type AskRow = Omit<AskFacts, 'membersWhoCould'> &
  AskEnds & { productId: string; alert: boolean; waits: boolean; membersWhoCould: number | null }

/**
 * The facts that decide whether I may request a review, for each of my products here. `nextAt`: when a
 * refusal may end. `alert`: whether I am notified when it does. `waits`: whether its open request waits for a
 * moment to be drawn.
 */
export async function readAskFacts(
  ctx: MemberCtx,
  productIds: string[],
): Promise<Map<string, AskFacts & { nextAt: string | null; alert: boolean; waits: boolean }>> {
  const rows = await runPrepared(
    ctx.db,
    sql<AskRow>`
    with asked as (
      select p.* from products p where ${canManage(ctx, 'p.seller_id')}
        and p.id = any(${`{${productIds.join(',')}}`}::uuid[]) and p.deleted_at is null
    ), sellers as materialized (
      select s.member_id as seller_id, ${standingFacts}, s.balance, s.pending_take, s.open_requests,
        ${givesFirst} as give_first, got.today as received_today, got.week as received_in_week,
        coalesce(back.until > clock_timestamp(), false) as took_back,
        greatest(nullif(${againAt}, '-infinity'),
          case when back.until > clock_timestamp() then back.until end) as asks_again,
        (select count(*) from ledger_entries l where l.member_id = s.member_id
          and l.reason in ${oneOf(givenReasons)}) as given_ever
      from reviewer_states s join standings t on t.member_id = s.member_id
        cross join lateral ${receivedBy(sql`s.member_id`)} got
        cross join lateral (select ${asksAgainAt(sql`s.member_id`)} as until) back
      where s.member_id in (select seller_id from asked)
    ), candidates as materialized (
      select p.seller_id, c.member_id from sellers p cross join lateral (
        select c.member_id from reviewer_states c where ${mayBeAskedBy(sql`p.seller_id`)}
        limit ${sql.lit(enough)}
      ) c
    )
    select p.id as product_id, p.archived_at is null as product_live, k.lane <> 'closed' as marketplace_open,
      exists (select from review_queue q where q.listing_id = p.listing_id and q.status in ('queued', 'held',
        'offered', 'in_review')) as open_request,
      exists (select from review_queue q where q.listing_id = p.listing_id and q.status = 'queued'
        and ${isWaiting}) as waits,
      exposed.reviews as completed_in90_days, exposed.ends as exposure_ends, s.*,
      coalesce((select f.members from rotation_figures f), 0) as members,
      exists (select from ask_alerts a where a.product_id = p.id) as alert,
      case when few.could >= ${sql.lit(candidatesNeeded.most)} or few.candidates < ${sql.lit(enough)}
        then few.could end as members_who_could
    from asked p
    join marketplaces k on k.id = p.marketplace_id
    join sellers s on s.seller_id = p.seller_id
    cross join lateral (
      select count(*) as reviews,
        min(q.completed_at) + make_interval(hours => ${sql.lit(productExposure.days * 24)}) as ends
      from review_queue q where q.listing_id = p.listing_id and q.status = 'completed'
        and q.completed_at > clock_timestamp() - make_interval(hours => ${sql.lit(productExposure.days * 24)})
    ) exposed
    cross join lateral (
      select (select count(*) from candidates c where c.seller_id = p.seller_id) as candidates,
        (select count(*) from (select from candidates c where c.seller_id = p.seller_id and ${mayTake}
          limit ${sql.lit(candidatesNeeded.most)}) could) as could
    ) few`,
  )
  const inClub = await countInClub(
    ctx,
    rows.flatMap(({ productId, membersWhoCould }) => (membersWhoCould === null ? [productId] : [])),
  )
  return new Map(
    rows.map(({ productId, exposureEnds, asksAgain, ...facts }) => {
      const membersWhoCould = facts.membersWhoCould ?? inClub.get(productId) ?? 0
      const asked = { ...facts, membersWhoCould }
      return [productId, { ...asked, nextAt: endOf(canRequestReview(asked), { exposureEnds, asksAgain }) }]
    }),
  )
}

/** When this refusal ends, if time alone ends it. Another limit may end at another time. */
function endOf(refusal: ReturnType<typeof canRequestReview>, { exposureEnds, asksAgain }: AskEnds) {
  if (refusal === 'EXPOSURE_REACHED') return exposureEnds
  const isOfSeller = refusal === 'RECEIVED_TODAY' || refusal === 'RECEIVED_WEEK' || refusal === 'TOOK_BACK'
  return isOfSeller ? asksAgain : null
}

/**
 * So many members who could be offered anything of a seller's are found once for all products here. For a
 * product that almost none of them may take, the whole club is asked.
 */
const enough = 20

/**
 * How many members of the whole club could take each of these products of mine, `candidatesNeeded.most` at
 * the most. This is seldom needed, and takes long to plan: PostgreSQL plans each statement again, on each
 * connection, when a table of it was vacuumed.
 */
async function countInClub(ctx: MemberCtx, productIds: string[]): Promise<Map<string, number>> {
  if (productIds.length === 0) return new Map()
  const rows = await runPrepared(
    ctx.db,
    sql<{ productId: string; could: number }>`
    select p.id as product_id, (
      select count(*) from (
        select from reviewer_states c where ${mayBeAskedBy(sql`p.seller_id`)} and ${mayTake}
        limit ${sql.lit(candidatesNeeded.most)}
      ) could) as could
    from products p where p.id = any(${`{${productIds.join(',')}}`}::uuid[])`,
  )
  return new Map(rows.map(({ productId, could }) => [productId, could]))
}

/** In SQL: whether the member of the row `c` could be offered a product of this seller within a day. */
function mayBeAskedBy(sellerId: RawBuilder<unknown>) {
  return sql<boolean>`(${takesPart('c.member_id')} and c.member_id <> ${sellerId}
    and greatest(c.available_at, c.rest_until) < clock_timestamp() + interval '24 hours'
    and coalesce(c.quiet_from > clock_timestamp()
      or c.quiet_until < clock_timestamp() + interval '24 hours', true)
    and c.last_seen_at > clock_timestamp() - make_interval(hours => ${sql.lit(candidateSeenHours)})
    and c.balance + c.pending_give < ${sql.lit(givingCap + capRelaxation(24, 'nothing'))}
    and not exists (select from pair_uses u where u.lo = least(c.member_id, ${sellerId})
      and u.hi = greatest(c.member_id, ${sellerId}) and ${pairBars(sql`c.member_id`, windowStartNow)})
    and not ${mustNotMeet('c.member_id')})`
}

/** In SQL: whether that member could take the product of the row `p`. */
const mayTake = sql<boolean>`(not exists (select from reviews r where r.reviewer_id = c.member_id
    and r.listing_id = p.listing_id and ${barsListing('r')})
  and not exists (select from review_queue q join offers o on o.queue_id = q.id
    and o.reviewer_id = c.member_id where q.listing_id = p.listing_id and ${askedRecently})
  and not ${cannotTake('c.member_id')}
  and not exists (select from products o where o.listing_id = p.listing_id and o.seller_id = c.member_id))`

/**
 * The facts that decide whether I may get an offer now: of a new request, or of `queueId`, whose wait
 * relaxes the giving cap.
 */
export async function readReceiveFacts(ctx: MemberCtx, queueId?: string): Promise<ReceiveFacts | null> {
  const [row] = await runPrepared(
    ctx.db,
    sql<Omit<ReceiveFacts, 'relaxation'> & { waitedHours: number | null; receiving: Receiving }>`
    select ${standingFacts},
      s.balance, s.pending_give, ${receiving} as receiving,
      exists (select from offers o where o.reviewer_id = s.member_id and o.state = 'open') as open_offer,
      coalesce(s.cooldown_until > clock_timestamp(), false) as on_cooldown,
      coalesce(s.rest_until > clock_timestamp(), false) as resting,
      (select today from ${acceptedBy(sql`s.member_id`)} accepted) as accepted_today,
      (select week from ${acceptedBy(sql`s.member_id`)} accepted) as accepted_in_week,
      exists (select from reviews r where r.reviewer_id = s.member_id and r.status = 'pending'
        and r.purchase_due_at < clock_timestamp()) as overdue_review,
      (select extract(epoch from clock_timestamp() - ${waitingSince}) / 3600 from review_queue q
        where q.id = ${queueId ?? null}::uuid)::float8 as waited_hours
    from reviewer_states s join standings t on t.member_id = s.member_id
    where s.member_id = ${ctx.who.id}`,
  )
  if (!row) return null
  const { waitedHours, receiving: progress, ...facts } = row
  if (waitedHours === null) return { ...facts, relaxation: capRelaxation(0, progress) }
  // A review that I was about to receive when I was drawn may have ended since: the offer stays good.
  return { ...facts, relaxation: capRelaxation(waitedHours, 'submitted') }
}
