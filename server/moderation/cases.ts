// A case is one question to our staff about one review or one listing: is a rule broken? Reports and
// automatic checks open it, and a person decides it. No rule of this module reads a rating.
import { sql } from 'kysely'
import type { CaseState, CaseSubject } from '#contract/moderation.ts'
import { moderationHours } from '#contract/reviews.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { findStaff, refuseOwnMatter } from '#server/members/own-matters.ts'
import { partyColumns } from '#server/reviews/parties.ts'
import type { Parties } from '#server/reviews/parties.ts'
import { readNamedByFlags } from './flag-reads.ts'

export type Case = {
  id: string
  subject: CaseSubject
  reviewId: string | null
  productId: string
  listingId: string
  memberId: string
  state: CaseState
  flagged: boolean
  stoodByAt: string | null
  assignedTo: string | null
}

const columns = [
  'id',
  'subject',
  'reviewId',
  'productId',
  'listingId',
  'memberId',
  'state',
  'flagged',
  'stoodByAt',
  'assignedTo',
] as const

/** In SQL: until when our staff decides what begins now. */
export const decisionDue = sql<string>`clock_timestamp() + make_interval(hours => ${moderationHours})`

/** What a case is about. `memberId`: whom a decision would concern. */
type Matter = {
  subject: CaseSubject
  /** Null for a listing. */
  reviewId: string | null
  productId: string
  listingId: string
  memberId: string
}

/**
 * The open case about a review, or about the listing of its product and its seller. A new one is opened when
 * there is none. The caller holds the locks of the exchange.
 */
export async function openCase(
  ctx: Ctx,
  { subject, review }: { subject: CaseSubject; review: Parties },
): Promise<Case> {
  return openCaseAbout(ctx, {
    subject,
    reviewId: subject === 'review' ? review.id : null,
    productId: review.productId,
    listingId: await listingOf(ctx, review.id),
    memberId: subject === 'review' ? review.reviewerId : review.sellerId,
  })
}

/**
 * The open case about this, or a new one. `flagged`: an automatic check pointed it out, which stays with the
 * case. The caller holds the locks of the members concerned.
 */
