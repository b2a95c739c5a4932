// An offer asks one member to review one product. It is answered once, by the member it was made to, before
// it expires.
import { sql } from 'kysely'
import { canReceiveOffer } from '#contract/matching.ts'
import { cooldownMinutes, isFreeDecline } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterRollback, databaseNow, inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { endOffer, putBack } from './endings.ts'
import { exclusionOf, rememberReason } from './exclusions/exclusions.ts'
import { readReceiveFacts } from './facts.ts'
import { acceptedBy, acceptsAgainAt } from './limits/accepted.ts'
import { againAt, holdAtLimit, receivedBy } from './limits/received.ts'
import { notifyOfferExpired, recordDeclined, settleOfferNotice } from './notices.ts'
import { barredSince, shortestWindow, windowStart } from './pairs.ts'
import { countRefusal, endRun, hasLetPass } from './presence/rests.ts'
import { markSeen } from './reads.ts'
import { refreshTiers } from './tiers.ts'

type Answer = { queueId: string; accept: boolean; reason?: DeclineReason | undefined }

/**
 * Accepts or declines my offer of a request. Refuses NOT_FOUND without one, and OFFER_EXPIRED, OFFER_ANSWERED
 * or OFFER_WITHDRAWN when it is over. Accepting also refuses with the first reason of `canReceiveOffer`,
 * PAIR_MET, or CONSENT_REQUIRED.
 */
export function respondToOffer(ctx: MemberCtx, { queueId, accept, reason }: Answer) {
  return inTransaction(ctx, async (ctx) => {
    const offer = await findMyOffer(ctx, queueId)
    await lockMembers(ctx, [ctx.who.id, offer.sellerId])
    await lockRow(ctx, 'review_queue', offer.queueId)
    await lockRow(ctx, 'offers', offer.id)
    // A refusal to accept says something about the product.
    if (accept) afterRollback(ctx, (outside) => markSeen(outside, offer.id))
    return accept ? acceptOffer(ctx, offer) : declineOffer(ctx, offer, reason ?? null)
  })
}

/**
 * Closes my offer without an answer. It stays open, but it never opens by itself again, on any device. That
 * I had it I know then, so it counts as seen.
 * Refuses NOT_FOUND when there was none for me.
 */
export function setOfferAside(ctx: MemberCtx, queueId: string) {
  return inTransaction(ctx, async (ctx) => {
    await findMyOffer(ctx, queueId)
    const changed = await ctx.db
      .updateTable('offers')
      .set({
        setAsideAt: sql<string>`clock_timestamp()`,
        seenAt: sql`coalesce(seen_at, clock_timestamp())`,
      })
      .where('queueId', '=', queueId)
      .where('reviewerId', '=', ctx.who.id)
      .where('state', '=', 'open')
      .where('setAsideAt', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 1n) await emit(ctx, 'offer.set_aside', { queueId }, [ctx.who.id])
  })
}

type MyOffer = { id: string; queueId: string; productId: string; sellerId: string }

