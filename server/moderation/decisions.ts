// A decision of our staff about a case. It names the rule and what it is based on, and the statement of
// reasons is written from it. Of several at once, one counts. Nothing here reads a rating.
import { sql } from 'kysely'
import { canDecide, writeStatement } from '#contract/moderation.ts'
import type { CaseOutcome, CaseRule, SanctionStep, Statement } from '#contract/moderation.ts'
import { appealDays } from '#contract/membership.ts'
import { hasPersonalData } from '#contract/review-text.ts'
import { reviewRules } from '#contract/reviews.ts'
import type { ReviewRule } from '#contract/reviews.ts'
import type { DecisionInput } from '#contract/staff/moderation.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { barSeller, isBarred } from '#server/products/barred-sellers.ts'
import { removeListing } from '#server/products/listings.ts'
import { removeListingIdentity } from '#server/reviews/identities.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { removeReview, returnReview } from '#server/reviews/returns.ts'
import { addStrike } from '#server/reviews/strikes.ts'
import { closeCase, emitCase, lockCase, refuseOwnCase, sellerOf } from './cases.ts'
import type { Case, CaseInHand } from './cases.ts'
import { notifyDecision, notifyReporters, notifyUnfounded } from './notices.ts'
import { addSanction, findNextSanction } from './sanctions.ts'

/**
 * Decides a case. A second look is up to another person than the first. Refuses OWN_MATTER, CASE_TAKEN,
 * NAMES_A_MEMBER, CONFLICT when it was decided meanwhile, and the reasons of `canDecide`.
 */
export function decideCase(ctx: MemberCtx, input: DecisionInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const inHand = await lockCase(ctx, input.id)
    const facts = await readFacts(ctx, inHand)
    await refuseOwnCase(ctx, inHand)
    const { state, assignedTo } = inHand.case
    if (state !== 'open' && state !== 'second_look') throw refuse('CONFLICT')
    if (assignedTo !== null && assignedTo !== ctx.who.id) throw refuse('CASE_TAKEN')
    const may = canDecide({ ...inHand.case, ...facts, hasReports: inHand.reports.length > 0, ...input })
    if (may !== true) throw refuse(may)
    await refuseNames(ctx, inHand, input.findings)

    const step = input.sanction ? await findNextSanction(ctx, { ...inHand.case, ...input }) : null
    const decisionId = await addDecision(ctx, inHand, { ...input, ...facts, step })
    await apply(ctx, inHand, input)
    if (step) await addSanction(ctx, { memberId: inHand.case.memberId, decisionId, step })
    if (input.outcome !== 'dismissed') await notifyDecision(ctx, decisionId)
    await notifyReporters(ctx, inHand, decisionId)
    if (input.unfounded) await countAgainstReporters(ctx, inHand, decisionId)
    await recordStaffAction(ctx, {
      action: 'case_decided',
      memberId: inHand.case.memberId,
      subject: { kind: 'case', id: input.id },
      reason: withoutSecrets(input.findings),
      before: { state },
      after: {
        outcome: input.outcome,
        rule: input.rule,
        unfounded: input.unfounded,
        sanction: step?.kind ?? null,
      },
    })
    await emitCase(ctx, inHand)
  })
}

/** What can still be done about the thing of a case, and whether its review is final. */
export async function readFacts(ctx: Ctx, { case: { listingId, memberId }, review }: CaseInHand) {
  if (!review) {
    const { isTheirs } = await ctx.db
      .selectFrom('listings')
      .select(
        sql<boolean>`(removed_at is null and not ${isBarred(sql`listings.id`, sql`${memberId}`)})`.as(
          'isTheirs',
        ),
      )
      .where('id', '=', listingId)
      .executeTakeFirstOrThrow()
    return { mayReturn: false, mayRemove: isTheirs, isFinal: false }
  }
  const row = await ctx.db
    .selectFrom('reviews')
    .select(['status', 'removedAt'])
    .where('id', '=', review.id)
    .executeTakeFirstOrThrow()
  const stands = (row.status === 'reviewed' || row.status === 'verified') && row.removedAt === null
  return { mayReturn: stands, mayRemove: stands, isFinal: row.status === 'verified' }
}

type NewDecision = {
  outcome: CaseOutcome
  rule: CaseRule | null
  findings: string
  unfounded: boolean
  isFinal: boolean
  step: SanctionStep | null
}

