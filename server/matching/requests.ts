// A request asks for one review of one product. It is queued, offered to one member at a time and put into
// review. It ends completed, cancelled or lapsed. Each change of its state is one conditional statement of
// this module.
import { sql } from 'kysely'
import { canRequestReview } from '#contract/matching.ts'
import { activeBonusHours, reofferHours } from '#contract/matching-rules.ts'
import type { NewRequest } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { violates, inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { lockOpenMarketplaces } from '#server/products/lanes.ts'
import { canManage, lockMyProduct } from '#server/products/my-products.ts'
import { askForValue } from './beacon/expected.ts'
import { askedAt, waitingSince } from './candidates.ts'
import { gaveLately, readAskFacts } from './facts.ts'
import { ticketOf, useTicket } from './lottery.ts'
import type { Ticket } from './lottery.ts'
import {
  notifyRequestCancelled,
  notifyWithdrawnByStaff,
  recordCancelled,
  recordHeld,
  recordReleased,
  recordRequested,
} from './notices.ts'
import { releasePair } from './pairs.ts'
import { getRequest } from './reads.ts'
import { receivesAgainAt } from './limits/received.ts'
import { waitAtLeast } from './limits/resuming.ts'
import { waitBeforeAnother } from './limits/taken-back.ts'
import { endAskAlert } from './preferences/ask-alerts.ts'
import { refreshTiers } from './tiers.ts'
import { withdrawOfferOf } from './endings.ts'

/** `ticket`: from `takeTicket`. `nonce`: 16 random bytes that the seller chose, in hexadecimal. */
type Asking = { productId: string; ticket: string; nonce: string }

/**
 * Requests a review of one of my products. Refuses with the reason of `canRequestReview`; the data holds the
 * moment when a request is possible again, if it is known. Refuses TICKET_EXPIRED as `useTicket` does.
 */
export function requestReview(ctx: MemberCtx, { productId, ticket, nonce }: Asking): Promise<NewRequest> {
  return inTransaction(ctx, async (ctx) => {
    const { sellerId, listingId } = await lockMyProduct(ctx, productId)
    await lockOpenMarketplaces(ctx)
    const facts = (await readAskFacts(ctx, [productId])).get(productId)
    if (!facts) throw refuse('NOT_FOUND')
    const may = canRequestReview(facts)
    if (may !== true) throw refuse(may, facts.nextAt ? { at: facts.nextAt } : undefined)
    const asked = { productId, listingId, sellerId }
    const drawn = await useTicket(ctx, asked, { ticket, nonce: Buffer.from(nonce, 'hex') })
    const queueId = await enqueueRequest(ctx, asked, drawn)
    await endAskAlert(ctx, productId)
    const { beaconRound } = drawn
    return {
      ...(await getRequest(ctx, queueId)),
      beaconRound: beaconRound === null ? null : Number(beaconRound),
    }
  })
}

/** The place, the age and the wait of a lapsed request, which its successor keeps. */
type Place = { prioAt: string; askedAt: string; waitingSince: string }
type Asked = { productId: string; listingId: string; sellerId: string }

/**
 * Queues a request, a successor at the place of its predecessor. A successor is drawn within `resumeHours`,
 * since its seller knew when the review would lapse. Emits the event to the seller and starts a pass.
 */
async function enqueueRequest(ctx: Ctx, of: Asked, ticket: Ticket, place?: Place) {
  const id = newId()
  try {
    await ctx.db
      .insertInto('reviewQueue')
      .values({
        id,
        ...of,
        ...ticket,
        status: 'queued',
        prioAt: place ? place.prioAt : priorityOf(of.sellerId),
        askedAt: place ? place.askedAt : null,
        waitingSince: place ? place.waitingSince : null,
      })
      .execute()
  } catch (error) {
    if (violates(error, 'review_queue_one_open')) throw refuse('REQUEST_OPEN')
    throw error
  }
  if (place) await waitAtLeast(ctx, id, sql`greatest(clock_timestamp(), ${receivesAgainAt(of.sellerId)})`)
  await countOpenRequests(ctx, of.sellerId, 1)
  await recordRequested(ctx, { id, ...of })
  await emit(ctx, 'request.queued', { queueId: id, productId: of.productId }, [of.sellerId])
  await askForValue(ctx, ticket)
  await ctx.kit.jobs.send(ctx, 'match-requests')
  return id
}

/** In SQL: now, or `activeBonusHours` earlier for a seller who gave a review in the last `activeDays`. */
function priorityOf(sellerId: string) {
  return sql<string>`clock_timestamp() - case when ${gaveLately(sellerId)}
    then make_interval(hours => ${activeBonusHours}) else interval '0' end`
}

async function countOpenRequests(ctx: Ctx, sellerId: string, by: number) {
  await ctx.db
    .updateTable('reviewerStates')
    .set((eb) => ({ openRequests: eb('openRequests', '+', by) }))
    .where('memberId', '=', sellerId)
    .execute()
}

/**
 * Withdraws my request. Refuses REQUEST_CLOSED once a member has accepted it, NOT_FOUND when it is not mine.
 */
export function cancelRequest(ctx: MemberCtx, queueId: string) {
  return inTransaction(ctx, async (ctx) => {
    const mine = await ctx.db
      .selectFrom('reviewQueue')
      .select(['id', 'productId', 'sellerId'])
      .where('id', '=', queueId)
      .where(canManage(ctx, 'sellerId'))
      .executeTakeFirst()
    if (!mine) throw refuse('NOT_FOUND')
    await lockMembers(ctx, [mine.sellerId])
    if (!(await cancelOpen(ctx, mine))) throw refuse('REQUEST_CLOSED')
  })
}

/** Cancels the unaccepted requests of a product that was deleted or taken out of the rotation. */
export async function cancelRequestsOf(ctx: Ctx, productId: string) {
  const open = await openRequestsOf(ctx, productId).execute()
  for (const request of open) await cancelOpen(ctx, request)
}

/** Cancels the unaccepted request for the listing that a product no longer connects. */
export async function cancelFormerRequests(ctx: Ctx, productId: string, listingId: string) {
  const former = await openRequestsOf(ctx, productId).where('listingId', '<>', listingId).execute()
  for (const request of former) await cancelOpen(ctx, request)
}

function openRequestsOf(ctx: Ctx, productId: string) {
  return ctx.db
    .selectFrom('reviewQueue')
    .select(['id', 'productId', 'sellerId'])
    .where('productId', '=', productId)
    .where('status', 'in', ['queued', 'held', 'offered'])
}

async function cancelOpen(ctx: Ctx, request: { id: string; productId: string; sellerId: string }) {
  // An offer that ends at this moment puts the request back, where it would be overlooked.
  await lockRow(ctx, 'review_queue', request.id)
  const cancelled = await ctx.db
    .updateTable('reviewQueue')
    .set({ status: 'cancelled', closedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', request.id)
    .where('status', 'in', ['queued', 'held'])
    .executeTakeFirst()
  const done =
    cancelled.numUpdatedRows === 1n || (await withdrawOfferOf(ctx, request.id, 'cancelled')) !== null
  if (!done) return false
  await countOpenRequests(ctx, request.sellerId, -1)
  await recordCancelled(ctx, request)
  await emit(ctx, 'request.cancelled', { queueId: request.id, productId: request.productId }, [
    request.sellerId,
  ])
  return true
}

type Intervention = { id: string; reason: string }

/**
 * Cancels a waiting request. An open offer is withdrawn without penalty. Refuses NOT_FOUND, OWN_MATTER to its
 * seller and to whom it is offered, and REQUEST_CLOSED once it was accepted or is over.
 */
export function cancelRequestAsStaff(ctx: MemberCtx, { id, reason }: Intervention): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const request = await lockRequest(ctx, id)
    if (!(await cancelOpen(ctx, request))) throw refuse('REQUEST_CLOSED')
    await notifyRequestCancelled(ctx, { ...request, reason })
    await recordStaffAction(ctx, {
      action: 'request_cancelled',
      memberId: request.sellerId,
      subject: { kind: 'request', id },
      reason,
      before: { status: request.status },
      after: { status: 'cancelled' },
    })
  })
}

