// How the reviews of a leaving member end, on either side. Submitted reviews become final, so writers who
// stay keep the credit; not those of a leaving writer that were returned or reported. The others end, and a
// seller who stays keeps the place in the queue. Those that the leaver was to write count as missed if they
// join again: otherwise leaving would be cheaper than missing them. The account itself gets no strike.
// A debt of the leaver stays behind. Reviews of theirs that could not be checked don't pay for it, and a
// product of theirs that was bought counts as reviewed.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { lapseRequest } from '#server/matching/requests.ts'
import { notifyNotFinished, notifySellerLeft } from './notices.ts'
import { endCarriedIfEven } from './ledger/carried-debts.ts'
import { moveBalanceToClub } from './ledger/debts.ts'
import { lockExchange, verifyReview } from './outcomes.ts'
import { emitStep } from './reviews.ts'
import { deleteRingsOf } from './rings/search.ts'
import type { Parties } from './parties.ts'

/**
 * Ends every open review of this member, on either side, then settles their balance. Returns how many they
 * were to write and leave unfinished. The caller holds the locks of all members involved.
 */
export function endReviewsOf(ctx: Ctx, memberId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const open = await ctx.db
      .selectFrom('reviews')
      .select(['id', 'queueId', 'productId', 'reviewerId', 'sellerId', 'status', 'heldAt'])
      .where(({ or, eb }) => or([eb('reviewerId', '=', memberId), eb('sellerId', '=', memberId)]))
      .where('status', 'not in', ['verified', 'lapsed'])
      .orderBy('id')
      .execute()
    let unpaid = 0
    let unfinished = 0
    for (const review of open) {
      // A returned review needs an answer of its writer, and a reported one would be decided about them.
      const isWaiting = review.status === 'returned' || review.heldAt !== null
      const isSubmitted = review.status === 'reviewed' || review.status === 'returned'
      const stands = isSubmitted && !(isWaiting && review.reviewerId === memberId)
      if (stands) await verifyReview(ctx, review, 'time', { early: true })
      else if ((await endUnfinished(ctx, review, memberId)) && review.reviewerId === memberId) unfinished += 1
      if (review.reviewerId !== memberId) await endCarriedIfEven(ctx, review.reviewerId)
      // What a member bought for a leaving seller may be posted already.
      const isBought = review.status === 'purchased' && review.sellerId === memberId
      if (isBought || (stands && review.reviewerId === memberId)) unpaid += 1
    }
    await moveBalanceToClub(ctx, memberId, unpaid)
    return unfinished
  })
}

/** False if it ended meanwhile. */
async function endUnfinished(ctx: Ctx, review: Parties, leaverId: string): Promise<boolean> {
  await lockExchange(ctx, review)
  const ended = await ctx.db
    .updateTable('reviews')
    .set({
      status: 'lapsed',
      lapsedAt: sql<string>`clock_timestamp()`,
      confirmDueAt: null,
      heldAt: null,
      returnDueAt: null,
      draft: null,
    })
    .where('id', '=', review.id)
    .where('status', 'not in', ['verified', 'lapsed'])
    .executeTakeFirst()
  if (ended.numUpdatedRows !== 1n) return false
  await lapseRequest(ctx, review, { atFault: false })
  await emitStep(ctx, 'lapsed', review)
  if (leaverId === review.reviewerId) await notifyNotFinished(ctx, review)
  else await notifySellerLeft(ctx, review)
  return true
}

/**
 * Deletes the data that only the writer needed: proofs, drafts, the link to their name on the marketplace,
 * and texts that never became final. Final reviews stay without a name. The hashes of proof files stay, so
 * that no file proves a second purchase.
 */
export function deleteReviewsOf(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ fileKey: string | null }>`
      update proofs p set order_id = null, file_key = null, original_name = null,
        state = case p.state when 'refused' then p.state else 'deleted' end
      from proofs old where p.uploader_id = ${memberId} and old.id = p.id and p.state <> 'replaced'
      returning old.file_key`.execute(ctx.db)
    removeAfterCommit(
      ctx,
      rows.map(({ fileKey }) => fileKey),
    )
    await ctx.db
      .updateTable('proofs')
      .set({ originalName: null })
      .where('uploaderId', '=', memberId)
      .where('originalName', 'is not', null)
      .execute()
    await ctx.db
      .updateTable('reviews')
      .set({ draft: null, draftSavedAt: null, postedLink: null })
      .where('reviewerId', '=', memberId)
      .execute()
    await sql`delete from review_versions v using reviews r
      where r.id = v.review_id and r.reviewer_id = ${memberId} and r.status = 'lapsed'`.execute(ctx.db)
    await ctx.db
      .updateTable('reviews')
      .set({ rating: null, body: null, usedFor: null, notFor: null })
      .where('reviewerId', '=', memberId)
      .where('status', '=', 'lapsed')
      .execute()
    await sql`delete from review_cards c using products p
      where p.id = c.product_id and p.seller_id = ${memberId}`.execute(ctx.db)
    await deleteRingsOf(ctx, memberId)
  })
}
