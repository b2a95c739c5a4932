// A proof shows that the reviewer bought the product: an order number, or a picture of the receipt. It may be
// replaced until the review is final, but not while a report waits for its decision: staff look at it. What
// was used once proves no other review (used-proofs.ts).
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  isOrderNumber,
  minimumUseMinutes,
  orderTriesPerReview,
  proofBytesLimit,
  proofQuota,
} from '#contract/reviews.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterRollback, inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import type { ProofPicture } from '#server/kit/uploads/images.ts'
import { cleanProof } from '#server/kit/uploads/images.ts'
import { keepFile, storeFile } from '#server/kit/uploads/stored-file.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { isRefusal, refuse } from '#server/kit/refusal.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { uploadMessages, UploadRefused } from '#server/kit/uploads/upload.ts'
import { emitStep, lockMyReview } from './reviews.ts'
import { getWritten } from './parties.ts'
import type { Parties } from './parties.ts'
import { claimOrderNumber, findLikenesses, keepSimilarProofs } from './used-proofs.ts'

/**
 * Proves a purchase by its order number and the coupon price paid. The first proof makes the
 * review `purchased`. Refuses INVALID_ORDER_ID, INVALID_PRICE, NOT_WRITABLE, ORDER_ID_QUOTA, and
 * ORDER_ID_USED when another review on this marketplace ever used it.
 */
export function proveByOrder(ctx: MemberCtx, input: { id: string; orderId: string; paidCents: number }) {
  return inTransaction(ctx, async (ctx) => {
    const orderId = input.orderId.trim()
    if (!isOrderNumber(orderId)) throw refuse('INVALID_ORDER_ID', { field: 'orderId' })
    const review = await lockProvable(ctx, input)
    const { id: reviewId, marketplaceId } = review
    await refuseRefusedNumber(ctx, { reviewId, marketplaceId, orderId })
    const { usedBy, isNew } = await claimOrderNumber(ctx, { reviewId, marketplaceId, orderId })
    if (usedBy !== reviewId) {
      logRefused(ctx, { reviewId, usedBy, reason: 'order number already used' })
      throw refuse('ORDER_ID_USED', { field: 'orderId' })
    }
    await replaceCurrent(ctx, reviewId)
    await ctx.db
      .insertInto('proofs')
      .values({ id: newId(), reviewId, uploaderId: ctx.who.id, kind: 'order', orderId })
      .execute()
    await startUse(ctx, review, { ...input, isNew })
  })
}

/**
 * Counts that an order number is entered for a review of mine. Outside of the transaction, so that what is
 * refused counts too. Refuses NOT_FOUND when the review is not mine to write, and ORDER_ID_QUOTA.
 */
export async function countOrderTry(ctx: MemberCtx, reviewId: string): Promise<void> {
  await getWritten(ctx, reviewId)
  const atMost = { hits: orderTriesPerReview, seconds: 60 * 24 * hour }
  try {
    await limitRate(ctx.kit.db, `order-numbers:${ctx.who.id}:${reviewId}`, atMost)
  } catch (error) {
    throw isRefusal(error, 'TOO_MANY_REQUESTS') ? refuse('ORDER_ID_QUOTA', { field: 'orderId' }) : error
  }
}

/** A proof as it may be kept, with the hash and name of the original file. */
export type ReadProof = ProofPicture & { sha256: Buffer; originalName: string }

/**
 * Opens an uploaded file: a JPG or PNG is encoded again from its pixels, a PDF becomes a picture of its first
 * pages. It is slow, so it runs before the transaction. Refuses PROOF_TOO_LARGE, PROOF_UNSUPPORTED and
 * PROOF_UNREADABLE, the last with its reason.
 */
export async function readProof(file: Blob): Promise<ReadProof> {
  if (file.size > proofBytesLimit) throw refuse('PROOF_TOO_LARGE', { field: 'file' })
  const bytes = Buffer.from(await file.arrayBuffer())
  const clean = await cleanProof(bytes).catch((error: unknown) => {
    throw error instanceof UploadRefused ? refusalOf(error) : error
  })
  // The hash is of the uploaded bytes, because encoding a picture again does not always give the same bytes.
  const sha256 = createHash('sha256').update(bytes).digest()
  return { ...clean, sha256, originalName: file instanceof File ? file.name.slice(0, 100) : '' }
}

