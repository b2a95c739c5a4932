import { z } from 'zod'
import { call, done, id, page, pageOf, prose, refusing, time } from '../kit.ts'
import {
  caseOutcome,
  caseRule,
  caseState,
  caseSubject,
  findingsLength,
  moderationRefusals,
  statement,
} from '../moderation.ts'
import { lane } from '../products.ts'

// No answer here has a rating: who decides a case does not know it (a test reads the wire).

/** The lists of cases. Cases that the reader is part of are in none. */
const caseTabs = ['open', 'mine', 'decided', 'appeals'] as const
export type CaseTab = (typeof caseTabs)[number]

const caseRow = z.object({
  /** Of the case. */
  id,
  /** Set for the row of an appeal. */
  appealId: id.nullable(),
  subject: caseSubject,
  state: caseState,
  productTitle: z.string(),
  category: z.string(),
  /** The reasons of the reports, each once. */
  reasons: z.array(caseRule),
  /** Whether an automatic check pointed it out. */
  flagged: z.boolean(),
  openedAt: time,
  /** Until when our staff decides; null while they wait for the reviewer, and once it is decided. */
  dueAt: time.nullable(),
  closedAt: time.nullable(),
  outcome: caseOutcome.nullable(),
  /** Who works on it: the reader, another member of staff, or no one. */
  takenBy: z.enum(['me', 'other']).nullable(),
})
export type CaseRow = z.infer<typeof caseRow>

const caseReport = z.object({
  reason: caseRule,
  explanation: z.string().nullable(),
  version: z.int().nullable(),
  at: time,
  withdrawn: z.boolean(),
})

const caseDecision = z.object({
  id,
  n: z.int(),
  outcome: caseOutcome,
  statement,
  unfounded: z.boolean(),
  /** Whether the reader made it; null for the product itself. */
  byMe: z.boolean().nullable(),
  at: time,
  overturnedAt: time.nullable(),
})

const caseAppeal = z.object({
  id,
  decisionId: id,
  /** Whether it comes from the member of the case; otherwise from one who reported it. */
  byMember: z.boolean(),
  /** Whether the decision took a listing from the member who appeals. */
  tookListing: z.boolean(),
  /** Whether the review of the member who appeals counts as given if they succeed. */
  countsAsGiven: z.boolean(),
  explanation: z.string().nullable(),
  createdAt: time,
  dueAt: time,
  decidedAt: time.nullable(),
  statement: statement.nullable(),
  /** Whether the reader may decide it: not when they decided the case. */
  mayDecide: z.boolean(),
})

const caseFile = z.object({
  ...caseRow.shape,
  product: z.object({ title: z.string(), description: z.string().nullable(), listingHref: z.string() }),
  reports: z.array(caseReport),
  review: z
    .object({
      id,
      status: z.enum(['pending', 'purchased', 'reviewed', 'returned', 'verified', 'lapsed']),
      lane,
      disclosure: z.string(),
      acceptedAt: time,
      purchasedAt: time.nullable(),
      submittedAt: time.nullable(),
      verifiedAt: time.nullable(),
      removedAt: time.nullable(),
      paidCents: z.int().nullable(),
      proof: z
        .object({
          id,
          kind: z.enum(['order', 'file']),
          orderId: z.string().nullable(),
          mime: z.string().nullable(),
        })
        .nullable(),
      /** The published review. The marketplace shows the stars beside it. */
      postedLink: z.string().nullable(),
      versions: z.array(
        z.object({
          version: z.int(),
          text: z.string(),
          usedFor: z.string(),
          notFor: z.string(),
          aiAssisted: z.boolean(),
          at: time,
        }),
      ),
    })
    .nullable(),
  stoodBy: z.object({ explanation: z.string().nullable(), at: time }).nullable(),
  answerDueAt: time.nullable(),
  decisions: z.array(caseDecision),
  appeals: z.array(caseAppeal),
  /** What the member of the case had before, within the days that count. */
  before: z.object({ sanctions: z.int(), strikes: z.int(), decisions: z.int() }),
  /** Who took the case: what `takeCase` needs to take it over. */
  assignedTo: id.nullable(),
  /** Whether the reader may decide: not the second look at their own decision. */
  mayDecide: z.boolean(),
  mayReturn: z.boolean(),
  mayRemove: z.boolean(),
  /** What the next sanction would be, and what it would be for a serious breach. */
  nextSanction: z.object({ usual: z.int(), serious: z.int() }),
  serverTime: time,
})
export type CaseFile = z.infer<typeof caseFile>

const findings = prose(findingsLength.max, findingsLength.min)

const decisionInput = z.strictObject({
  id,
  outcome: caseOutcome,
  rule: caseRule.nullable(),
  findings,
  /** The reports had no basis: it counts against those who made them. Only with `dismissed`. */
  unfounded: z.boolean(),
  /** The next step of the ladder for the member. Always with `sanctioned`, never with `returned`. */
  sanction: z.boolean(),
  /** A serious breach: the ladder starts at the first suspension. */
  serious: z.boolean(),
})
export type DecisionInput = z.infer<typeof decisionInput>

export const cases = {
  listCases: call
    .route({ method: 'GET', path: '/admin/moderation/cases', summary: 'Cases, the nearest deadline first' })
    .input(pageOf.extend({ tab: z.enum(caseTabs).optional() }))
    .output(
      page(caseRow).extend({
        counts: z.object({ open: z.int(), overdue: z.int(), mine: z.int(), appeals: z.int() }),
        serverTime: time,
      }),
    ),
  getCase: call
    .route({ method: 'GET', path: '/admin/moderation/cases/{id}', summary: 'A case with its evidence' })
    .input(z.strictObject({ id }))
    .output(caseFile),
  takeCase: call
    .route({
      method: 'POST',
      path: '/admin/moderation/cases/{id}/take',
      summary: 'Take a case, or take it over',
    })
    .input(z.strictObject({ id, from: id.nullable() }))
    .output(done)
    .errors(refusing(moderationRefusals)),
  releaseCase: call
    .route({ method: 'POST', path: '/admin/moderation/cases/{id}/release', summary: 'Give a case back' })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(moderationRefusals)),
  decideCase: call
    .route({ method: 'POST', path: '/admin/moderation/cases/{id}/decide', summary: 'Decide a case' })
    .input(decisionInput)
    .output(done)
    .errors(refusing(moderationRefusals)),
  decideAppeal: call
    .route({ method: 'POST', path: '/admin/moderation/appeals/{id}/decide', summary: 'Decide an appeal' })
    .input(z.strictObject({ id, overturn: z.boolean(), findings }))
    .output(done)
    .errors(refusing(moderationRefusals)),
}
