import { z } from 'zod'
import { call, done, id, page, pageOf, prose, refusing, time } from './kit.ts'
import { appealDays } from './membership.ts'
import { moderationHours, returnHours, reviewRule, reviewRules } from './reviews.ts'
import type { ReviewRule } from './reviews.ts'

/** How long a report's explanation is, in characters. One sentence is enough. */
export const reportLength = { min: 20, max: 1000 }
/** How long the findings of a decision and the reasons of an appeal are, in characters. */
export const findingsLength = { min: 20, max: 2000 }
/** Days after a review is final in which it may still be reported. */
export const reportDays = 30
/** How many reports a member may make in 24 hours. */
export const reportsPerDay = 5

/**
 * What follows breaches of rules, one step for each within `days`. The last step repeats. A serious breach
 * starts at the first suspension.
 */
export const sanctionLadder = {
  days: 365,
  steps: [
    { kind: 'reminder', suspendedDays: null },
    { kind: 'warning', suspendedDays: null },
    { kind: 'suspension', suspendedDays: 14 },
    { kind: 'suspension', suspendedDays: 30 },
    { kind: 'suspension', suspendedDays: 90 },
  ],
} as const
export type SanctionStep = (typeof sanctionLadder.steps)[number]

/** The next step for a member who had this many sanctions within the ladder's days. */
export function nextSanction(before: number, serious: boolean): SanctionStep {
  const { steps } = sanctionLadder
  const least = serious ? steps.findIndex(({ kind }) => kind === 'suspension') : 0
  const place = Math.min(Math.max(before, least), steps.length - 1)
  // The place is within the list.
  return steps[place] as SanctionStep
}

/** What a listing may be reported for: the reason that a reviewer chooses, and the rule it is about. */
export const listingRules = {
  broken: {
    reason: 'The coupon or the listing doesn’t work',
    rule: 'A product in the rotation can be bought with its coupon.',
  },
  not_as_described: {
    reason: 'The product isn’t what the listing says',
    rule: 'A listing describes what buyers get.',
  },
  not_theirs: {
    reason: 'It isn’t the seller’s own product',
    rule: 'Members connect only what they sell themselves.',
  },
  asks_for_stars: {
    reason: 'It asks for stars or for praise',
    rule: 'No one asks a reviewer for stars or for an opinion.',
  },
  rewards: {
    reason: 'It gives something for a review',
    rule: 'Nothing but the coupon is given for a review.',
  },
  unlawful: { reason: 'It’s unlawful', rule: 'Products and their listings are lawful.' },
} as const
export type ListingRule = keyof typeof listingRules
// Its keys are the rules.
const listingRule = z.enum(Object.keys(listingRules) as ListingRule[])

export const caseSubject = z.enum(['review', 'listing'])
export type CaseSubject = z.infer<typeof caseSubject>
export const caseRule = z.union([reviewRule, listingRule])
export type CaseRule = ReviewRule | ListingRule

/** The reason and the sentence of a rule, for a review or for a listing. */
export function readRule(subject: CaseSubject, rule: CaseRule): { reason: string; rule: string } {
  const rules: Partial<Record<CaseRule, { reason: string; rule: string }>> =
    subject === 'review' ? reviewRules : listingRules
  const found = rules[rule]
  if (!found) throw new Error(`${rule} is not a rule for a ${subject}.`)
  return found
}

/** Whether a rule is one for reviews, or one for listings. */
export function isRuleOf(subject: CaseSubject, rule: CaseRule): boolean {
  return Object.hasOwn(subject === 'review' ? reviewRules : listingRules, rule)
}

export const caseOutcome = z.enum(['dismissed', 'returned', 'removed', 'sanctioned'])
export type CaseOutcome = z.infer<typeof caseOutcome>
export const caseState = z.enum(['open', 'returned', 'second_look', 'closed'])
export type CaseState = z.infer<typeof caseState>

