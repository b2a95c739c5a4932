// A report says that a review or a listing breaks a rule. It opens a case or joins the open one. Neither
// side learns who reported, and a low opinion is no reason on any list.
import { sql } from 'kysely'
import { reportDays, reportsPerDay } from '#contract/moderation.ts'
import type { CaseSubject, CaseRule, ListingRule } from '#contract/moderation.ts'
import type { ReviewRule } from '#contract/reviews.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isBarred } from '#server/products/barred-sellers.ts'
import { canManage } from '#server/products/my-products.ts'
import { lockExchange } from '#server/reviews/outcomes.ts'
import { getWritten, partyColumns } from '#server/reviews/parties.ts'
import type { Parties } from '#server/reviews/parties.ts'
import { laneOfReview } from '#server/reviews/reads.ts'
import { holdReview, releaseReview, reportableUntil } from '#server/reviews/returns.ts'
import { closeCase, emitCase, lockCase, openCase, readCase } from './cases.ts'

type Report<R> = { id: string; reason: R; explanation: string }

/**
 * Reports a review of my product: while I check it, or for 30 days after it is final. While our staff looks
 * at one that is not final, neither my answer nor time makes it final. Refuses NOT_FOUND, REPORT_CLOSED,
 * ALREADY_REPORTED, REPORT_DECIDED and REPORT_LIMIT.
 */
export function reportReview(
  ctx: MemberCtx,
  { id, reason, explanation }: Report<ReviewRule>,
): Promise<{ reportId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReceived(ctx, id)
    await refuseRepeated(ctx, 'review', review, reason)
    if (review.reportableUntil === null || (reason === 'not_visible' && !review.isPosted))
      throw refuse('REPORT_CLOSED')
    await requireQuota(ctx)
    const opened = await openCase(ctx, { subject: 'review', review })
    if (opened.state !== 'open') throw refuse('ALREADY_REPORTED')
    if (review.status === 'reviewed') await holdReview(ctx, review)
    return addReport(ctx, { caseId: opened.id, review, reason, explanation, version: review.version })
  })
}

/**
 * Reports the listing of a product that I review, until 30 days after my review is final. Refuses
 * NOT_FOUND, REPORT_CLOSED, ALREADY_REPORTED, REPORT_DECIDED and REPORT_LIMIT.
 */
export function reportListing(
  ctx: MemberCtx,
  { id, reason, explanation }: Report<ListingRule>,
): Promise<{ reportId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockWritten(ctx, id)
    await refuseRepeated(ctx, 'listing', review, reason)
    if (!review.isReportable) throw refuse('REPORT_CLOSED')
    await requireQuota(ctx)
    const opened = await openCase(ctx, { subject: 'listing', review })
    return addReport(ctx, { caseId: opened.id, review, reason, explanation, version: null })
  })
}

/** Withdraws a report of mine that is not decided yet. A held review waits for its seller again. */
export function withdrawReport(ctx: MemberCtx, reportId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mine = await ctx.db
      .selectFrom('reports')
      .select('caseId')
      .where('id', '=', reportId)
      .where('reporterId', '=', ctx.who.id)
      .executeTakeFirst()
    if (!mine) throw refuse('NOT_FOUND')
    const inHand = await lockCase(ctx, mine.caseId)
    const withdrawn = await ctx.db
      .updateTable('reports')
      .from('cases')
      .set({ withdrawnAt: sql<string>`clock_timestamp()` })
      .whereRef('cases.id', '=', 'reports.caseId')
      .where('reports.id', '=', reportId)
      .where('reports.withdrawnAt', 'is', null)
      .where('cases.state', '=', 'open')
      .executeTakeFirst()
    if (withdrawn.numUpdatedRows !== 1n) throw refuse('REPORT_NOT_OPEN')
    await endUnreported(ctx, mine.caseId)
    await recordOwnAction(ctx, {
      type: 'reviews',
      title: 'Report withdrawn',
      description: 'You took a report back before our staff decided about it.',
      href: '/moderation',
    })
    await emitCase(ctx, inHand)
  })
}

/** Ends an open case that no one asks about any more, and lets its review wait for its seller again. */
export async function endUnreported(ctx: Ctx, caseId: string): Promise<void> {
  const { case: left, review, reports } = await readCase(ctx, caseId)
  if (reports.length > 0) return
  if (review && left.state === 'open') await releaseReview(ctx, review)
  if (!left.flagged) await closeCase(ctx, caseId, 'withdrawn')
}