async function findMyOffer(ctx: MemberCtx, queueId: string): Promise<MyOffer> {
  return ctx.db
    .selectFrom('offers')
    .innerJoin('reviewQueue', 'reviewQueue.id', 'offers.queueId')
    .select(['offers.id', 'offers.queueId', 'reviewQueue.productId', 'offers.sellerId'])
    .where('offers.queueId', '=', queueId)
    .where('offers.reviewerId', '=', ctx.who.id)
    .orderBy('offers.offeredAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

async function acceptOffer(ctx: MemberCtx, offer: MyOffer) {
  await requireStillMine(ctx, offer.id)
  await requireMayAccept(ctx, offer)
  const taken = await ctx.db
    .updateTable('reviewQueue')
    .set({ status: 'in_review', reviewerId: ctx.who.id, acceptedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', offer.queueId)
    .where('status', '=', 'offered')
    .where('offeredTo', '=', ctx.who.id)
    .where('offerExpiresAt', '>', sql<string>`clock_timestamp()`)
    .returning('acceptedAt')
    .executeTakeFirst()
  if (!taken) throw refuse('OFFER_EXPIRED')
  const closed = await ctx.db
    .updateTable('offers')
    .set({
      state: 'accepted',
      respondedAt: taken.acceptedAt,
      seenAt: sql`coalesce(seen_at, clock_timestamp())`,
    })
    .where('id', '=', offer.id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (closed.numUpdatedRows !== 1n) throw refuse('OFFER_ANSWERED')
  await countAccepted(ctx, offer)
  await settleOfferNotice(ctx, { offerId: offer.id, reviewerId: ctx.who.id })
  const { queueId, sellerId } = offer
  await emit(ctx, 'offer.accepted', { queueId }, [ctx.who.id, sellerId])
  await holdAtLimit(ctx, sellerId)
  const review = await ctx.db
    .selectFrom('reviews')
    .select('id')
    .where('queueId', '=', queueId)
    .executeTakeFirst()
  return {
    message: "You'll receive the coupon link shortly.",
    reviewId: review?.id ?? null,
    offersAgainAt: null,
  }
}

/** Refuses an offer that is no longer open with its outcome, before any other reason. */
async function requireStillMine(ctx: Ctx, offerId: string) {
  const { rows } = await sql<{
    state: 'open' | 'accepted' | 'declined' | 'expired' | 'withdrawn'
    expired: boolean
  }>`
    select state, expires_at <= clock_timestamp() or ${isAhead('offers')} as expired
    from offers where id = ${offerId}`.execute(ctx.db)
  const row = rows[0]
  if (row?.state === 'withdrawn') throw refuse('OFFER_WITHDRAWN')
  if (row?.state === 'accepted' || row?.state === 'declined') throw refuse('OFFER_ANSWERED')
  if (row?.state === 'expired' || row?.expired) throw refuse('OFFER_EXPIRED')
}

/**
 * In SQL: whether an offer was made later than now. Then the database's clock was set back, and how long the
 * offer has been open is not known any more: it is over.
 */
function isAhead(table: 'offers' | 'reviewQueue') {
  return sql<boolean>`${sql.ref(`${table}.offered_at`)} > clock_timestamp() + interval '1 minute'`
}

/** Checks all conditions of the offer again, under the locks of both members. */
async function requireMayAccept(ctx: MemberCtx, offer: MyOffer) {
  const facts = await readReceiveFacts(ctx, offer.queueId)
  if (!facts) throw refuse('FORBIDDEN')
  const may = canReceiveOffer({ ...facts, openOffer: false })
  if (may !== true) throw refuse(may)
  // The window in force when the offer was made decides. It may have grown since, but was never shorter than
  // the shortest.
  const since = windowStart(shortestWindow)
  const [row] = await runPrepared(
    ctx.db,
    sql<{ barred: boolean; full: boolean; met: boolean; closed: boolean; consented: boolean }>`
    select coalesce(${exclusionOf('me.id')} = 'conflict', false) as barred,
      ${againAt} > clock_timestamp() as full, exists (
        select from reviews r where r.status <> 'lapsed'
          and r.accepted_at > ${barredSince(sql`r.reviewer_id`, sql`${ctx.who.id}::uuid`, since)}
          and (r.reviewer_id, r.seller_id)
            in ((${ctx.who.id}, ${offer.sellerId}), (${offer.sellerId}, ${ctx.who.id}))
      ) as met,
      k.lane = 'closed' as closed,
      exists (select from marketplace_consents c where c.member_id = ${ctx.who.id} and c.marketplace_id = k.id
        and c.policy_version = k.policy_version) as consented
    from products p join marketplaces k on k.id = p.marketplace_id
      cross join (select ${ctx.who.id}::uuid as id) me
      cross join lateral ${receivedBy(sql`p.seller_id`)} got
    where p.id = ${offer.productId}
    for share of k`,
  )
  if (!row || row.closed) throw refuse('MARKETPLACE_NOT_OPEN')
  // What bars the two, and the seller's limit, withdraw the offer: this refuses what began a moment ago.
  if (row.barred || row.full) throw refuse('OFFER_WITHDRAWN')
  if (row.met) throw refuse('PAIR_MET')
  if (!row.consented) throw refuse('CONSENT_REQUIRED')
}

/**
 * Counts the new exchange on both sides, and ends a run of refusals. At the limit of the day or week, the
 * member leaves the rotation for a time.
 */
async function countAccepted(ctx: MemberCtx, offer: MyOffer) {
  await sql`update reviewer_states set
      pending_give = pending_give + (member_id = ${ctx.who.id})::int,
      open_offer_id = case when member_id = ${ctx.who.id} then null else open_offer_id end,
      pending_take = pending_take + (member_id = ${offer.sellerId})::int,
      open_requests = open_requests - (member_id = ${offer.sellerId})::int
    where member_id in (${ctx.who.id}, ${offer.sellerId})`.execute(ctx.db)
  await endRun(ctx)
  await sql`update reviewer_states s set available_at = greatest(s.available_at, ${acceptsAgainAt})
    from ${acceptedBy(sql`${ctx.who.id}::uuid`)} accepted where s.member_id = ${ctx.who.id}`.execute(ctx.db)
  await refreshTiers(ctx, [ctx.who.id])
}

async function declineOffer(ctx: MemberCtx, offer: MyOffer, reason: DeclineReason | null) {
  await requireStillMine(ctx, offer.id)
  const isOpen = sql<boolean>`offer_expires_at > clock_timestamp()`
  const mine = { ...offer, reviewerId: ctx.who.id }
  if (!(await putBack(ctx, mine, 'queued', isOpen))) throw refuse('OFFER_EXPIRED')
  const ending = {
    state: 'declined',
    reason,
    seenAt: sql<string>`coalesce(seen_at, clock_timestamp())`,
  } as const
  const offersAgainAt = await endOffer(ctx, mine, ending, () => countDecline(ctx, offer, reason))
  await recordDeclined(ctx, { offerId: offer.id, reviewerId: ctx.who.id }, offersAgainAt)
  await rememberReason(ctx, offer, reason)
  await ctx.kit.jobs.send(ctx, 'match-requests')
  return { message: "You've declined this review.", reviewId: null, offersAgainAt }
}

/**
 * Writes a decline and its cooldown: none for the first honest reasons of a UTC day, else 0, 30, 120, 360
 * minutes for the counted declines of that day. A counted decline may begin a rest. Returns when the later of
 * both ends; null when there is neither.
 */
async function countDecline(ctx: MemberCtx, offer: MyOffer, reason: DeclineReason | null) {
  const reviewerId = ctx.who.id
  // One moment for both: a decline is written on the day whose declines were counted.
  const at = await databaseNow(ctx)
  const { rows } = await sql<{ counted: number; free: number }>`
    select count(*) filter (where counted) as counted, count(*) filter (where not counted) as free
    from decline_history where reviewer_id = ${reviewerId}
      and created_at >= date_trunc('day', ${at}::timestamptz, 'UTC')`.execute(ctx.db)
  const before = rows[0] ?? { counted: 0, free: 0 }
  const counted = !isFreeDecline(reason, before.free)
  const minutes = counted ? cooldownMinutes(before.counted + 1) : 0
  await ctx.db
    .insertInto('declineHistory')
    .values({
      id: newId(),
      reviewerId,
      offerId: offer.id,
      reason,
      counted,
      cooldownAppliedMinutes: minutes,
      createdAt: at,
    })
    .execute()
  const rests = counted && (await countRefusal(ctx, { offerId: offer.id, reviewerId }))
  if (minutes > 0) {
    await sql`update reviewer_states set last_decline_reset = clock_timestamp(),
        cooldown_until = greatest(cooldown_until, clock_timestamp() + make_interval(mins => ${minutes})),
        available_at = greatest(available_at, clock_timestamp() + make_interval(mins => ${minutes}))
      where member_id = ${reviewerId}`.execute(ctx.db)
  }
  return minutes > 0 || rests ? readReturn(ctx) : null
}

/** When my cooldown and my rest are both over. */
async function readReturn(ctx: MemberCtx) {
  const { rows } = await sql<{ until: string }>`
    select greatest(cooldown_until, rest_until) as until from reviewer_states
    where member_id = ${ctx.who.id}`.execute(ctx.db)
  return rows[0]?.until ?? null
}

/**
 * Expires offers whose time is over, or whose clock was set back, and returns their requests to their places.
 * A member who never saw the offer is on stand-by until the next visit. Each offer has its own transaction,
 * so an answer at the same moment wins or loses whole, and one that fails keeps no other open.
 */
export async function expireOffers(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from offers where state = 'open' and (expires_at <= clock_timestamp() or ${isAhead('offers')})
      order by expires_at, id limit 1000`.execute(ctx.db)
  let expired = 0
  await eachByItself(ctx, rows, failingToExpire, async ({ id }) => {
    if (await expireOffer(ctx, id)) expired += 1
  })
  return expired
}

const failingToExpire = {
  failure: 'an offer could not be expired',
  about: ({ id }: { id: string }) => ({ offerId: id }),
}

function expireOffer(ctx: Ctx, offerId: string) {
  return inTransaction(ctx, async (ctx) => {
    const offer = await ctx.db
      .selectFrom('offers')
      .innerJoin('reviewQueue', 'reviewQueue.id', 'offers.queueId')
      .select([
        'offers.id',
        'offers.queueId',
        'offers.reviewerId',
        'offers.sellerId',
        'offers.seenAt',
        'reviewQueue.productId',
        isAhead('offers').as('isAhead'),
      ])
      .where('offers.id', '=', offerId)
      .executeTakeFirstOrThrow()
    await lockMembers(ctx, [offer.reviewerId, offer.sellerId])
    const isOver = sql<boolean>`(offer_expires_at <= clock_timestamp() or ${isAhead('reviewQueue')})`
    if (!(await putBack(ctx, offer, 'queued', isOver))) return false
    await endOffer(ctx, offer, { state: 'expired' }, async () => {
      // The member is not to blame for a clock.
      if (offer.isAhead) return
      if (offer.seenAt === null)
        await sql`update reviewer_states set standby = true where member_id = ${offer.reviewerId}`.execute(
          ctx.db,
        )
      if (await hasLetPass(ctx, offer.id))
        await countRefusal(ctx, { offerId: offer.id, reviewerId: offer.reviewerId })
    })
    await notifyOfferExpired(ctx, { offerId: offer.id, reviewerId: offer.reviewerId })
    await ctx.kit.jobs.send(ctx, 'match-requests')
    return true
  })
}