export const moderationRefusals = {
  REPORT_CLOSED: {
    status: 409,
    message: `A review can be reported while you check it and for ${reportDays} days after it is final.`,
  },
  ALREADY_REPORTED: {
    status: 409,
    message: 'You already reported this. Its state is on your Reports page.',
  },
  REPORT_DECIDED: {
    status: 409,
    message: 'Our staff already decided a report of yours with this reason. Choose another reason.',
  },
  REPORT_LIMIT: {
    status: 429,
    message: `You made ${reportsPerDay} reports in 24 hours. Please try again tomorrow.`,
  },
  REPORT_NOT_OPEN: { status: 409, message: 'This report can no longer be withdrawn.' },
  NOT_RETURNED: { status: 409, message: 'This review isn’t waiting for your answer.' },
  STOOD_BY_BEFORE: {
    status: 409,
    message: 'A second person already decided after you stood by it. Edit the review, or appeal.',
  },
  NOT_APPEALABLE: { status: 409, message: `You can appeal once, within ${appealDays} days.` },
  CASE_CLOSED: { status: 409, message: 'This case isn’t waiting for a decision.' },
  CASE_TAKEN: { status: 409, message: 'Another member of staff is working on this. Take it over first.' },
  RULE_MISSING: { status: 400, message: 'Choose the rule that the decision is based on.' },
  OUTCOME_IMPOSSIBLE: { status: 409, message: 'This decision isn’t possible for this case.' },
  NAMES_A_MEMBER: {
    status: 400,
    message: 'Leave out names and contact details. Both sides may read this.',
  },
}
type ModerationRefusal = keyof typeof moderationRefusals

/** What a decision is about, and what its author chose. */
type DecisionFacts = {
  subject: CaseSubject
  state: CaseState
  /** Whether what it is about can still be returned for an edit, and still be removed. */
  mayReturn: boolean
  mayRemove: boolean
  hasReports: boolean
  outcome: CaseOutcome
  rule: CaseRule | null
  unfounded: boolean
  sanction: boolean
}

/** May a case be decided like this? True, or the first reason why not. No fact is a rating. */
export function canDecide(facts: DecisionFacts): true | ModerationRefusal {
  const { subject, state, outcome, rule, unfounded, sanction } = facts
  if (state !== 'open' && state !== 'second_look') return 'CASE_CLOSED'
  if (outcome === 'dismissed') {
    return rule !== null || sanction || (unfounded && !facts.hasReports) ? 'OUTCOME_IMPOSSIBLE' : true
  }
  if (rule === null || !isRuleOf(subject, rule)) return 'RULE_MISSING'
  if (unfounded) return 'OUTCOME_IMPOSSIBLE'
  if (outcome === 'returned') return facts.mayReturn && !sanction ? true : 'OUTCOME_IMPOSSIBLE'
  if (outcome === 'removed') return facts.mayRemove ? true : 'OUTCOME_IMPOSSIBLE'
  return sanction ? true : 'OUTCOME_IMPOSSIBLE'
}

/**
 * A statement of reasons: what was decided, by which rule, based on what, whether a machine decided, what
 * follows, and how to appeal. Its dates stand beside it, for the reader's time zone.
 */
export const statement = z.object({
  what: z.string(),
  rule: z.string().nullable(),
  evidence: z.string(),
  automated: z.string(),
  effect: z.string(),
  appeal: z.string().nullable(),
})
export type Statement = z.infer<typeof statement>

type StatementFacts = {
  subject: CaseSubject
  outcome: CaseOutcome
  rule: CaseRule | null
  findings: string
  /** Whether a person decided; otherwise a deadline passed. */
  byPerson: boolean
  /** Whether an automatic check pointed it out, rather than a member. */
  flagged: boolean
  /** Whether the review is already final. */
  isFinal: boolean
  /** Whether the reviewer already stood by the review in this case. */
  isSecondLook: boolean
  sanction: SanctionStep | null
}

/**
 * The statement of reasons for the member whom a decision concerns. It says nothing about who reported it.
 */
export function writeStatement(facts: StatementFacts): Statement {
  const { subject, outcome, rule, findings } = facts
  return {
    what: whatOf(facts),
    rule: rule === null ? null : readRule(subject, rule).rule,
    evidence: findings.trim(),
    automated: automatedOf(facts),
    effect: [...effectsOf(facts), ...(facts.sanction ? [sanctionEffect(facts.sanction)] : [])].join(' '),
    appeal: outcome === 'dismissed' ? null : howToAppeal,
  }
}

/** The statement of reasons for a member whose report had no basis. */
export function writeUnfoundedStatement(findings: string): Statement {
  return {
    what: 'Your report was dismissed, and it had no basis.',
    rule: 'A report is about a rule that was broken, never about an opinion.',
    evidence: findings.trim(),
    automated: 'A person on our staff decided.',
    effect: 'It counts like a missed review.',
    appeal: howToAppeal,
  }
}

type AppealFacts = {
  overturned: boolean
  findings: string
  /** Whether the decision took its member's listing. */
  tookListing: boolean
  /** Whether the review ended by the decision, and counts as given if it is reversed. */
  countsAsGiven: boolean
}

