import { sql } from 'kysely'
import type { Lane } from '#contract/products.ts'
import { withDisclosure } from '#contract/review-text.ts'
import type {
  Dashboard,
  Draft,
  NextSteps,
  ReceivedReview,
  ReviewRow,
  ReviewState,
  ReviewStatus,
  ReviewWorkspace,
} from '#contract/reviews.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { containing } from '#server/kit/db/conditions.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { keysetPage } from '#server/kit/db/db.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { refuse } from '#server/kit/refusal.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { laneSince } from '#server/products/lanes.ts'
import { canManage } from '#server/products/my-products.ts'
import { hasOpenRequest } from './parties.ts'
import { reportableUntil } from './returns.ts'

type ListInput = PageInput & { state?: ReviewState | undefined; search?: string | undefined }

/** Reviews I write, newest first: all, those in one state, or those of products with this in their title. */
export function listReviewsToWrite(ctx: MemberCtx, input: ListInput) {
  return listReviews(ctx, 'reviewerId', input)
}

/** Reviews of my products, newest first: all, those in one state, or those with this in the title. */
export function listReviewsReceived(ctx: MemberCtx, input: ListInput) {
  return listReviews(ctx, 'sellerId', input)
}

/** In SQL: the next deadline that concerns the reviewer, and the next one that concerns the seller. */
const dueTo = {
  reviewerId: sql<
    string | null
  >`case when status = 'pending' and purchase_due_at > clock_timestamp() then purchase_due_at
    when status in ('pending', 'purchased') then due_at when status = 'returned' then return_due_at end`,
  sellerId: sql<string | null>`case when status in ('pending', 'purchased') then due_at
    when status = 'reviewed' and held_at is null then confirm_due_at
    when status = 'returned' then return_due_at end`,
}

/** In SQL: whether the 72 hours for the purchase are over and it is still missing. */
const isLate = sql<boolean>`(status = 'pending' and purchase_due_at <= clock_timestamp())`

/** In SQL: whether our staff is looking at a report about it. */
const isHeld = sql<boolean>`(held_at is not null)`

/** In SQL: whether it lapsed because the other side left. A missed deadline always leaves a strike. */
const partnerLeft = sql<boolean>`(status = 'lapsed' and closure_id is null and not reviews.ended_by_staff
  and not exists (select from strikes s
  where s.review_id = reviews.id))`

/** In SQL: whether it ended because its marketplace was closed. It then counts against neither side. */
const marketplaceClosed = sql<boolean>`(closure_id is not null)`

/** In SQL: for one that ended before it was final, whether a decision to remove it stands or was reversed. */
const removal = sql<'stands' | 'reversed' | null>`case when reviews.status = 'lapsed' then (
    select case when d.overturned_at is null then 'stands' else 'reversed' end
    from case_decisions d join cases c on c.id = d.case_id
    where c.review_id = reviews.id and c.subject = 'review' and d.outcome = 'removed'
    order by d.overturned_at is not null, d.at desc limit 1) end`

/** In SQL: how it ended, if it is not final. */
const howEnded = [
  partnerLeft.as('partnerLeft'),
  marketplaceClosed.as('marketplaceClosed'),
  sql<boolean>`reviews.ended_by_staff`.as('endedByStaff'),
  removal.as('removal'),
] as const

/** In SQL: whether it ended so and its product is asked for again. */
const requestGoesOn = sql<boolean>`(reviews.status = 'lapsed'
  and ${hasOpenRequest(sql.ref('reviews.product_id'))})`

/** In SQL: whether it counts as given after an appeal: its entry and corrections of it make more than 0. */
const countsAsGiven = sql<boolean>`((with recursive entry (id, delta) as (
    select l.id, l.delta from ledger_entries l where l.review_id = reviews.id and l.reason = 'appealed'
    union all select c.id, c.delta from entry join ledger_entries c
      on c.corrects = entry.id and c.member_id is not null
  ) select coalesce(sum(delta), 0) from entry) > 0)`

/**
 * In SQL: whether it is verified, was not removed, and its seller is in the club. Its reviewer may have left:
 * a seller of whose reviews several ended at one moment would know that they were one member's.
 */
