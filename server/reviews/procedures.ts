import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { discardFile } from '#server/kit/uploads/stored-file.ts'
import { listReviewCards, showReviewCards } from './cards.ts'
import { listLedger } from './ledger/entries.ts'
import { listLedgerSeals } from './ledger/seals.ts'
import { confirmReview } from './outcomes.ts'
import { countOrderTry, proveByFile, proveByOrder, readProof, storeProof } from './proofs.ts'
import {
  getDashboard,
  getNextSteps,
  getReceivedReview,
  getReview,
  listReviewsReceived,
  listReviewsToWrite,
} from './reads.ts'
import { getWritten } from './parties.ts'
import { amendReview } from './returns.ts'
import { checkReviewText, openCoupon, saveDraft, submitReview } from './reviews.ts'
import { readMissedReviews } from './strikes.ts'

const calls = api.reviews

const uploads = limited('proof-uploads', { hits: 10, seconds: hour })
const answers = limited('review-answers', { hits: 30, seconds: hour })
const typing = limited('review-typing', { hits: 1200, seconds: hour })

export const reviewProcedures: Procedures<'reviews'> = {
  getDashboard: calls.getDashboard.by((ctx) => getDashboard(ctx)),
  getNextSteps: calls.getNextSteps.by((ctx) => getNextSteps(ctx)),
  getMissedReviews: calls.getMissedReviews.by((ctx) => readMissedReviews(ctx, ctx.who.id)),
  listReviewsToWrite: calls.listReviewsToWrite.by((ctx, input) => listReviewsToWrite(ctx, input)),
  listReviewsReceived: calls.listReviewsReceived.by((ctx, input) => listReviewsReceived(ctx, input)),
  listLedgerSeals: calls.listLedgerSeals.by((ctx, input) => listLedgerSeals(ctx, input)),
  listLedger: calls.listLedger.by((ctx, input) => listLedger(ctx, input)),
  listReviewCards: calls.listReviewCards.by((ctx, input) => listReviewCards(ctx, input)),
  showReviewCards: calls.showReviewCards.after(answers).by((ctx, input) => showReviewCards(ctx, input)),
  getReview: calls.getReview.by((ctx, { id }) => getReview(ctx, id)),
  getReceivedReview: calls.getReceivedReview.by((ctx, { id }) => getReceivedReview(ctx, id)),

  openCoupon: calls.openCoupon
    .after(limited('coupons', { hits: 60, seconds: hour }))
    .by((ctx, { id }) => openCoupon(ctx, id)),
  proveByOrder: calls.proveByOrder.after(answers).by({
    prepare: (ctx, { id }) => countOrderTry(ctx, id),
    answer: (ctx, input) => proveByOrder(ctx, input),
  }),
  proveByFile: calls.proveByFile.after(uploads).by({
    async prepare(ctx, { id, file }) {
      // Before the upload is read.
      await getWritten(ctx, id)
      return storeProof(ctx, await readProof(file))
    },
    discard: (ctx, { fileKey }) => discardFile(ctx, fileKey),
    answer: (ctx, { id, paidCents }, { prepared: proof }) => proveByFile(ctx, { id, proof, paidCents }),
  }),

  saveDraft: calls.saveDraft.after(typing).by((ctx, input) => saveDraft(ctx, input)),
  checkReviewText: calls.checkReviewText.after(typing).by((ctx, input) => checkReviewText(ctx, input)),
  submitReview: calls.submitReview.after(answers).by((ctx, input) => submitReview(ctx, input)),
  confirmReview: calls.confirmReview.after(answers).by((ctx, { id }) => confirmReview(ctx, id)),
  amendReview: calls.amendReview.after(answers).by((ctx, input) => amendReview(ctx, input)),
}
