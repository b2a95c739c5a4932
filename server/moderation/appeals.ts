// An appeal against a decision goes to another person. Its outcome is final.
import { sql } from 'kysely'
import { writeAppealStatement } from '#contract/moderation.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockRow } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { liftBar } from '#server/products/barred-sellers.ts'
import { putListingBack } from '#server/products/listings.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import type { Parties } from '#server/reviews/parties.ts'
import { countAsGiven, showReview } from '#server/reviews/returns.ts'
import { hasStandingRemoval, isReturnedAgain, overturnDecision, readAppealEffects } from './appeal-effects.ts'
import { closeCase, decisionDue, emitCase, lockCase, refuseOwnCase, sellerOf } from './cases.ts'
import type { Case, CaseInHand } from './cases.ts'
import { refuseNames } from './decisions.ts'
import { notifyAppealDecided } from './notices.ts'
import { liftSanction, liftStrike } from './sanctions.ts'

/**
 * Appeals a decision against me, once and within 14 days: about my review, my listing, or a report of mine
 * that had no basis. Refuses NOT_FOUND and NOT_APPEALABLE.
 */
export function appealDecision(
  ctx: MemberCtx,
  { id, explanation }: { id: string; explanation: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { caseId, outcome, memberId, unfounded } = await findDecision(ctx, id)
    const inHand = await lockCase(ctx, caseId)
    const isMine = memberId === ctx.who.id
    const mayAppeal = isMine
      ? outcome !== 'dismissed'
      : unfounded && inHand.reports.some(({ reporterId }) => reporterId === ctx.who.id)
    if (!isMine && !inHand.people.includes(ctx.who.id)) throw refuse('NOT_FOUND')
    const inTime = await ctx.db
      .selectFrom('caseDecisions')
      .select('id')
      .where('id', '=', id)
      .where('overturnedAt', 'is', null)
      .where('appealUntil', '>', sql<string>`clock_timestamp()`)
      .executeTakeFirst()
    if (!mayAppeal || !inTime) throw refuse('NOT_APPEALABLE')
    const added = await ctx.db
      .insertInto('appeals')
      .values({
        id: newId(),
        decisionId: id,
        memberId: ctx.who.id,
        explanation: withoutSecrets(explanation),
        dueAt: decisionDue,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) throw refuse('NOT_APPEALABLE')
    await ctx.db
      .updateTable('cases')
      .set({ assignedTo: null, assignedAt: null })
      .where('id', '=', caseId)
      .where('state', '=', 'closed')
      .execute()
    await recordOwnAction(ctx, {
      type: 'reviews',
      title: 'Appeal sent',
      description: 'You appealed a decision of our staff. Another person of our staff decides about it.',
      href: `/moderation/${id}`,
    })
    await emitCase(ctx, inHand)
  })
}