export const stands = sql<boolean>`(reviews.status = 'verified' and reviews.removed_at is null
  and not exists (select from members m where m.id = reviews.seller_id and m.erased_at is not null))`

/** In SQL: the end of the address of its public receipt, while there is one. */
const receiptOfReview = sql<string | null>`case when ${stands} then reviews.receipt_key end`

/** In SQL: the request of the review, if its accepted offer was drawn. */
const drawnRequest = sql<string | null>`case when offers.pass_id is not null then offers.queue_id end`

/** In SQL: the lane in which it was submitted; until then, and while it is corrected, the present one. */
export const laneOfReview = sql<Lane>`coalesce((
    select v.lane from review_versions v where v.review_id = reviews.id and reviews.status <> 'returned'
    order by v.version desc limit 1
  ), ${laneSince('reviews.marketplaceId', 'reviews.acceptedAt')})`

function listReviews(
  ctx: MemberCtx,
  whose: keyof typeof dueTo,
  { state, search, ...input }: ListInput,
): Promise<Page<ReviewRow>> {
  const query = reviewRows(ctx, whose)
    .$if(state !== undefined, (of) => of.where(inState(state ?? 'open')))
    .$if(search !== undefined, (of) =>
      of.where(sql<boolean>`lower(${offered.title}) like ${containing(search ?? '')}`),
    )
  return keysetPage(
    query,
    {
      time: 'reviews.acceptedAt',
      id: 'reviews.id',
      place: (row) => ({ time: row.acceptedAt, id: row.id }),
    },
    input,
  )
}

/** In SQL. The two groups of statuses stand literally, so that they match the partial indexes. */
function inState(state: ReviewState) {
  if (state === 'open') return sql<boolean>`status not in ('verified', 'lapsed')`
  if (state === 'final') return sql<boolean>`status in ('verified', 'lapsed')`
  return sql<boolean>`status = ${state}`
}

function reviewRows(ctx: MemberCtx, whose: keyof typeof dueTo) {
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .select(['reviews.id', 'status', offered.title.as('productTitle'), offered.category.as('category')])
    .select([offered.imageId.as('productImage'), 'acceptedAt', 'verifiedAt'])
    .select([
      dueTo[whose].as('dueAt'),
      isLate.as('late'),
      ...howEnded,
      (whose === 'sellerId' ? requestGoesOn : sql<boolean>`false`).as('requestGoesOn'),
      isHeld.as('held'),
      sql<number | null>`case when status = 'verified' and removed_at is null then rating end`.as('rating'),
    ])
    .where(({ eb }) =>
      whose === 'sellerId' ? canManage(ctx, 'reviews.sellerId') : eb('reviews.reviewerId', '=', ctx.who.id),
    )
}

/** What waits for me: reviews to write and to confirm, the nearest deadline first, and my first steps. */
export async function getNextSteps(ctx: MemberCtx): Promise<NextSteps> {
  const waiting = (whose: keyof typeof dueTo, statuses: ReviewStatus[]) =>
    reviewRows(ctx, whose)
      .where('status', 'in', statuses)
      .orderBy('dueAt')
      .orderBy('reviews.id')
      .limit(waitingLimit)
      .execute()
  const toWrite = await waiting('reviewerId', ['pending', 'purchased', 'returned'])
  const toConfirm = (await waiting('sellerId', ['reviewed'])).filter(({ held }) => !held)
  const mine = sql`products p where ${canManage(ctx, 'p.seller_id')} and p.deleted_at is null`
  const { serverTime, ...firstSteps } = await ctx.db
    .selectNoFrom([
      sql<boolean>`exists (select from ${mine})`.as('connected'),
      sql<boolean>`exists (select from ${mine}
        and exists (select from review_queue q where q.product_id = p.id))`.as('asked'),
      sql<boolean>`exists (select from reviews where reviewer_id = ${ctx.who.id})`.as('answered'),
      sql<string>`clock_timestamp()`.as('serverTime'),
    ])
    .executeTakeFirstOrThrow()
  return { toWrite, toConfirm, firstSteps, serverTime }
}

/** More than the limits on offers and on products allow at a time. */
const waitingLimit = 50

