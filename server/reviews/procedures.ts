import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { member } from '#server/kit/http/gates.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { confirmReview } from './outcomes.ts'
import { proveByFile, proveByOrder, readProof, requireMyReview } from './proofs.ts'
import {
  getDashboard,
  getNextSteps,
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

export const reviewProcedures: Procedures<'reviews'> = {
  getDashboard: calls.getDashboard.by(member, (ctx) => getDashboard(ctx)),
  getNextSteps: calls.getNextSteps.by(member, (ctx) => getNextSteps(ctx)),
  listReviewsToWrite: calls.listReviewsToWrite.by(member, (ctx, input) => listReviewsToWrite(ctx, input)),
  listReviewsReceived: calls.listReviewsReceived.by(member, (ctx, input) => listReviewsReceived(ctx, input)),
  getReview: calls.getReview.by(member, (ctx, { id }) => getReview(ctx, id)),
  getReceivedReview: calls.getReceivedReview.by(member, (ctx, { id }) => getReceivedReview(ctx, id)),

  openCoupon: calls.openCoupon
    .after(limited('coupons', { hits: 60, seconds: hour }))
    .by(member, (ctx, { id }) => openCoupon(ctx, id)),
  proveByOrder: calls.proveByOrder.after(answers).by(member, (ctx, input) => proveByOrder(ctx, input)),
  proveByFile: calls.proveByFile.after(uploads).by(member, {
    async prepare(ctx, { id, file }) {
      await requireMyReview(ctx, id)
      return readProof(file)
    },
    answer: (ctx, { id, paidCents }, { prepared: proof }) => proveByFile(ctx, { id, proof, paidCents }),
  }),

  saveDraft: calls.saveDraft.after(typing).by(member, (ctx, input) => saveDraft(ctx, input)),
  checkReviewText: calls.checkReviewText
    .after(typing)
    .by(member, (ctx, input) => checkReviewText(ctx, input)),
  submitReview: calls.submitReview.after(answers).by(member, (ctx, input) => submitReview(ctx, input)),
  confirmReview: calls.confirmReview.after(answers).by(member, (ctx, { id }) => confirmReview(ctx, id)),
  returnReview: calls.returnReview.after(answers).by(member, (ctx, input) => returnReview(ctx, input)),
}
