import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { standByReview } from './answers.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { releaseCase, takeCase } from './cases.ts'
import { decideCase } from './decisions.ts'
import { getDecision, findMyCase, listDecisions, listReports } from './reads.ts'
import { reportListing, reportReview, withdrawReport } from './reports.ts'
import { getCase, listCases } from './staff-reads.ts'

const calls = api.moderation
const writing = limited('moderation', { hits: 30, seconds: hour })

export const moderationProcedures: Procedures<'moderation'> = {
  reportReview: calls.reportReview.after(writing).by((ctx, input) => reportReview(ctx, input)),
  reportListing: calls.reportListing.after(writing).by((ctx, input) => reportListing(ctx, input)),
  withdrawReport: calls.withdrawReport.after(writing).by((ctx, { id }) => withdrawReport(ctx, id)),
  listReports: calls.listReports.by((ctx, input) => listReports(ctx, input)),
  listDecisions: calls.listDecisions.by((ctx, input) => listDecisions(ctx, input)),
  getDecision: calls.getDecision.by((ctx, { id }) => getDecision(ctx, id)),
  findMyCase: calls.findMyCase.by((ctx, { id }) => findMyCase(ctx, id)),
  standByReview: calls.standByReview.after(writing).by((ctx, input) => standByReview(ctx, input)),
  appealDecision: calls.appealDecision.after(writing).by((ctx, input) => appealDecision(ctx, input)),
}

export const caseProcedures: Procedures<'cases'> = {
  listCases: api.cases.listCases.by((ctx, input) => listCases(ctx, input)),
  getCase: api.cases.getCase.by((ctx, { id }) => getCase(ctx, id)),
  takeCase: api.cases.takeCase.by((ctx, input) => takeCase(ctx, input)),
  releaseCase: api.cases.releaseCase.by((ctx, { id }) => releaseCase(ctx, id)),
  decideCase: api.cases.decideCase.by((ctx, input) => decideCase(ctx, input)),
  decideAppeal: api.cases.decideAppeal.by((ctx, input) => decideAppeal(ctx, input)),
}