/** The statement of reasons that ends an appeal. */
export function writeAppealStatement({ overturned, findings, tookListing, countsAsGiven }: AppealFacts) {
  const undone =
    'What followed from it no longer counts: any strike or sanction that it brought is withdrawn.'
  return {
    what: overturned ? 'Your appeal succeeded: the decision is reversed.' : 'The decision stands.',
    rule: null,
    evidence: findings.trim(),
    automated: 'A person who had no part in the first decision decided.',
    effect: overturned
      ? [undone, ...(tookListing ? [listingIsBack] : []), ...(countsAsGiven ? [countsNow] : [])].join(' ')
      : 'What followed from it stays as it is. This decision is final.',
    appeal: null,
  } satisfies Statement
}

const listingIsBack =
  'You may connect the listing again. If we took a product, it is in your archive, and you can restore it. ' +
  'If another member has connected the listing since, write to us.'

const countsNow = 'The review counts as given: your balance is one higher.'

const howToAppeal = `You can appeal within ${appealDays} days. Another person decides.`

function whatOf({ subject, outcome, rule, flagged, sanction }: StatementFacts): string {
  const thing = subject === 'review' ? 'review' : 'listing'
  if (outcome === 'dismissed')
    return `${flagged ? 'What was noticed' : 'A report'} about your ${thing} was dismissed.`
  if (outcome === 'returned') return 'Your review was returned for an edit.'
  if (outcome === 'removed' && rule === 'not_theirs') return 'A listing was taken from your products.'
  if (outcome === 'removed')
    return subject === 'review' ? 'Your review was removed.' : 'Your listing was taken out of the exchange.'
  return sanction?.kind === 'suspension'
    ? 'Your account is suspended.'
    : `You get a ${sanction?.kind ?? 'reminder'} about your ${thing}.`
}

function automatedOf({ byPerson, flagged }: StatementFacts): string {
  if (!byPerson) return 'This happened automatically when the deadline passed. No one judged the text again.'
  return flagged
    ? 'An automatic check pointed it out. A person on our staff decided.'
    : 'A person on our staff decided. No automatic check was part of it.'
}

const leavesClub =
  'It can’t be connected again. Its open request ends, and so does a review that isn’t submitted yet.'
const leavesSeller =
  'It’s deleted from your products, and you can’t connect it again. Its open request ends, and so does a ' +
  'review that isn’t submitted yet.'

function effectsOf({ subject, outcome, rule, isFinal, isSecondLook }: StatementFacts): string[] {
  switch (outcome) {
    case 'dismissed':
      return [subject === 'review' ? 'Your review counts.' : 'Your listing stays as it is.']
    case 'returned': {
      const answer = isSecondLook ? 'edit it' : 'edit it, or answer that you stand by it'
      const after = isFinal ? 'is removed and counts as a missed review' : 'counts as a missed review'
      return [
        `You have ${returnHours} hours to ${answer}. After that, it ${after}. Your opinion stays yours.`,
      ]
    }
    case 'removed':
      if (subject === 'listing') return [rule === 'not_theirs' ? leavesSeller : leavesClub]
      return isFinal
        ? ['It’s no longer shown here. Take it off the marketplace too. Your balance stays as it is.']
        : ['It doesn’t count as a review given, and it counts as a missed review.']
    case 'sanctioned':
      return []
  }
}

function sanctionEffect({ kind, suspendedDays }: SanctionStep): string {
  if (kind === 'reminder') return 'This is a reminder. Another breach within a year brings a warning.'
  if (kind === 'warning') return 'This is a warning. Another breach within a year suspends your account.'
  return (
    `Your account is suspended for ${suspendedDays} days. You can still sign in and finish the reviews ` +
    'you owe.'
  )
}

/** How a report of mine stands. `again`: a second person looks at it. */
const reportState = z.enum([
  'open',
  'again',
  'returned',
  'upheld',
  'reversed',
  'dismissed',
  'unfounded',
  'withdrawn',
  'ended',
])
export type ReportState = z.infer<typeof reportState>

/** What the reporter reads about each state. None says what followed for the other member. */
export const reportStates: Record<ReportState, { label: string; text: string }> = {
  open: { label: 'Open', text: `A person decides within ${moderationHours} hours.` },
  again: { label: 'Second look', text: 'A second person is looking at it.' },
  returned: { label: 'Upheld', text: 'The review was returned for an edit.' },
  upheld: { label: 'Upheld', text: 'We found that a rule was broken, and acted on it.' },
  reversed: { label: 'Reversed', text: 'An appeal changed our decision: we found that no rule was broken.' },
  dismissed: { label: 'Dismissed', text: 'We found that no rule was broken.' },
  unfounded: { label: 'Without basis', text: 'It had no basis, so it counts like a missed review.' },
  withdrawn: { label: 'Withdrawn', text: 'You withdrew it.' },
  ended: { label: 'Ended', text: 'What it was about is over.' },
}