export async function openCaseAbout(ctx: Ctx, matter: Matter, flagged = false): Promise<Case> {
  const { subject, reviewId, listingId, memberId } = matter
  const found = await ctx.db
    .selectFrom('cases')
    .select(columns)
    .where('subject', '=', subject)
    .where('state', '<>', 'closed')
    .$if(subject === 'review', (of) => of.where('reviewId', '=', reviewId))
    .$if(subject === 'listing', (of) =>
      of.where('listingId', '=', listingId).where('memberId', '=', memberId),
    )
    .forUpdate()
    .executeTakeFirst()
  if (found && flagged && !found.flagged) {
    await ctx.db.updateTable('cases').set({ flagged }).where('id', '=', found.id).execute()
    return { ...found, flagged }
  }
  if (found) return found
  return ctx.db
    .insertInto('cases')
    .values({ id: newId(), ...matter, flagged, dueAt: decisionDue })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

async function listingOf(ctx: Ctx, reviewId: string) {
  const { listingId } = await ctx.db
    .selectFrom('reviews')
    .select('listingId')
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow()
  return listingId
}

/** The listing of a case about one, and the seller whom it concerns. */
export function sellerOf({ listingId, memberId }: Case) {
  return { listingId, sellerId: memberId }
}

/** A case with the exchange and the people that it is about. */
export type CaseInHand = {
  case: Case
  /** The reviewed exchange; null for a listing. */
  review: Parties | null
  reports: { id: string; reporterId: string }[]
  /** Everyone who reported it, also who withdrew the report. */
  reporters: string[]
  /** Everyone who is part of the matter. */
  people: string[]
  /** Everyone whom its flags name. They neither decide it nor learn of it. */
  flagged: string[]
}

/**
 * Locks everyone who is part of a case, then its exchange, then the case itself, in the order that all
 * modules use, and reads it. Refuses NOT_FOUND.
 */
export async function lockCase(ctx: Ctx, caseId: string): Promise<CaseInHand> {
  const before = await readCase(ctx, caseId)
  await lockMembers(ctx, before.people)
  if (before.review) {
    await lockRow(ctx, 'review_queue', before.review.queueId)
    await lockRow(ctx, 'reviews', before.review.id)
  }
  await lockRow(ctx, 'cases', caseId)
  return readCase(ctx, caseId)
}

/** Reads a case with its people. Refuses NOT_FOUND. */
export async function readCase(ctx: Ctx, caseId: string): Promise<CaseInHand> {
  const found = await ctx.db
    .selectFrom('cases')
    .select(columns)
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
  const everyReport = await ctx.db
    .selectFrom('reports')
    .select(['id', 'reporterId', 'withdrawnAt'])
    .where('caseId', '=', caseId)
    .orderBy('id')
    .execute()
  const reports = everyReport.flatMap(({ id, reporterId, withdrawnAt }) =>
    withdrawnAt === null ? [{ id, reporterId }] : [],
  )
  const review = found.reviewId === null ? null : await readParties(ctx, found.reviewId)
  const reporters = everyReport.map(({ reporterId }) => reporterId)
  const people = [found.memberId, ...(review ? [review.reviewerId, review.sellerId] : []), ...reporters]
  const flagged = await readNamedByFlags(ctx, caseId)
  return { case: found, review, reports, reporters, people: [...new Set(people)], flagged }
}

function readParties(ctx: Ctx, reviewId: string): Promise<Parties> {
  return ctx.db
    .selectFrom('reviews')
    .select(partyColumns)
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow()
}

/** Closes a case that is not closed yet. False if it was. */
export async function closeCase(
  ctx: Ctx,
  caseId: string,
  as: 'decided' | 'edited' | 'missed' | 'withdrawn' | 'ended',
): Promise<boolean> {
  const closed = await ctx.db
    .updateTable('cases')
    .set({
      state: 'closed',
      closedAt: sql<string>`clock_timestamp()`,
      closedAs: as,
      dueAt: null,
      answerDueAt: null,
    })
    .where('id', '=', caseId)
    .where('state', '<>', 'closed')
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}

/**
 * Emits that a case changed, to staff who are no part of it and to those who see it: who reported, and the
 * writer of its review. Until our staff decide against it, a seller must not notice that a listing was
 * reported, or that there is a case about a review of it.
 */
export async function emitCase(ctx: Ctx, { case: { id }, review, ...of }: CaseInHand): Promise<void> {
  const decided = await ctx.db
    .selectFrom('caseDecisions')
    .select('id')
    .where('caseId', '=', id)
    .where('outcome', '<>', 'dismissed')
    .executeTakeFirst()
  const seeIt = new Set(decided ? of.people : [...of.reporters, ...(review ? [review.reviewerId] : [])])
  for (const staffId of await findStaff(ctx, { but: [...of.people, ...of.flagged] })) seeIt.add(staffId)
  await emit(ctx, 'case.changed', { caseId: id }, [...seeIt])
}

/** Who decided this case before: a second look and an appeal are up to others. */
export async function firstDeciders(ctx: Ctx, caseId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('caseDecisions')
    .select('decidedBy')
    .where('caseId', '=', caseId)
    .execute()
  return rows.flatMap(({ decidedBy }) => (decidedBy === null ? [] : [decidedBy]))
}

/**
 * Refuses OWN_MATTER to staff who are part of a case, by any account that may be theirs, and to who decided
 * it before. That goes by the account alone: colleagues may pay with one card.
 */
export async function refuseOwnCase(ctx: MemberCtx, { case: { id }, people, flagged }: CaseInHand) {
  if ((await firstDeciders(ctx, id)).includes(ctx.who.id)) throw refuse('OWN_MATTER')
  await refuseOwnMatter(ctx, [...people, ...flagged])
}

/**
 * Takes a case that waits for a decision, or one of its appeals, or takes it over `from` another member of
 * staff. Refuses OWN_MATTER, also to who decided it before, and CONFLICT when someone else took it meanwhile.
 */
export function takeCase(ctx: MemberCtx, { id, from }: { id: string; from: string | null }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const inHand = await lockCase(ctx, id)
    await refuseOwnCase(ctx, inHand)
    const set = { assignedTo: ctx.who.id, assignedAt: sql<string>`clock_timestamp()` }
    const taken = await ctx.db
      .updateTable('cases')
      .set(set)
      .where('id', '=', id)
      .where(sql<boolean>`assigned_to is not distinct from ${from}::uuid`)
      .where(waitsForStaff)
      .executeTakeFirst()
    if (taken.numUpdatedRows !== 1n) throw refuse('CONFLICT')
    await recordStaffAction(ctx, {
      action: 'case_taken',
      memberId: inHand.case.memberId,
      subject: { kind: 'case', id },
      before: { assignedTo: from },
      after: { assignedTo: ctx.who.id },
    })
    await emitCase(ctx, inHand)
  })
}

/** In SQL: whether a decision of our staff is missing, about the case or about an appeal. */
const waitsForStaff = sql<boolean>`(cases.state in ('open', 'second_look') or exists (
  select from appeals a join case_decisions d on d.id = a.decision_id
  where d.case_id = cases.id and a.decided_at is null))`

/** Gives a case back that I took. Refuses CONFLICT when it is not mine. */
export function releaseCase(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const inHand = await lockCase(ctx, id)
    await refuseOwnMatter(ctx, [...inHand.people, ...inHand.flagged])
    const released = await ctx.db
      .updateTable('cases')
      .set({ assignedTo: null, assignedAt: null })
      .where('id', '=', id)
      .where('assignedTo', '=', ctx.who.id)
      .executeTakeFirst()
    if (released.numUpdatedRows !== 1n) throw refuse('CONFLICT')
    await recordStaffAction(ctx, {
      action: 'case_released',
      memberId: inHand.case.memberId,
      subject: { kind: 'case', id },
    })
    await emitCase(ctx, inHand)
  })
}