function findDecision(ctx: Ctx, id: string) {
  return ctx.db
    .selectFrom('caseDecisions')
    .select(['id', 'caseId', 'outcome', 'rule', 'memberId', 'unfounded', 'decidedBy'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/**
 * Decides an appeal, never against one's own decision. Reversing takes back what followed: strikes,
 * sanctions, the removal; a review that ended by it counts as given. Refuses OWN_MATTER, NAMES_A_MEMBER, and
 * CONFLICT when it was decided meanwhile.
 */
export function decideAppeal(
  ctx: MemberCtx,
  { id, overturn, findings }: { id: string; overturn: boolean; findings: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const appeal = await ctx.db
      .selectFrom('appeals')
      .select(['id', 'decisionId', 'memberId'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
    const decision = await findDecision(ctx, appeal.decisionId)
    const inHand = await lockCase(ctx, decision.caseId)
    await lockRow(ctx, 'appeals', id)
    await refuseOwnCase(ctx, inHand)
    const { assignedTo } = inHand.case
    if (assignedTo !== null && assignedTo !== ctx.who.id) throw refuse('CASE_TAKEN')
    await refuseNames(ctx, inHand, findings)
    const kept = withoutSecrets(findings)
    const byMember = appeal.memberId === inHand.case.memberId
    const effects = await readAppealEffects(ctx, id)
    const answer = { overturned: overturn, findings: kept, ...effects }
    if (!(await close(ctx, { id, ...answer }))) throw refuse('CONFLICT')
    if (overturn && byMember) {
      const fell = await reverse(ctx, inHand, decision)
      if (effects.countsAsGiven && inHand.review) await countAsGiven(ctx, inHand.review)
      await closeWith(ctx, fell, kept)
    } else if (overturn) {
      await clearReporter(ctx, inHand, appeal.memberId)
    }
    await notifyAppealDecided(ctx, { memberId: appeal.memberId, appealId: id, decisionId: decision.id })
    await recordStaffAction(ctx, {
      action: 'appeal_decided',
      memberId: appeal.memberId,
      subject: { kind: 'case', id: decision.caseId },
      reason: kept,
      after: { outcome: overturn ? 'overturned' : 'upheld', decisionId: decision.id },
    })
    await emitCase(ctx, inHand)
  })
}

type Answer = Parameters<typeof writeAppealStatement>[0]

/** Stores how an appeal was decided. False if it was decided before. */
async function close(ctx: MemberCtx, { id, ...answer }: Answer & { id: string }): Promise<boolean> {
  const decided = await ctx.db
    .updateTable('appeals')
    .set({
      outcome: answer.overturned ? 'overturned' : 'upheld',
      findings: answer.findings,
      statement: JSON.stringify(writeAppealStatement(answer)),
      decidedBy: ctx.who.id,
      decidedAt: sql<string>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('decidedAt', 'is', null)
    .executeTakeFirst()
  return decided.numUpdatedRows === 1n
}

/** Closes the open appeals against decisions that fell with another one: they have what they asked for. */
async function closeWith(ctx: MemberCtx, decisionIds: string[], findings: string) {
  if (decisionIds.length === 0) return
  const open = await ctx.db
    .selectFrom('appeals')
    .select(['id', 'memberId', 'decisionId'])
    .where('decisionId', 'in', decisionIds)
    .where('decidedAt', 'is', null)
    .execute()
  for (const { id, memberId, decisionId } of open) {
    await close(ctx, { id, overturned: true, findings, tookListing: false, countsAsGiven: false })
    await notifyAppealDecided(ctx, { memberId, appealId: id, decisionId })
  }
}

/** Takes back what followed from a decision. Returns the decisions that fell with it. */
async function reverse(
  ctx: MemberCtx,
  { case: about, review }: CaseInHand,
  { id, outcome, rule }: { id: string; outcome: string; rule: string | null },
): Promise<string[]> {
  const { removed, others } = await overturnDecision(ctx, id)
  await liftSanction(ctx, id)
  if (review) {
    if (outcome === 'returned') await endReturn(ctx, id, about, review)
    // A strike may have another cause, such as a deadline of the exchange itself.
    if (removed && !(await hasStandingRemoval(ctx, review.id))) {
      await showReview(ctx, review)
      await liftStrike(ctx, review.reviewerId, { reviewId: review.id })
    }
  } else if (outcome === 'removed') {
    if (rule === 'not_theirs') await liftBar(ctx, sellerOf(about))
    else await putListingBack(ctx, about.listingId)
  }
  return others
}

/** The return of a review is over, and so is a second look at it. An edit has gone its own way since. */
async function endReturn(ctx: MemberCtx, decisionId: string, { id, state }: Case, review: Parties) {
  if ((state !== 'returned' && state !== 'second_look') || (await isReturnedAgain(ctx, decisionId))) return
  await closeCase(ctx, id, 'decided')
  await verifyReview(ctx, review, 'staff')
}

async function clearReporter(ctx: Ctx, { reports }: CaseInHand, memberId: string) {
  const mine = reports.find(({ reporterId }) => reporterId === memberId)
  if (mine) await liftStrike(ctx, memberId, { reportId: mine.id })
}