const report = z.object({
  id,
  subject: caseSubject,
  /** The exchange through which I know what I reported. */
  reviewId: id,
  productTitle: z.string(),
  reason: caseRule,
  explanation: z.string(),
  state: reportState,
  createdAt: time,
  /** Until when our staff decides, while it is up to them. */
  dueAt: time.nullable(),
  decidedAt: time.nullable(),
  /** What the decision is based on. */
  findings: z.string().nullable(),
  /** The decision that I may read in full and appeal; null unless the report had no basis. */
  decisionId: id.nullable(),
  mayWithdraw: z.boolean(),
})
export type Report = z.infer<typeof report>

const decision = z.object({
  id,
  subject: caseSubject,
  /** Whether it is about my report; otherwise it is about my review or listing. */
  aboutMyReport: z.boolean(),
  /** My review, if it is about one. */
  reviewId: id.nullable(),
  productTitle: z.string(),
  at: time,
  statement,
  sanction: z
    .object({
      kind: z.enum(['reminder', 'warning', 'suspension']),
      until: time.nullable(),
      liftedAt: time.nullable(),
    })
    .nullable(),
  overturnedAt: time.nullable(),
  /** Until when I may appeal; null when I may not. */
  appealUntil: time.nullable(),
  appeal: z
    .object({
      explanation: z.string(),
      createdAt: time,
      dueAt: time,
      decidedAt: time.nullable(),
      statement: statement.nullable(),
    })
    .nullable(),
  serverTime: time,
})
export type Decision = z.infer<typeof decision>

/** A review of mine that our staff looks at or returned. */
const myCase = z.object({
  state: caseState,
  /** Why it was returned. */
  rule: reviewRule.nullable(),
  decisionId: id.nullable(),
  answerDueAt: time.nullable(),
  mayStandBy: z.boolean(),
  serverTime: time,
})
export type MyCase = z.infer<typeof myCase>

const explanation = prose(reportLength.max, reportLength.min)

export const moderation = {
  reportReview: call
    .route({
      method: 'POST',
      path: '/received-reviews/{id}/report',
      summary: 'Report a review of my product',
      successStatus: 201,
    })
    .input(z.strictObject({ id, reason: reviewRule, explanation }))
    .output(z.object({ reportId: id }))
    .errors(refusing(moderationRefusals)),
  reportListing: call
    .route({
      method: 'POST',
      path: '/reviews/{id}/report-listing',
      summary: 'Report the listing of a product that I review',
      successStatus: 201,
    })
    .input(z.strictObject({ id, reason: listingRule, explanation }))
    .output(z.object({ reportId: id }))
    .errors(refusing(moderationRefusals)),
  withdrawReport: call
    .route({ method: 'POST', path: '/reports/{id}/withdraw', summary: 'Withdraw a report of mine' })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(moderationRefusals)),
  listReports: call
    .route({ method: 'GET', path: '/reports', summary: 'My reports, newest first' })
    .input(pageOf.extend({ reviewId: id.optional() }))
    .output(page(report)),
  listDecisions: call
    .route({ method: 'GET', path: '/decisions', summary: 'Decisions that concern me, newest first' })
    .input(pageOf)
    .output(page(decision)),
  getDecision: call
    .route({ method: 'GET', path: '/decisions/{id}', summary: 'A decision that concerns me' })
    .input(z.strictObject({ id }))
    .output(decision),
  findMyCase: call
    .route({ method: 'GET', path: '/reviews/{id}/case', summary: 'What our staff does about my review' })
    .input(z.strictObject({ id }))
    .output(myCase.nullable()),
  standByReview: call
    .route({ method: 'POST', path: '/reviews/{id}/stand-by', summary: 'Stand by a returned review' })
    .input(z.strictObject({ id, explanation }))
    .output(done)
    .errors(refusing(moderationRefusals)),
  appealDecision: call
    .route({ method: 'POST', path: '/decisions/{id}/appeal', summary: 'Appeal a decision' })
    .input(z.strictObject({ id, explanation: prose(findingsLength.max, findingsLength.min) }))
    .output(done)
    .errors(refusing(moderationRefusals)),
}
