// What a simulated member does, through the same functions as a real member. Nothing here writes a row
// itself.
import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { withDisclosure, withoutDisclosure } from '#contract/review-text.ts'
import { staff } from '#db/seed/cast.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { takeTicket } from '#server/matching/lottery.ts'
import { requestReview } from '#server/matching/requests.ts'
import { bePresent } from '#server/matching/signals.ts'
import { consentToMarketplace, listMarketplaces } from '#server/products/marketplaces.ts'
import { verifyExchange } from '#server/reviews/interventions.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { proveByOrder } from '#server/reviews/proofs.ts'
import { checkReviewText, openCoupon, saveDraft, submitReview } from '#server/reviews/reviews.ts'
import type { Action } from './plan.ts'
import { composeText, findText } from './messages.ts'
import type { Words } from './messages.ts'

/** Performs an action. Throws the same refusals as for a real member. */
export async function perform(ctx: Ctx, action: Action): Promise<void> {
  if (action.kind === 'ask') return askForSome(ctx, action.anyOf)
  if (action.kind === 'verify') return verify(ctx, action.reviewId)
  const me = as(ctx, action.by)
  if (action.kind === 'arrive') return bePresent(me)
  if (action.kind === 'answer') return answer(me, action)
  if (action.kind === 'buy') return buy(me, action.reviewId)
  if (action.kind === 'draft') return draft(me, action.reviewId)
  if (action.kind === 'submit') return submit(me, action.reviewId)
  return confirmReview(me, action.reviewId)
}

function as(ctx: Ctx, id: string): MemberCtx {
  return actAs(ctx, { id, role: 'user', sessionId: null, twoFactor: false })
}

async function answer(me: MemberCtx, action: Action & { kind: 'answer' }) {
  const { queueId, accept, reason } = action
  try {
    await respondToOffer(me, { queueId, accept, ...(reason ? { reason } : {}) })
  } catch (error) {
    if (!accept || !isRefusal(error)) throw error
    if (error.code === 'CONSENT_REQUIRED') {
      await consentToAll(me)
      await respondToOffer(me, { queueId, accept })
    } else if (!['OFFER_EXPIRED', 'OFFER_ANSWERED', 'OFFER_WITHDRAWN'].includes(error.code)) {
      // A member who may not accept any more declines at once, so that the next one is asked.
      await respondToOffer(me, { queueId, accept: false, reason: 'busy' })
    }
  }
}

/** Consents to a new marketplace or a renewed policy, like every member. */
async function consentToAll(me: MemberCtx) {
  for (const { id, policyVersion, consented } of await listMarketplaces(me)) {
    if (!consented) await consentToMarketplace(me, { id, policyVersion })
  }
}

async function buy(me: MemberCtx, reviewId: string) {
  await openCoupon(me, reviewId)
  const { couponPrices } = await readWork(me, reviewId)
  const paidCents = couponPrices[randomInt(Math.max(couponPrices.length, 1))] ?? 0
  await proveByOrder(me, { id: reviewId, orderId: String(randomInt(1e9, 1e10)), paidCents })
}

async function draft(me: MemberCtx, reviewId: string) {
  const work = await readWork(me, reviewId)
  const { rating, text, usedFor, notFor } = messageFor(work, await readTexts(me, work.productId))
  await saveDraft(me, {
    id: reviewId,
    basedOn: null,
    draft: { rating, text: withDisclosure(work.disclosure, text), usedFor, notFor, aiAssisted: false },
  })
}

const mostAttempts = 8

/**
 * Submits the draft, or the earlier text again; writes another text if that is too close to another review.
 */