function refusalOf(error: UploadRefused) {
  if (error.code === 'busy') return error
  if (error.code === 'unsupported') return refuse('PROOF_UNSUPPORTED', { field: 'file' })
  const reason = uploadMessages[error.code]
  return refuse('PROOF_UNREADABLE', { field: 'file', ...(reason ? { reason } : {}) })
}

/** A proof whose file is stored, and that no row names yet. */
type StoredProof = Omit<ReadProof, 'bytes'> & { fileKey: string; size: number }

/** Stores the file of a proof. */
export async function storeProof(ctx: MemberCtx, { bytes, ...proof }: ReadProof): Promise<StoredProof> {
  return { ...proof, size: bytes.length, fileKey: await storeFile(ctx, bytes) }
}

/**
 * Proves a purchase by a file from `storeProof`. Refuses PROOF_USED when the file or its picture ever proved
 * another review, or our staff refused it for this one; PROOF_QUOTA above 20 files or 40 MB in 30 days,
 * INVALID_PRICE and NOT_WRITABLE. A refused file is not kept. A picture that is almost one of another review
 * is flagged to our staff.
 */
export function proveByFile(
  ctx: MemberCtx,
  input: { id: string; proof: StoredProof; paidCents: number },
): Promise<{ proofId: string }> {
  const { proof } = input
  return inTransaction(ctx, async (ctx) => {
    keepFile(ctx, proof.fileKey)
    const review = await lockProvable(ctx, input)
    await refuseOverQuota(ctx, proof.size)
    await replaceCurrent(ctx, review.id)
    await startUse(ctx, review, { ...input, isNew: true })
    // Last: all other uploads of the club wait from here to the commit.
    const likenesses = await findLikenesses(ctx, { ...proof, reviewId: review.id })
    const used = likenesses.find(({ same }) => same)
    if (used) {
      logRefused(ctx, { reviewId: review.id, usedBy: used.reviewId, reason: 'file already used' })
      throw refuse('PROOF_USED', { field: 'file' })
    }
    const proofId = newId()
    await ctx.db
      .insertInto('proofs')
      .values({
        id: proofId,
        reviewId: review.id,
        uploaderId: ctx.who.id,
        kind: 'file',
        fileKey: proof.fileKey,
        mime: mimes[proof.type],
        bytes: proof.size,
        sha256: proof.sha256,
        pictureTones: proof.hash.tones,
        pictureBits: sql`${proof.hash.bits}::bit(992)`,
        originalName: proof.originalName,
      })
      .execute()
    await keepSimilarProofs(ctx, proofId, likenesses)
    return { proofId }
  })
}

const mimes = { jpeg: 'image/jpeg', png: 'image/png' } as const

type ProvableReview = Parties & {
  marketplaceId: string
  status: string
  category: string
  couponPrices: number[]
}

/**
 * My review, locked, while a proof may be added or replaced. My member lock is taken first and keeps the
 * quota exact.
 */
async function lockProvable(
  ctx: MemberCtx,
  { id, paidCents }: { id: string; paidCents: number },
): Promise<ProvableReview> {
  await lockMembers(ctx, [ctx.who.id])
  await lockMyReview(ctx, id)
  const review = await ctx.db
    .selectFrom('reviews')
    .innerJoin('products', 'products.id', 'reviews.productId')
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .select(['reviews.id', 'queueId', 'productId', 'reviewerId', 'reviews.sellerId', 'status'])
    .select(['reviews.marketplaceId', 'products.category', 'marketplaces.couponPrices'])
    .select(
      sql<boolean>`case when status in ('pending', 'purchased') then due_at > clock_timestamp()
        when status = 'returned' then return_due_at > clock_timestamp()
        else status = 'reviewed' and held_at is null end`.as('provable'),
    )
    .where('reviews.id', '=', id)
    .executeTakeFirstOrThrow()
  if (!review.provable) throw refuse('NOT_WRITABLE')
  if (!review.couponPrices.includes(paidCents)) throw refuse('INVALID_PRICE', { field: 'paidCents' })
  return review
}