/**
 * Withdraws the open offer of a request without penalty, and returns the request to its place. Refuses as
 * `cancelRequestAsStaff` does, and OFFER_ANSWERED when no offer is open anymore.
 */
export function withdrawOfferAsStaff(ctx: MemberCtx, { id, reason }: Intervention): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { offeredTo } = await lockRequest(ctx, id)
    const offer = await withdrawOfferOf(ctx, id, 'queued')
    if (!offer || !offeredTo) throw refuse('OFFER_ANSWERED')
    await notifyWithdrawnByStaff(ctx, { offerId: offer.id, reviewerId: offeredTo })
    await recordStaffAction(ctx, {
      action: 'offer_withdrawn',
      memberId: offeredTo,
      subject: { kind: 'request', id },
      reason,
      before: { offer: 'open' },
      after: { offer: 'withdrawn' },
    })
    await ctx.kit.jobs.send(ctx, 'match-requests')
  })
}

/** A request with the locks of its members. Both may change until they are locked, so it is read again. */
async function lockRequest(ctx: MemberCtx, id: string) {
  const { sellerId, offeredTo } = await readRequest(ctx, id)
  await lockMembers(ctx, [sellerId, ...(offeredTo ? [offeredTo] : [])])
  const request = await readRequest(ctx, id)
  // Another member was drawn meanwhile, whose lock is not held.
  if (request.offeredTo !== null && request.offeredTo !== offeredTo) throw refuse('CONFLICT')
  return request
}

