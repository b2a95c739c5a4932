// How an offer ends that was not accepted: declined, run out, or withdrawn. Its request is put back first.
// Withdrawing it has no consequence for its member.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { emit } from '#server/kit/live/events.ts'
import { mayBeOnePerson } from '#server/members/one-person.ts'
import { declaredWith, isDeclared } from '#server/organization/pairs.ts'
import { waitAtLeast } from './limits/resuming.ts'
import { waitBeforeAnother } from './limits/taken-back.ts'
import { recordWithdrawn, settleOfferNotice } from './notices.ts'
import { releasePair } from './pairs.ts'
import { refreshTiers } from './tiers.ts'

export type OpenOffer = { id: string; queueId: string; reviewerId: string; sellerId: string }

/** What the request of an offer becomes that ends; `queued` is its former place. */
type PutBack = 'queued' | 'held' | 'cancelled'

/** Withdraws the open offer to a member, if any, and returns its request to its place in the queue. */
export async function withdrawOffersTo(ctx: Ctx, memberId: string) {
  const offers = await openOffers(ctx).where('reviewerId', '=', memberId).execute()
  for (const offer of offers) await withdraw(ctx, offer)
}

/**
 * Withdraws the open offers between this member and those who may be the same person. Their requests are
 * drawn again within `resumeHours`.
 */
export function withdrawOffersOfOnePerson(ctx: Ctx, memberId: string) {
  const isOnePerson = mayBeOnePerson(sql.ref('reviewer_id'), sql.ref('seller_id'))
  return withdrawBetween(ctx, memberId, isOnePerson, { byDeclaration: false })
}

/**
 * Withdraws every open offer to these members and of their requests, because the first declared something. A
 * single one that ends would show whom the declaration names. The requests of who declared wait like after
 * one was taken back, or each declaration would draw another reviewer. Those of a seller who is named are
 * drawn again within `resumeHours`, or an accomplice could choose the moment for them. The pass holds its
 * candidates' rows in `members`, so it is over before this or comes after it.
 */
export async function withdrawForDeclaration(
  ctx: Ctx,
  { declarerId, namedIds }: { declarerId: string; namedIds: string[] },
) {
  const memberIds = [declarerId, ...namedIds]
  await sql`select from members where id = any(${memberIds}::uuid[])
    or id in ${declaredWith(memberIds)} order by id for no key update`.execute(ctx.db)
  const offers = await openOffers(ctx)
    .where(({ or, eb }) => or([eb('reviewerId', 'in', memberIds), eb('sellerId', 'in', memberIds)]))
    .orderBy(sql`least(reviewer_id, seller_id)`)
    .orderBy(sql`greatest(reviewer_id, seller_id)`)
    .execute()
  for (const offer of offers) {
    if (!(await withdraw(ctx, offer, { byDeclaration: true }))) continue
    if (offer.sellerId === declarerId) await waitBeforeAnother(ctx, offer.queueId)
    else if (namedIds.includes(offer.sellerId)) await waitAtLeast(ctx, offer.queueId, sql`clock_timestamp()`)
  }
  if (offers.length > 0) await ctx.kit.jobs.send(ctx, 'match-requests')
}

/**
 * Withdraws the open offers that a declaration excludes since this member has a new listing. Their requests
 * are drawn again within `resumeHours`.
 */
export function withdrawDeclaredOffers(ctx: Ctx, memberId: string) {
  const areDeclared = isDeclared(sql.ref('reviewer_id'), sql.ref('seller_id'))
  return withdrawBetween(ctx, memberId, areDeclared, { byDeclaration: true })
}

/**
 * Withdraws a member's open offers whose two members may not meet. What they did may be why, so the next draw
 * is at a random moment.
 */
async function withdrawBetween(
  ctx: Ctx,
  memberId: string,
  mayNotMeet: RawBuilder<boolean>,
  how: { byDeclaration: boolean },
) {
  const offers = await openOffers(ctx)
    .where(({ or, eb }) => or([eb('reviewerId', '=', memberId), eb('sellerId', '=', memberId)]))
    .where(mayNotMeet)
    .execute()
  for (const offer of offers)
    if (await withdraw(ctx, offer, how)) await waitAtLeast(ctx, offer.queueId, sql`clock_timestamp()`)
}