async function refuseOverQuota(ctx: MemberCtx, bytes: number) {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*) as files, coalesce(sum(bytes), 0) as bytes from proofs
    where uploader_id = ${ctx.who.id} and kind = 'file'
      and created_at > clock_timestamp() - make_interval(days => ${proofQuota.days})`.execute(ctx.db)
  const used = rows[0] ?? { files: 0, bytes: 0 }
  if (used.files >= proofQuota.files || used.bytes + bytes > proofQuota.bytes)
    throw refuse('PROOF_QUOTA', { field: 'file' })
}

/** Refuses an order number that our staff refused as a proof of this review before, however it is written. */
async function refuseRefusedNumber(
  ctx: Ctx,
  { reviewId, marketplaceId, orderId }: { reviewId: string; marketplaceId: string; orderId: string },
) {
  const { rows } = await sql`
    select from proofs p join marketplaces k on k.id = ${marketplaceId}
    where p.review_id = ${reviewId} and p.state = 'refused'
      and (regexp_match(p.order_id, k.order_pattern))[1] = (regexp_match(${orderId}, k.order_pattern))[1]
    limit 1`.execute(ctx.db)
  if (rows.length > 0) throw refuse('ORDER_ID_USED', { field: 'orderId' })
}

async function replaceCurrent(ctx: Ctx, reviewId: string) {
  const { rows } = await sql<{ fileKey: string | null }>`
    update proofs p set state = 'replaced', order_id = null, file_key = null
    from proofs old
    where p.review_id = ${reviewId} and p.state = 'stored' and old.id = p.id
    returning old.file_key`.execute(ctx.db)
  removeAfterCommit(
    ctx,
    rows.map(({ fileKey }) => fileKey),
  )
}

/**
 * The first proof makes the review `purchased` and starts the time of use. Until it is submitted, a new proof
 * starts that time again: else made-up digits would start it before the purchase. However late the proof is,
 * an hour stays to submit.
 */
async function startUse(
  ctx: MemberCtx,
  review: ProvableReview,
  { paidCents, isNew }: { paidCents: number; isNew: boolean },
) {
  await ctx.db
    .updateTable('reviews')
    .set({ couponPriceCents: paidCents })
    .where('id', '=', review.id)
    .execute()
  const minutes = minimumUseMinutes[review.category] ?? minimumUseMinutes.other ?? 0
  const use = sql`make_interval(secs => ${Math.min(minutes * 60, ctx.config.useTime.longestSeconds)})`
  const usable = sql`least(at + ${use}, greatest(at, due_at - interval '1 hour'))`
  if (review.status === 'purchased' && isNew) {
    await sql`update reviews set usable_from = greatest(usable_from, ${usable})
      from (select clock_timestamp() as at) now_is where id = ${review.id}`.execute(ctx.db)
  }
  if (review.status !== 'pending') return
  await sql`update reviews set status = 'purchased', purchased_at = at, usable_from = ${usable}
    from (select clock_timestamp() as at) now_is where id = ${review.id}`.execute(ctx.db)
  await recordOwnAction(ctx, {
    type: 'reviews',
    title: 'Proof of purchase added',
    description: 'You added your proof of purchase. Use the product, then submit your review.',
    href: `/reviews/${review.id}`,
  })
  await emitStep(ctx, 'purchased', review)
}

type Refused = { reviewId: string; usedBy: string; reason: string }

/** Logs which review used the order number or file before. Only staff can read it. */
function logRefused(ctx: Ctx, { reviewId, usedBy, reason }: Refused) {
  afterRollback(ctx, (outside) =>
    recordActivity(outside, 'proof_refused', { reviewId, targetId: usedBy, reason }),
  )
}
