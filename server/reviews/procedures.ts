import { ORPCError } from '@orpc/server'
import { proofUpload } from '#contract/reviews.ts'
import { api, limited, member } from '#server/kit/http/api.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { confirmReview } from './outcomes.ts'
import { proveByFile, proveByOrder, readProof, requireMyReview } from './proofs.ts'
import {
  getDashboard,
  getReceivedReview,
  getReview,
  listReviewsReceived,
  listReviewsToWrite,
} from './reads.ts'
import { checkReviewText, openCoupon, returnReview, saveDraft, submitReview } from './reviews.ts'

const calls = api.reviews

const uploads = limited('proof-uploads', { hits: 10, seconds: hour })
const answers = limited('review-answers', { hits: 30, seconds: hour })
const typing = limited('review-typing', { hits: 1200, seconds: hour })

export const reviewProcedures = {
  getDashboard: calls.getDashboard.use(member).handler(({ context: { ctx } }) => getDashboard(ctx)),
  listReviewsToWrite: calls.listReviewsToWrite
    .use(member)
    .handler(({ context: { ctx }, input }) => listReviewsToWrite(ctx, input)),
  listReviewsReceived: calls.listReviewsReceived
    .use(member)
    .handler(({ context: { ctx }, input }) => listReviewsReceived(ctx, input)),
  getReview: calls.getReview.use(member).handler(({ context: { ctx }, input }) => getReview(ctx, input.id)),
  getReceivedReview: calls.getReceivedReview
    .use(member)
    .handler(({ context: { ctx }, input }) => getReceivedReview(ctx, input.id)),
  openCoupon: calls.openCoupon
    .use(limited('coupons', { hits: 60, seconds: hour }))
    .use(member)
    .handler(({ context: { ctx }, input }) => openCoupon(ctx, input.id)),
  proveByOrder: calls.proveByOrder
    .use(answers)
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await proveByOrder(ctx, input)
      return { ok: true as const }
    }),
  proveByFile: calls.proveByFile
    .use(uploads)
    // The file is opened before the gate begins its transaction: seconds of work must not hold a connection. The input was
    // not read by its schema at this point.
    .use(async ({ context: { ctx }, next }, input) => {
      if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
      const upload = proofUpload.safeParse(input)
      if (!upload.success) throw new ORPCError('BAD_REQUEST', { message: 'Input validation failed' })
      await requireMyReview(memberOf(ctx), upload.data.id)
      return next({ context: { proof: await readProof(upload.data.file) } })
    })
    .use(member)
    .handler(({ context: { ctx, proof }, input: { id, paidCents } }) =>
      proveByFile(ctx, { id, proof, paidCents }),
    ),
  saveDraft: calls.saveDraft
    .use(typing)
    .use(member)
    .handler(({ context: { ctx }, input }) => saveDraft(ctx, input)),
  checkReviewText: calls.checkReviewText
    .use(typing)
    .use(member)
    .handler(({ context: { ctx }, input }) => checkReviewText(ctx, input)),
  submitReview: calls.submitReview
    .use(answers)
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await submitReview(ctx, input)
      return { ok: true as const }
    }),
  confirmReview: calls.confirmReview
    .use(answers)
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await confirmReview(ctx, input.id)
      return { ok: true as const }
    }),
  returnReview: calls.returnReview
    .use(answers)
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await returnReview(ctx, input)
      return { ok: true as const }
    }),
}