type Received = Parties & {
  status: string
  version: number | null
  reportableUntil: string | null
  /** Whether it has to be on the marketplace, also after it counted. */
  isPosted: boolean
}

async function lockReceived(ctx: MemberCtx, reviewId: string): Promise<Received> {
  const found = await ctx.db
    .selectFrom('reviews')
    .select(partyColumns)
    .where('id', '=', reviewId)
    .where(canManage(ctx, 'sellerId'))
    .executeTakeFirst()
  if (!found) throw refuse('NOT_FOUND')
  await lockExchange(ctx, found)
  return ctx.db
    .selectFrom('reviews')
    .select(['reviews.id', 'queueId', 'productId', 'reviewerId', 'sellerId', 'reviews.status'])
    .select([
      reportableUntil.as('reportableUntil'),
      sql<number | null>`(select max(version) from review_versions v where v.review_id = reviews.id)`.as(
        'version',
      ),
      sql<boolean>`${laneOfReview} = 'public'`.as('isPosted'),
    ])
    .where('reviews.id', '=', reviewId)
    .executeTakeFirstOrThrow()
}

async function lockWritten(ctx: MemberCtx, reviewId: string): Promise<Parties & { isReportable: boolean }> {
  await lockExchange(ctx, await getWritten(ctx, reviewId))
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'reviews.listingId')
    .select(['reviews.id', 'queueId', 'productId', 'reviewerId', 'sellerId'])
    .select(
      sql<boolean>`(listings.removed_at is null and not ${isBarred(sql`listings.id`, sql`reviews.seller_id`)}
        and coalesce(verified_at, lapsed_at, clock_timestamp())
          > clock_timestamp() - make_interval(days => ${reportDays}))`.as('isReportable'),
    )
    .where('reviews.id', '=', reviewId)
    .executeTakeFirstOrThrow()
}

/**
 * Refuses ALREADY_REPORTED while a report of mine about the same thing is open, or when I reported this
 * version before it was final; REPORT_DECIDED for a reason that was decided before. What was
 * withdrawn or ended by itself was not decided.
 */
async function refuseRepeated(
  ctx: MemberCtx,
  subject: CaseSubject,
  { id, status, version }: Parties & { status?: string; version?: number | null },
  reason: CaseRule,
) {
  const same = await ctx.db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.caseId')
    .select(['reports.reason', 'reports.version', 'cases.state', 'cases.closedAs'])
    .where('reports.reporterId', '=', ctx.who.id)
    .where('reports.reviewId', '=', id)
    .where('cases.subject', '=', subject)
    .execute()
  const ofThisVersion = same.filter((one) => one.version === (version ?? null))
  if (same.some(({ state }) => state !== 'closed')) throw refuse('ALREADY_REPORTED')
  if (status === 'reviewed' && ofThisVersion.length > 0) throw refuse('ALREADY_REPORTED')
  const decided = ofThisVersion.filter(({ closedAs }) => closedAs !== 'withdrawn' && closedAs !== 'ended')
  if (decided.some((one) => one.reason === reason)) throw refuse('REPORT_DECIDED')
}

async function requireQuota(ctx: MemberCtx) {
  const { made } = await ctx.db
    .selectFrom('reports')
    .select(sql<number>`count(*)`.as('made'))
    .where('reporterId', '=', ctx.who.id)
    .where('createdAt', '>', sql<string>`clock_timestamp() - interval '24 hours'`)
    .executeTakeFirstOrThrow()
  if (made >= reportsPerDay) throw refuse('REPORT_LIMIT')
}

type NewReport = {
  caseId: string
  review: Parties
  reason: CaseRule
  explanation: string
  version: number | null
}

async function addReport(ctx: MemberCtx, { caseId, review, reason, explanation, version }: NewReport) {
  const reportId = newId()
  await ctx.db
    .insertInto('reports')
    .values({
      id: reportId,
      caseId,
      reporterId: ctx.who.id,
      reviewId: review.id,
      reason,
      explanation: withoutSecrets(explanation),
      version,
    })
    .execute()
  await recordOwnAction(ctx, {
    type: 'reviews',
    title: 'Report sent',
    description: 'You reported something to our staff. They decide about it and notify you.',
    href: '/moderation',
  })
  await emitCase(ctx, await readCase(ctx, caseId))
  return { reportId }
}