async function submit(me: MemberCtx, reviewId: string) {
  const work = await readWork(me, reviewId)
  const written = await readTexts(me, work.productId)
  let words = work.written ?? messageFor(work, written)
  for (let attempt = 1; ; attempt += 1) {
    const { rating, usedFor, notFor } = words
    const text = withDisclosure(work.disclosure, words.text)
    const { duplicate } = await checkReviewText(me, { id: reviewId, text })
    if (duplicate && attempt < mostAttempts) {
      words = composeText(work, Math.random)
      continue
    }
    try {
      await submitReview(me, {
        id: reviewId,
        rating,
        text,
        usedFor,
        notFor,
        aiAssisted: false,
        attested: true,
        posted: true,
        postedLink: null,
      })
      return
    } catch (error) {
      if (!isRefusal(error, 'TEXT_UNCHANGED') || attempt === mostAttempts) throw error
      words = composeText(work, Math.random)
    }
  }
}

function messageFor(work: Work, written: string[]): Words {
  return findText(work, written) ?? composeText(work, Math.random)
}

type Work = {
  productId: string
  title: string
  category: string
  couponLink: string
  couponPrices: number[]
  disclosure: string
  /** The draft, or the text submitted before. */
  written: Words | null
}

/** What the reviewer sees: the product, and the text so far. */
async function readWork(me: MemberCtx, reviewId: string): Promise<Work> {
  const { rows } = await sql<Work>`
    select p.id as product_id, p.title, p.category, p.coupon_link, k.coupon_prices, r.disclosure,
      case when r.body is not null
        then jsonb_build_object('rating', r.rating, 'text', r.body, 'usedFor', r.used_for, 'notFor',
          r.not_for)
        else r.draft end as written
    from reviews r join products p on p.id = r.product_id join marketplaces k on k.id = r.marketplace_id
    where r.id = ${reviewId} and r.reviewer_id = ${me.who.id}`.execute(me.db)
  const row = rows[0]
  if (!row) throw new Error('A simulated review is missing.')
  const { written, disclosure } = row
  return { ...row, written: written && { ...written, text: withoutDisclosure(written.text, disclosure) } }
}

async function readTexts(ctx: Ctx, productId: string) {
  const rows = await ctx.db
    .selectFrom('reviews')
    .select('body')
    .where('productId', '=', productId)
    .where('body', 'is not', null)
    .execute()
  return rows.flatMap(({ body }) => body ?? [])
}

/**
 * Asks for a review of one of these members' products: members who gave most first, then the product not
 * asked for the longest.
 */
async function askForSome(ctx: Ctx, sellers: string[]) {
  const { rows } = await sql<{ id: string; sellerId: string }>`
    select p.id, p.seller_id from products p join reviewer_states s on s.member_id = p.seller_id
    cross join lateral (select max(created_at) as asked_at from review_queue q where q.product_id = p.id) q
    where p.seller_id = any(${sellers}::uuid[]) and p.deleted_at is null and p.archived_at is null
      and not exists (select from review_queue o where o.product_id = p.id
        and o.status in ('queued', 'held', 'offered', 'in_review'))
    order by s.balance desc, q.asked_at nulls first, p.id limit 5`.execute(ctx.db)
  let refusal: unknown
  for (const { id, sellerId } of rows) {
    try {
      const seller = as(ctx, sellerId)
      const { ticket } = await takeTicket(seller, id)
      await requestReview(seller, { productId: id, ticket, nonce: randomBytes(16).toString('hex') })
      return
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusal = error
    }
  }
  if (refusal) throw refusal
}

/** Staff verify what a guest has not confirmed in time. */
async function verify(ctx: Ctx, reviewId: string) {
  const sam = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('email', '=', staff.find(({ role }) => role === 'support')?.email ?? '')
    .executeTakeFirst()
  const review = await ctx.db
    .selectFrom('reviews')
    .select('queueId')
    .where('id', '=', reviewId)
    .executeTakeFirst()
  if (!sam || !review) return
  await verifyExchange(actAs(ctx, { id: sam.id, role: 'support', sessionId: null, twoFactor: false }), {
    id: review.queueId,
    status: 'reviewed',
    reason: 'Its seller has not answered in time.',
  })
}
