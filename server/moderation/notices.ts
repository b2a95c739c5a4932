// Notifications about decisions. The statement of reasons goes to whom a decision is against; who reported
// it learns the outcome alone. None names the other side or mentions a rating.
import { count } from '#contract/format.ts'
import { reportStates, statement as statementShape, writeUnfoundedStatement } from '#contract/moderation.ts'
import type { CaseSubject, ReportState, Statement } from '#contract/moderation.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { writeMomentFor } from '#server/notifications/moments.ts'
import { notify, notifyAll } from '#server/notifications/notices.ts'
import type { CaseInHand } from './cases.ts'

/** Sends the statement of reasons of a decision to the member it is against. */
export async function notifyDecision(ctx: Ctx, decisionId: string): Promise<void> {
  const found = await readDecision(ctx, decisionId)
  const { memberId, outcome, reviewId, n, answerDueAt } = found
  const title = await titleOf(ctx, found)
  const statement = statementShape.parse(found.statement)
  const until = answerDueAt === null ? null : await writeMomentFor(ctx, memberId, answerDueAt)
  const returned = outcome === 'returned' && reviewId !== null
  await notify(ctx, {
    memberId,
    // The key of a return is settled with its review.
    key: returned ? `review.returned:${reviewId}:${n}` : `case.decided:${decisionId}`,
    kind: null,
    notice: {
      title: titles[outcome],
      message:
        `It’s about “${title}”. ${statement.what}` +
        `${until ? ` Answer by ${until}.` : ''} Read the reasons and how to appeal.`,
      priority: 'high',
      action: returned
        ? { label: 'Open review', href: `/reviews/${reviewId}` }
        : { label: 'Read the decision', href: `/moderation/${decisionId}` },
    },
    activity: {
      type: 'reviews',
      title: titles[outcome],
      description: `It’s about “${title}”. ${statement.what}`,
      status: 'error',
      href: `/moderation/${decisionId}`,
    },
    mail: {
      template: 'case-decided',
      props: {
        ...flat(statement),
        product: title,
        decisionId,
        answerDueAt,
        appealUntil: found.appealUntil,
      },
    },
  })
}

const titles = {
  dismissed: 'Report dismissed',
  returned: 'Review returned',
  removed: 'Decision against you',
  sanctioned: 'Decision against you',
} as const

/** Sends the outcome to those who reported it, unless their reports had no basis. */
export async function notifyReporters(ctx: Ctx, inHand: CaseInHand, decisionId: string): Promise<void> {
  const { outcome, unfounded } = await readDecision(ctx, decisionId)
  if (unfounded) return
  const state: ReportState =
    outcome === 'dismissed' ? 'dismissed' : outcome === 'returned' ? 'returned' : 'upheld'
  const { text } = reportStates[state]
  const reports = await reportsWithTitles(ctx, inHand)
  await notifyAll(
    ctx,
    reports.map(({ reporterId, title }) => ({
      memberId: reporterId,
      key: `report.decided:${decisionId}`,
      kind: null,
      notice: {
        title: 'Your report was decided',
        message: `It’s about “${title}”. ${text}`,
        priority: 'medium' as const,
        action: { label: 'See your reports', href: '/moderation' },
      },
      activity: {
        type: 'reviews' as const,
        title: 'Report decided',
        description: `It’s about “${title}”. ${text}`,
        status: 'info' as const,
        href: '/moderation',
      },
      mail: { template: 'report-decided', props: { product: title, outcome: text } },
    })),
  )
}

/** Sends the statement of reasons to a member whose report had no basis. */
export async function notifyUnfounded(
  ctx: Ctx,
  { memberId, decisionId }: { memberId: string; decisionId: string },
): Promise<void> {
  const found = await readDecision(ctx, decisionId)
  const report = await ctx.db
    .selectFrom('reports')
    .select('reviewId')
    .where('caseId', '=', found.caseId)
    .where('reporterId', '=', memberId)
    .executeTakeFirstOrThrow()
  const title = await titleOf(ctx, { ...found, subject: 'review', reviewId: report.reviewId })
  const statement = writeUnfoundedStatement(found.findings)
  await notify(ctx, {
    memberId,
    key: `report.unfounded:${decisionId}`,
    kind: null,
    notice: {
      title: 'Your report had no basis',
      message: `It’s about “${title}”. ${statement.effect} Read the reasons and how to appeal.`,
      priority: 'high',
      action: { label: 'Read the decision', href: `/moderation/${decisionId}` },
    },
    activity: {
      type: 'reviews',
      title: 'Report without basis',
      description: `It’s about “${title}”. ${statement.effect}`,
      status: 'error',
      href: `/moderation/${decisionId}`,
    },
    mail: {
      template: 'case-decided',
      props: {
        ...flat(statement),
        product: title,
        decisionId,
        answerDueAt: null,
        appealUntil: found.appealUntil,
      },
    },
  })
}