async function readRequest(ctx: MemberCtx, id: string) {
  const request = await ctx.db
    .selectFrom('reviewQueue')
    .select(['id', 'productId', 'sellerId', 'offeredTo', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
  await refuseOwnMatter(ctx, [request.sellerId, request.offeredTo])
  return request
}

/**
 * Puts the requests of a seller who is paused or out of the rotation on hold. Their open offers are
 * withdrawn, and these requests wait as after one was taken back. Moving what is queued waits for a pass that
 * has just taken a request, and what that pass offered is found after it.
 */
export async function holdRequests(ctx: Ctx, sellerId: string) {
  await moveRequests(ctx, sellerId, 'queued', 'held')
  const offered = await ctx.db
    .selectFrom('reviewQueue')
    .select('id')
    .where('sellerId', '=', sellerId)
    .where('status', '=', 'offered')
    .execute()
  for (const { id } of offered) if (await withdrawOfferOf(ctx, id, 'queued')) await waitBeforeAnother(ctx, id)
  await moveRequests(ctx, sellerId, 'queued', 'held')
}

/**
 * Returns a seller's requests to their places in the queue, except those on closed marketplaces. They are
 * drawn again within `resumeHours`.
 */
export async function resumeRequests(ctx: Ctx, sellerId: string) {
  await moveRequests(ctx, sellerId, 'held', 'queued', await lockOpenMarketplaces(ctx))
}

async function moveRequests(
  ctx: Ctx,
  sellerId: string,
  from: 'queued' | 'held',
  to: 'queued' | 'held',
  open?: string[],
) {
  const moved = await ctx.db
    .updateTable('reviewQueue as q')
    .set({ status: to })
    .where('q.sellerId', '=', sellerId)
    .where('q.status', '=', from)
    .$if(open !== undefined, (of) =>
      of.where('q.productId', 'in', ({ selectFrom }) =>
        selectFrom('products')
          .select('id')
          .where('marketplaceId', '=', sql<string>`any(${open}::uuid[])`),
      ),
    )
    .returning(['q.id', 'q.productId'])
    .execute()
  for (const { id, productId } of moved) {
    if (to === 'queued') await waitAtLeast(ctx, id, sql`clock_timestamp()`)
    await (to === 'held' ? recordHeld : recordReleased)(ctx, { id, productId, sellerId })
    await emit(ctx, to === 'held' ? 'request.held' : 'request.queued', { queueId: id, productId }, [sellerId])
  }
}

async function holdRequest(ctx: Ctx, { id, productId, sellerId }: Omit<Asked, 'listingId'> & { id: string }) {
  await ctx.db
    .updateTable('reviewQueue')
    .set({ status: 'held' })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
  await emit(ctx, 'request.held', { queueId: id, productId }, [sellerId])
}

type Exchange = { queueId: string; reviewerId: string; sellerId: string }

/**
 * Closes a request whose review was verified, updates both balances and marks the pair as met. The caller
 * holds both members' locks and has written the ledger entries in the same transaction.
 */
export async function completeRequest(ctx: Ctx, { queueId, reviewerId, sellerId }: Exchange) {
  const closed = await ctx.db
    .updateTable('reviewQueue')
    .set({ status: 'completed', completedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', queueId)
    .where('status', '=', 'in_review')
    .where('reviewerId', '=', reviewerId)
    .executeTakeFirst()
  if (closed.numUpdatedRows !== 1n) throw refuse('CONFLICT')
  await endExchange(ctx, { reviewerId, sellerId }, 1)
  await releasePair(ctx, { reviewerId, sellerId }, true)
}

/**
 * Closes a request whose review lapsed and queues its successor at the same place, of the same age, with the
 * same ticket. The time in which it was accepted is no wait. A reviewer at fault is not asked again for a
 * day. The caller holds both members' locks.
 */
export async function lapseRequest(
  ctx: Ctx,
  { queueId, reviewerId, sellerId }: Exchange,
  { atFault = true }: { atFault?: boolean } = {},
) {
  const lapsed = await ctx.db
    .updateTable('reviewQueue as q')
    .set({ status: 'lapsed', closedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', queueId)
    .where('status', '=', 'in_review')
    .where('reviewerId', '=', reviewerId)
    .returning([
      'productId',
      'listingId',
      'prioAt',
      askedAt.as('askedAt'),
      sql<string>`${waitingSince} + (clock_timestamp() - q.accepted_at)`.as('waitingSince'),
    ])
    .executeTakeFirst()
  if (!lapsed) throw refuse('CONFLICT')
  await endExchange(ctx, { reviewerId, sellerId }, 0)
  if (atFault) {
    await sql`update reviewer_states set standby = true,
        available_at = greatest(available_at,
          clock_timestamp() + make_interval(hours => ${reofferHours.expired}))
      where member_id = ${reviewerId}`.execute(ctx.db)
  }
  await refreshTiers(ctx, [reviewerId])
  await releasePair(ctx, { reviewerId, sellerId }, false)
  const { productId, listingId, ...place } = lapsed
  await enqueueSuccessor(ctx, queueId, { productId, listingId, sellerId }, place)
}

/**
 * The successor of a lapsed request. None when the product left the rotation or connects another listing, as
 * after our staff changed how links are read; on hold when its seller left, or while its marketplace is
 * closed.
 */
async function enqueueSuccessor(ctx: Ctx, lapsedId: string, of: Asked, place: Place) {
  const open = await lockOpenMarketplaces(ctx)
  const product = await ctx.db
    .selectFrom('products')
    .innerJoin('reviewerStates', 'reviewerStates.memberId', 'products.sellerId')
    .select(['reviewerStates.standing', 'products.marketplaceId'])
    .where('products.id', '=', of.productId)
    .where('products.listingId', '=', of.listingId)
    .where('products.deletedAt', 'is', null)
    .where('products.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!product) return
  const { marketplaceId, standing } = product
  const id = await enqueueRequest(ctx, of, await ticketOf(ctx, lapsedId), place)
  if (standing !== 'in') await holdRequests(ctx, of.sellerId)
  else if (!open.includes(marketplaceId)) await holdRequest(ctx, { id, ...of })
}

/**
 * Counts one exchange less in progress for both. `moved` is 1 when the ledger moved a review between them,
 * else 0.
 */
async function endExchange(ctx: Ctx, { reviewerId, sellerId }: Omit<Exchange, 'queueId'>, moved: 0 | 1) {
  await sql`update reviewer_states set
      pending_give = pending_give - (member_id = ${reviewerId})::int,
      pending_take = pending_take - (member_id = ${sellerId})::int,
      balance = balance + case when member_id = ${reviewerId} then ${moved}::int else -${moved}::int end
    where member_id in (${reviewerId}, ${sellerId})`.execute(ctx.db)
  await ctx.kit.jobs.send(ctx, 'match-requests')
}