/** A review I write, with everything needed to write it. Refuses NOT_FOUND when it is not mine to write. */
export async function getReview(ctx: MemberCtx, reviewId: string): Promise<ReviewWorkspace> {
  const row = await ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .leftJoin('proofs', (join) =>
      join.onRef('proofs.reviewId', '=', 'reviews.id').on('proofs.state', '=', 'stored'),
    )
    .select(['reviews.id', 'status', 'acceptedAt', 'purchaseDueAt', 'dueAt', 'purchasedAt', 'usableFrom'])
    .select(['couponPriceCents', 'submittedAt', 'confirmDueAt', 'returnedAt', 'returnReason', 'returnDueAt'])
    .select(['verifiedAt', 'lapsedAt', 'removedAt', 'postedLink', 'reviews.disclosure', 'rating', 'body'])
    .select(['draft', 'draftSavedAt', 'usedFor', 'notFor', 'aiAssisted', offered.couponLink.as('couponLink')])
    .select([offered.title.as('title'), offered.description.as('description')])
    .select([offered.category.as('category'), offered.imageId.as('imageId')])
    .select([offered.priceCents.as('priceCents'), offered.couponCents.as('couponCents')])
    .select(offered.imageFocus.as('imageFocus'))
    .select(['name', 'host', 'verifiedPurchaseWord', 'couponPrices', 'policyUrl', laneOfReview.as('lane')])
    .select([receiptOfReview.as('receipt'), drawnRequest.as('queueId')])
    .select(['proofs.id as proofId', 'kind', 'orderId', 'originalName', 'mime'])
    .select([
      isLate.as('late'),
      isHeld.as('held'),
      ...howEnded,
      countsAsGiven.as('countsAsGiven'),
      sql<string>`clock_timestamp()`.as('serverTime'),
    ])
    .where('reviews.id', '=', reviewId)
    .where('reviews.reviewerId', '=', ctx.who.id)
    .executeTakeFirst()
  if (!row) throw refuse('NOT_FOUND')
  const {
    title,
    description,
    category,
    imageId,
    imageFocus,
    priceCents,
    couponCents,
    name,
    host,
    verifiedPurchaseWord,
    couponPrices,
  } = row
  const { lane } = row
  return {
    id: row.id,
    queueId: row.queueId,
    status: row.status,
    partnerLeft: row.partnerLeft,
    marketplaceClosed: row.marketplaceClosed,
    endedByStaff: row.endedByStaff,
    removal: row.removal,
    countsAsGiven: row.countsAsGiven,
    product: { title, description, category, image: imageId, imageFocus, priceCents, couponCents },
    marketplace: {
      name,
      host,
      lane,
      disclosure: row.disclosure,
      verifiedPurchaseWord,
      couponPrices,
      policyUrl: row.policyUrl,
    },
    couponLink: row.couponLink,
    acceptedAt: row.acceptedAt,
    purchaseDueAt: row.purchaseDueAt,
    dueAt: row.dueAt,
    purchasedAt: row.purchasedAt,
    paidCents: row.couponPriceCents,
    usableFrom: row.usableFrom,
    submittedAt: row.submittedAt,
    confirmDueAt: row.confirmDueAt,
    returnedAt: row.returnedAt,
    returnReason: row.returnReason,
    returnDueAt: row.returnDueAt,
    held: row.held,
    removedAt: row.removedAt,
    verifiedAt: row.verifiedAt,
    lapsedAt: row.lapsedAt,
    proof: row.proofId && row.kind ? proofOf({ ...row, proofId: row.proofId, kind: row.kind }) : null,
    draft: draftOf(row, lane),
    draftSavedAt: row.draftSavedAt,
    postedLink: row.postedLink,
    receipt: row.receipt,
    late: row.late,
    serverTime: row.serverTime,
  }
}

function proofOf(row: {
  proofId: string
  kind: 'order' | 'file'
  orderId: string | null
  originalName: string | null
  mime: string | null
}): ReviewWorkspace['proof'] {
  return { id: row.proofId, kind: row.kind, orderId: row.orderId, fileName: row.originalName, mime: row.mime }
}

type Written = {
  draft: unknown
  rating: number | null
  body: string | null
  usedFor: string | null
  notFor: string | null
  aiAssisted: boolean
  disclosure: string
}