/** Sends the outcome of an appeal to the member who made it. */
export async function notifyAppealDecided(
  ctx: Ctx,
  { memberId, appealId, decisionId }: { memberId: string; appealId: string; decisionId: string },
): Promise<void> {
  const { statement: stored } = await ctx.db
    .selectFrom('appeals')
    .select('statement')
    .where('id', '=', appealId)
    .executeTakeFirstOrThrow()
  const statement = statementShape.parse(stored)
  await notify(ctx, {
    memberId,
    key: `appeal.decided:${appealId}`,
    kind: null,
    notice: {
      title: 'Your appeal was decided',
      message: `${statement.what} ${statement.effect}`,
      priority: 'high',
      action: { label: 'Read the decision', href: `/moderation/${decisionId}` },
    },
    activity: {
      type: 'reviews',
      title: 'Appeal decided',
      description: statement.what,
      status: 'info',
      href: `/moderation/${decisionId}`,
    },
    mail: { template: 'appeal-decided', props: { ...flat(statement), decisionId } },
  })
}

/** What counted against an account that a member deleted counts in the one they joined with. */
export async function notifyKept(
  ctx: Ctx,
  of: { memberId: string; strikes: number; sanctions: number },
): Promise<void> {
  const { memberId } = of
  const counted = [
    ...(of.strikes > 0 ? [count(of.strikes, 'missed review')] : []),
    ...(of.sanctions > 0 ? [count(of.sanctions, 'sanction')] : []),
  ].join(' and ')
  const what =
    `An account with your email address or sign-in account was deleted with ${counted}. ` +
    'They count here for as long as they would have counted there.'
  await notify(ctx, {
    memberId,
    key: `record.kept:${memberId}:${of.strikes}:${of.sanctions}`,
    kind: null,
    notice: {
      title: 'What counts from before',
      message: `${what} If that wasn’t you, contact Support.`,
      priority: 'high',
      action: { label: 'Read the rules', href: '/rules' },
    },
    activity: { type: 'reviews', title: 'What counts from before', description: what, status: 'info' },
  })
}

/** Notifies a member that what counted from deleted accounts counts no longer. */
export async function notifyCleared(ctx: Ctx, memberId: string): Promise<void> {
  const message = 'Missed reviews and sanctions of an account that was deleted no longer count for you.'
  await notify(ctx, {
    memberId,
    key: `record.cleared:${newId()}`,
    kind: null,
    notice: {
      title: 'Nothing counts from before',
      message,
      priority: 'medium',
      action: { label: 'Read the rules', href: '/rules' },
    },
    activity: { type: 'reviews', title: 'Nothing counts from before', description: message, status: 'info' },
  })
}

function flat({ what, rule, evidence, automated, effect, appeal }: Statement) {
  return { what, rule, evidence, automated, effect, appeal }
}

function readDecision(ctx: Ctx, decisionId: string) {
  return ctx.db
    .selectFrom('caseDecisions')
    .innerJoin('cases', 'cases.id', 'caseDecisions.caseId')
    .select([
      'caseDecisions.id',
      'caseId',
      'n',
      'outcome',
      'unfounded',
      'findings',
      'statement',
      'appealUntil',
    ])
    .select(['caseDecisions.memberId', 'subject', 'reviewId', 'productId', 'answerDueAt'])
    .where('caseDecisions.id', '=', decisionId)
    .executeTakeFirstOrThrow()
}

/** The product's title: as it was offered for the review, or as its seller named it. */
async function titleOf(
  ctx: Ctx,
  { subject, reviewId, productId }: { subject: CaseSubject; reviewId: string | null; productId: string },
): Promise<string> {
  if (subject === 'listing' || reviewId === null) {
    const product = await ctx.db
      .selectFrom('products')
      .select('title')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    return product.title
  }
  const review = await ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .select(offered.title.as('title'))
    .where('reviews.id', '=', reviewId)
    .executeTakeFirstOrThrow()
  return review.title
}

function reportsWithTitles(ctx: Ctx, { case: { id } }: CaseInHand) {
  return ctx.db
    .selectFrom('reports')
    .innerJoin('reviews', 'reviews.id', 'reports.reviewId')
    .innerJoin('offers', acceptedOffer)
    .select(['reporterId', offered.title.as('title')])
    .where('caseId', '=', id)
    .where('withdrawnAt', 'is', null)
    .execute()
}