/** Writes a decision with its statement of reasons. Without a person as actor, a deadline decided. */
export async function addDecision(ctx: Ctx, { case: about }: CaseInHand, decision: NewDecision) {
  const { outcome, rule, unfounded, isFinal, step } = decision
  const findings = withoutSecrets(decision.findings)
  const statement: Statement = writeStatement({
    subject: about.subject,
    outcome,
    rule,
    findings,
    byPerson: ctx.who.id !== null,
    flagged: about.flagged,
    isFinal,
    isSecondLook: about.stoodByAt !== null,
    sanction: step,
  })
  const { id } = await ctx.db
    .insertInto('caseDecisions')
    .values({
      id: newId(),
      caseId: about.id,
      n: sql<number>`1 + (select count(*) from case_decisions where case_id = ${about.id})`,
      outcome,
      rule,
      findings,
      decidedBy: ctx.who.id,
      memberId: about.memberId,
      unfounded,
      statement: JSON.stringify(statement),
      appealUntil: sql<string>`clock_timestamp() + make_interval(days => ${appealDays})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The case first: the reactions to what follows then find it closed. */
async function apply(ctx: MemberCtx, inHand: CaseInHand, { outcome, rule }: DecisionInput) {
  const { case: about, review } = inHand
  if (outcome === 'returned') return review && returnCase(ctx, about, await returnOf(ctx, inHand, rule))
  await closeCase(ctx, about.id, 'decided')
  if (outcome === 'removed') {
    if (review) await removeReview(ctx, review)
    else if (rule === 'not_theirs') await takeListing(ctx, sellerOf(about))
    else await removeListing(ctx, about.listingId)
  }
  // The seller had their say with the report, so what is dismissed counts from now on.
  if (review && (await isHeld(ctx, review.id))) await verifyReview(ctx, review, 'staff')
}

/** What the seller owes does not follow a listing that was never theirs. */
async function takeListing(ctx: Ctx, of: { listingId: string; sellerId: string }) {
  await barSeller(ctx, of)
  await removeListingIdentity(ctx, of)
}

async function returnOf(ctx: Ctx, { review }: CaseInHand, rule: CaseRule | null) {
  if (!review || !isReviewRule(rule)) throw refuse('OUTCOME_IMPOSSIBLE')
  const dueAt = await returnReview(ctx, review, rule)
  if (dueAt === null) throw refuse('CONFLICT')
  return dueAt
}

async function returnCase(ctx: Ctx, { id }: Case, answerDueAt: string) {
  await ctx.db
    .updateTable('cases')
    .set({ state: 'returned', dueAt: null, answerDueAt, assignedTo: null, assignedAt: null })
    .where('id', '=', id)
    .execute()
}

function isReviewRule(rule: CaseRule | null): rule is ReviewRule {
  return rule !== null && Object.hasOwn(reviewRules, rule)
}

async function isHeld(ctx: Ctx, reviewId: string) {
  const held = await ctx.db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', reviewId)
    .where('heldAt', 'is not', null)
    .executeTakeFirst()
  return held !== undefined
}

/** Refuses findings with contact details, or with the name of anyone who is part of the matter. */
export async function refuseNames(
  ctx: Ctx,
  { people, flagged }: CaseInHand,
  findings: string,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('members')
    .select(['username', 'displayName', 'fullName'])
    .where('id', 'in', [...people, ...flagged])
    .execute()
  const names = rows.flatMap(({ username, displayName, fullName }) => [username, displayName, fullName])
  const text = findings.toLowerCase()
  const isNamed = names.some((name) => name !== null && name.length >= 3 && hasWord(text, name.toLowerCase()))
  if (isNamed || hasPersonalData(findings)) throw refuse('NAMES_A_MEMBER', { field: 'findings' })
}

function hasWord(text: string, word: string) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = [text.charAt(at - 1), text.charAt(at + word.length)]
    if (around.every((sign) => !/[\p{L}\p{N}]/u.test(sign))) return true
  }
  return false
}

async function countAgainstReporters(ctx: Ctx, { reports }: CaseInHand, decisionId: string) {
  for (const { id: reportId, reporterId } of reports) {
    await addStrike(ctx, reporterId, { reportId })
    await notifyUnfounded(ctx, { memberId: reporterId, decisionId })
  }
}
