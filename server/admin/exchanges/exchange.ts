// One exchange with its evidence, as our staff sees it. Its rating is not read before the review is final, so
// that the first look at it never knows the stars.
import { sql } from 'kysely'
import {
  countText,
  hasPersonalData,
  isLongEnough,
  startsWithDisclosure,
  withoutDisclosure,
} from '#contract/review-text.ts'
import type { Exchange, ExchangeProof, ExchangeVersion } from '#contract/staff/exchanges.ts'
import type { RequestRules } from '#contract/staff/health.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordLook } from '#server/kit/staff-actions.ts'
import { explainRequest } from '#server/matching/waiting.ts'
import { findSimilarTexts } from '#server/reviews/texts.ts'
import { longest, within } from '../health.ts'
import { readActions } from '../staff-action-rows.ts'
import { readMails } from '../mail-rows.ts'
import { exchangeState, nameOf, notMine, partyOf } from './rows.ts'

/** An exchange by its request's id. Refuses NOT_FOUND, and OWN_MATTER to all who were ever part of it. */
export async function getExchange(ctx: MemberCtx, { id }: { id: string }): Promise<Exchange> {
  await refuseOwnExchange(ctx, id)
  const request = await readRequest(ctx, id)
  const offers = await readOffers(ctx, id)
  await recordLook(ctx, { action: 'exchange_viewed', subject: { kind: 'request', id } })
  const { review: row, ...rest } = request
  const review = row && { ...row, ...(await readEvidence(ctx, row)) }
  const ids = [id, ...offers.map((offer) => offer.id), ...(review ? [review.id] : [])]
  const sellerId = request.seller.id
  const mails = await readMails(ctx, {
    memberIds: [...new Set([sellerId, ...offers.map(({ to }) => to.id)])],
    about: ids,
  })
  const actions = await readActions(ctx, [
    ...ids,
    ...(review?.proofs ?? []).map((proof) => proof.id),
    ...(review?.entries ?? []).map((entry) => entry.id),
  ])
  return {
    ...rest,
    offers,
    review,
    mails: mails.map(({ memberId, ...mail }) => ({
      ...mail,
      to: memberId === sellerId ? ('seller' as const) : ('reviewer' as const),
    })),
    actions,
  }
}

/**
 * How many members each rule leaves out of a waiting request; null of any other. It names no member, so the
 * look is not recorded. Refuses NOT_FOUND, OWN_MATTER to all who were ever part of it, and UNAVAILABLE
 * after some seconds.
 */
export async function explainExchange(ctx: MemberCtx, { id }: { id: string }): Promise<RequestRules | null> {
  await refuseOwnExchange(ctx, id)
  return within(ctx, longest.rotation, (ctx) => explainRequest(ctx, id))
}