/** The draft, or else the last submitted version. */
function draftOf({ draft, body, ...row }: Written, lane: string): Draft {
  // Only `saveDraft` writes it, in this shape.
  if (draft) return draft as Draft
  return {
    rating: row.rating,
    text: body && lane === 'public' ? withDisclosure(row.disclosure, body) : (body ?? ''),
    usedFor: row.usedFor ?? '',
    notFor: row.notFor ?? '',
    aiAssisted: row.aiAssisted,
  }
}

/**
 * A review of one of my products, never with its author, nor with whether they have left: two reviews that
 * change at one moment would be known to be one member's. Text and rating are null until it is verified.
 * Refuses NOT_FOUND when the product is not mine.
 */
export async function getReceivedReview(ctx: MemberCtx, reviewId: string): Promise<ReceivedReview> {
  const row = await ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .select(['reviews.id', 'status', 'acceptedAt', 'purchasedAt', 'submittedAt', 'confirmDueAt'])
    .select(['returnReason', 'verifiedAt', 'verifiedBy', 'removedAt', 'postedLink', 'reviews.disclosure'])
    .select(['aiAssisted', 'rating', 'body', 'usedFor', 'notFor', laneOfReview.as('lane')])
    .select([receiptOfReview.as('receipt'), drawnRequest.as('queueId')])
    .select(['reviews.productId', offered.title.as('title'), offered.category.as('category')])
    .select([offered.imageId.as('imageId'), offered.couponLink.as('couponLink')])
    .select([
      dueTo.sellerId.as('dueAt'),
      ...howEnded,
      requestGoesOn.as('requestGoesOn'),
      isHeld.as('held'),
      reportableUntil.as('reportableUntil'),
      sql<string>`clock_timestamp()`.as('serverTime'),
    ])
    .where('reviews.id', '=', reviewId)
    .where(canManage(ctx, 'reviews.sellerId'))
    .executeTakeFirst()
  if (!row) throw refuse('NOT_FOUND')
  const { productId, title, category, imageId, couponLink, ...written } = row
  const { rating, body, usedFor, notFor, aiAssisted, lane, ...review } = written
  const isFinal = review.status === 'verified' && review.removedAt === null
  return {
    ...review,
    product: { id: productId, title, category, image: imageId, couponLink },
    lane,
    rating: isFinal ? rating : null,
    text: isFinal && body ? textOf(body, review.disclosure, lane) : null,
    usedFor: isFinal ? usedFor : null,
    notFor: isFinal ? notFor : null,
    aiAssisted: isFinal && aiAssisted,
  }
}

function textOf(body: string, disclosure: string, lane: string) {
  return lane === 'public' ? withDisclosure(disclosure, body) : body
}

/** The two figures of my dashboard, each with its change since 30 days ago. */
export async function getDashboard(ctx: MemberCtx): Promise<Dashboard> {
  const mine = canManage(ctx, 'seller_id')
  const final = sql`status = 'verified' and removed_at is null`
  const rows = await runPrepared(
    ctx.db,
    sql<{ live: number; liveBefore: number; rating: number | null; ratingBefore: number | null }>`
    select * from (
      select count(*) filter (where deleted_at is null and archived_at is null) as live,
        count(*) filter (where created_at <= at and coalesce(deleted_at > at, true)
          and coalesce(archived_at > at, true)) as live_before
      from products, ${thirtyDaysAgo} where ${mine}
    ) counted cross join (
      select round(avg(rating), 2)::float8 as rating,
        round(avg(rating) filter (where verified_at <= at), 2)::float8 as rating_before
      from reviews, ${thirtyDaysAgo} where ${mine} and ${final}
    ) rated`,
  )
  const { live, liveBefore, rating, ratingBefore } = rows[0] ?? {
    live: 0,
    liveBefore: 0,
    rating: null,
    ratingBefore: null,
  }
  return {
    totalProducts: { value: live, change: liveBefore === 0 ? null : live - liveBefore },
    averageRating: {
      value: rating,
      change:
        rating === null || ratingBefore === null ? null : Math.round((rating - ratingBefore) * 100) / 100,
    },
  }
}

/** In SQL: one moment for a whole statement, as the database's clock goes on while it runs. */
const thirtyDaysAgo = sql`(select clock_timestamp() - interval '30 days' as at offset 0) then_was`