/** Withdraws the open offers of requests that have to wait: their seller received as many as a member may. */
export async function withdrawWaiting(ctx: Ctx) {
  const { rows } = await sql<OpenOffer>`
    select o.id, o.queue_id, o.reviewer_id, o.seller_id from offers o join review_queue q on q.id = o.queue_id
    where o.state = 'open' and q.waits_until > clock_timestamp() order by o.id limit 1000`.execute(ctx.db)
  if (rows.length === 0) return
  try {
    await eachByItself(ctx, rows, failing, (offer) =>
      inTransaction(ctx, async (ctx) => {
        await lockMembers(ctx, [offer.reviewerId, offer.sellerId])
        await withdraw(ctx, offer)
      }),
    )
  } finally {
    await ctx.kit.jobs.send(ctx, 'match-requests')
  }
}

const failing = {
  failure: 'an offer of a request that has to wait could not be withdrawn',
  about: ({ id }: OpenOffer) => ({ offerId: id }),
}

/** Withdraws the open offer of a request, which becomes `to`. Returns the offer, or null without one. */
export async function withdrawOfferOf(ctx: Ctx, queueId: string, to: PutBack): Promise<OpenOffer | null> {
  const offer = await openOffers(ctx).where('queueId', '=', queueId).executeTakeFirst()
  return offer && (await withdraw(ctx, offer, { to })) ? offer : null
}

function openOffers(ctx: Ctx) {
  return ctx.db
    .selectFrom('offers')
    .select(['id', 'queueId', 'reviewerId', 'sellerId'])
    .where('state', '=', 'open')
}

/**
 * Changes the status of an offered request. False when the offer to this member is over, or not in the state
 * that `when` names.
 */
export async function putBack(
  ctx: Ctx,
  offer: Pick<OpenOffer, 'queueId' | 'reviewerId'>,
  to: PutBack,
  when = sql<boolean>`true`,
): Promise<boolean> {
  const moved = await ctx.db
    .updateTable('reviewQueue')
    .set({
      status: to,
      offeredTo: null,
      offeredAt: null,
      offerExpiresAt: null,
      ...(to === 'cancelled' ? { closedAt: sql<string>`clock_timestamp()` } : {}),
    })
    .where('id', '=', offer.queueId)
    .where('status', '=', 'offered')
    .where('offeredTo', '=', offer.reviewerId)
    .where(when)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

type Withdrawal = { to?: PutBack; byDeclaration?: boolean }

/** Puts the request of an offer back and withdraws it; false when the offer is over. */
async function withdraw(
  ctx: Ctx,
  offer: OpenOffer,
  { to = 'queued', byDeclaration = false }: Withdrawal = {},
): Promise<boolean> {
  if (!(await putBack(ctx, offer, to))) return false
  await endOffer(ctx, offer, { state: 'withdrawn', byDeclaration }, async () => {})
  await recordWithdrawn(ctx, { offerId: offer.id, reviewerId: offer.reviewerId })
  return true
}

/** How an offer ended, as its row says it. A member who answered an offer saw it. */
type Ending =
  | { state: 'declined'; reason: DeclineReason | null; seenAt: RawBuilder<string> }
  | { state: 'expired' }
  | { state: 'withdrawn'; byDeclaration: boolean }

/**
 * Ends an open offer whose request was put back: its row, the member's open offer and place in the pool, the
 * pair, and its notice. `consequence` is what it brings the member, before their place is found.
 */
export async function endOffer<T>(
  ctx: Ctx,
  offer: OpenOffer,
  ending: Ending,
  consequence: () => Promise<T>,
): Promise<T> {
  const { id, queueId, reviewerId, sellerId } = offer
  await ctx.db
    .updateTable('offers')
    .set({ ...ending, respondedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
  await ctx.db
    .updateTable('reviewerStates')
    .set({ openOfferId: null })
    .where('memberId', '=', reviewerId)
    .execute()
  const brought = await consequence()
  await refreshTiers(ctx, [reviewerId])
  await releasePair(ctx, offer, false)
  await settleOfferNotice(ctx, { offerId: id, reviewerId })
  await emit(ctx, `offer.${ending.state}`, { queueId }, [reviewerId, sellerId])
  return brought
}