/** Refuses NOT_FOUND, and OWN_MATTER to all who were ever part of the exchange. */
async function refuseOwnExchange(ctx: MemberCtx, id: string) {
  const { rows } = await sql<{ isOthers: boolean }>`
    select ${notMine(ctx)} as is_others from review_queue q where q.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw refuse('NOT_FOUND')
  if (!rows[0].isOthers) throw refuse('OWN_MATTER')
}

type Facts = Omit<NonNullable<Exchange['review']>, 'checks' | 'versions' | 'proofs' | 'entries'>
type Request = Omit<Exchange, 'offers' | 'review' | 'mails' | 'actions'> & { review: Facts | null }

async function readRequest(ctx: MemberCtx, id: string): Promise<Request> {
  const { rows } = await sql<Omit<Request, 'review'>>`
    select q.id, ${exchangeState} as state, q.status, q.created_at, q.closed_at, q.attempts,
      jsonb_build_object('id', p.id, 'title', p.title, 'category', p.category) as product,
      jsonb_build_object('id', l.id, 'externalId', l.external_id, 'marketplace', k.name) as listing,
      ${partyOf('s')} as seller
    from review_queue q join products p on p.id = q.product_id join listings l on l.id = q.listing_id
    join marketplaces k on k.id = l.marketplace_id join members s on s.id = q.seller_id
    left join reviews r on r.queue_id = q.id
    where q.id = ${id}`.execute(ctx.db)
  const request = rows[0]
  if (!request) throw refuse('NOT_FOUND')
  const reviews = await sql<Facts>`
    select r.id, r.status, ${partyOf('v')} as reviewer, r.accepted_at, r.purchase_due_at, r.due_at,
      r.coupon_opened_at, r.coupon_opens, r.coupon_price_cents as paid_cents, r.purchased_at, r.usable_from,
      r.submitted_at, r.confirm_due_at, r.returned_at, r.return_reason, r.return_due_at,
      (select x.explanation from reports x join cases c on c.id = x.case_id
        where c.review_id = r.id and x.withdrawn_at is null
        order by x.created_at desc limit 1) as return_explanation,
      r.verified_at, r.verified_by, r.lapsed_at, r.removed_at, r.ended_by_staff,
      (select case when x.withdrawn_at is null then 'stands' else 'withdrawn' end from strikes x
        where x.review_id = r.id) as strike,
      r.held_at is not null as under_report, r.disclosure, r.posted_link
    from reviews r join members v on v.id = r.reviewer_id where r.queue_id = ${id}`.execute(ctx.db)
  return { ...request, review: reviews.rows[0] ?? null }
}

async function readOffers(ctx: MemberCtx, queueId: string): Promise<Exchange['offers']> {
  const { rows } = await sql<Exchange['offers'][number]>`
    select o.id, ${partyOf('m')} as "to", o.state, o.live, o.offered_at, o.expires_at, o.seen_at,
      o.responded_at, o.reason,
      case when d.id is null then null else jsonb_build_object('chain', d.chain, 'passNo', d.pass_no,
        'at', to_char(d.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'requests', d.requests,
        'candidates', d.candidates, 'matched', d.matched, 'slot', o.slot, 'skipped', o.skipped,
        'hash', encode(d.hash, 'hex')) end as draw
    from offers o join members m on m.id = o.reviewer_id left join match_passes d on d.id = o.pass_id
    where o.queue_id = ${queueId} order by o.offered_at, o.id limit 200`.execute(ctx.db)
  return rows
}

async function readEvidence(ctx: MemberCtx, review: Facts) {
  const versions = await sql<ExchangeVersion>`
    select version, created_at as at, body as text, used_for, not_for, ai_assisted, lane,
      case when ${review.status === 'verified'}::boolean then rating end as rating
    from review_versions where review_id = ${review.id} order by version`.execute(ctx.db)
  const proofs = await sql<ExchangeProof>`
    select x.id, x.kind, x.state, x.created_at as at, x.checked_at, x.order_id,
      x.file_key is not null as has_picture, left(encode(x.sha256, 'hex'), 16) as hash,
      array(select r.queue_id from similar_proofs y join proofs z
        on z.id = case when y.proof_id = x.id then y.similar_to else y.proof_id end
        join reviews r on r.id = z.review_id where x.id in (y.proof_id, y.similar_to)) as similar
    from proofs x where x.review_id = ${review.id} order by x.created_at, x.id`.execute(ctx.db)
  const entries = await sql<{ id: string; member: string; delta: number; at: string }>`
    select e.id, ${nameOf('m')} as member, e.delta, e.at from ledger_entries e
    join members m on m.id = e.member_id where e.review_id = ${review.id} order by e.delta desc`.execute(
    ctx.db,
  )
  const newest = versions.rows.at(-1)
  return {
    versions: versions.rows,
    proofs: proofs.rows,
    entries: entries.rows,
    checks: newest ? await checksOf(ctx, review, newest) : [],
  }
}

/** The checks that can be explained. They inform a person, and decide nothing. */
async function checksOf(ctx: MemberCtx, review: Facts, { text, lane }: ExchangeVersion) {
  const body = withoutDisclosure(text, review.disclosure)
  const { words, sentences, repeats } = countText(body)
  const isDuplicate = (await findSimilarTexts(ctx, { reviewId: review.id, body })).length > 0
  const isPublic = lane === 'public'
  return [
    {
      label: 'Length',
      passed: isLongEnough(body),
      detail: `${words} words in ${sentences} sentences${repeats ? ', repetitions left out' : ''}`,
    },
    ...(isPublic
      ? [
          {
            label: 'Disclosure',
            passed: startsWithDisclosure(text, review.disclosure),
            detail: 'The text begins with the sentence that its marketplace asks for.',
          },
        ]
      : []),
    {
      label: 'Links and personal data',
      passed: !hasPersonalData(body),
      detail: 'No link, email address or phone number in the text.',
    },
    {
      label: 'Own words',
      passed: !isDuplicate,
      detail: isDuplicate
        ? 'Almost the same as another review or the product’s description.'
        : 'Not like any other review or the product’s description.',
    },
    {
      label: 'Time of use',
      passed:
        review.usableFrom !== null && review.submittedAt !== null && review.usableFrom <= review.submittedAt,
      detail: 'Submitted after the shortest time of use for its category.',
    },
  ]
}
