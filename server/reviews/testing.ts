import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { withDisclosure } from '#contract/review-text.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { Club } from '#server/testing/club.ts'
import { openReview, submitReview } from './reviews.ts'
import { partyColumns } from './parties.ts'
import type { Parties } from './parties.ts'
import type { ReadProof } from './proofs.ts'
import type { Submission } from './reviews.ts'
import { proveByFile, proveByOrder, storeProof } from './proofs.ts'

// Sets up the states that tests need. Time is moved by moving the moments in the rows back.

export const disclosure =
  'I belong to a review exchange and bought this with a discount code; my opinion is my own.'

export type Case = Parties & { reviewer: MemberCtx; seller: MemberCtx }

/** Who can act in a test. */
type Cast = Pick<Club, 'system' | 'as'>

/** `reviewer` has just accepted to review the product of `seller`. */
export async function accepted(club: Cast, seller: string, reviewer: string, hoursAgo = 0): Promise<Case> {
  const of = { seller: await club.as(seller), reviewer: await club.as(reviewer) }
  const parties = await inTransaction(club.system, async (ctx) => {
    const queueId = newId()
    await acceptedRequest(ctx, {
      queueId,
      sellerId: of.seller.who.id,
      reviewerId: of.reviewer.who.id,
      hoursAgo,
    })
    await openReview(ctx, { queueId })
    return ctx.db
      .selectFrom('reviews')
      .select(partyColumns)
      .where('queueId', '=', queueId)
      .executeTakeFirstOrThrow()
  })
  return { ...parties, ...of }
}

/** The rows that the draw and the acceptance write. */
async function acceptedRequest(
  ctx: Ctx,
  {
    queueId,
    sellerId,
    reviewerId,
    hoursAgo,
  }: { queueId: string; sellerId: string; reviewerId: string; hoursAgo: number },
) {
  const at = sql`clock_timestamp() - make_interval(hours => ${hoursAgo})`
  await sql`
    insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, created_at, offered_to,
      offered_at, offer_expires_at, reviewer_id, accepted_at, lottery_day, lottery_ticket,
      lottery_nonce, lottery_commit, lottery_key)
    select ${queueId}, p.id, p.listing_id, p.seller_id, 'in_review', ${at}, ${at}, ${reviewerId}, ${at},
      ${at} + interval '30 minutes', ${reviewerId}, ${at}, current_date, nextval('lottery_tickets'),
      '\\x00', '\\x00', '\\x00'
    from products p where p.seller_id = ${sellerId} and p.deleted_at is null limit 1`.execute(ctx.db)
  await sql`
    insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at,
      responded_at, snapshot)
    select ${newId()}, q.id, reviewer_id, q.seller_id, 'accepted', true, offered_at, offer_expires_at,
      accepted_at, product_snapshot(p)
    from review_queue q join products p on p.id = q.product_id where q.id = ${queueId}`.execute(ctx.db)
  await sql`
    insert into pair_uses (lo, hi, held)
    values (least(${sellerId}::uuid, ${reviewerId}::uuid), greatest(${sellerId}::uuid, ${reviewerId}::uuid),
      true)
    on conflict (lo, hi) do update set held = true`.execute(ctx.db)
  await sql`
    update reviewer_states set pending_give = pending_give + (member_id = ${reviewerId})::int,
      pending_take = pending_take + (member_id = ${sellerId})::int
    where member_id in (${sellerId}, ${reviewerId})`.execute(ctx.db)
}

let orders = 100_000

/** The next unused order number. */
export function orderId() {
  return String((orders += 1))
}

let pictures = 0

/** A proof as `readProof` returns it, for tests that do not read one. It looks like no other. */
export function readyProof(change: Partial<ReadProof> = {}): ReadProof {
  pictures += 1
  const noise = Buffer.concat(
    Array.from({ length: 128 }, (_, part) => createHash('sha256').update(`${pictures}:${part}`).digest()),
  )
  const bits = [...noise]
    .map((byte) => (byte % 2 ? '1' : '0'))
    .join('')
    .slice(0, 992)
  return {
    type: 'png',
    bytes: Buffer.from(`not really a picture ${pictures}`),
    width: 4,
    height: 3,
    sha256: noise.subarray(0, 32),
    hash: { tones: noise, bits },
    originalName: 'receipt.png',
    ...change,
  }
}

/** Stores the file of a proof and proves by it, as the call of the API does. */
export async function uploadProof(
  ctx: MemberCtx,
  { proof, ...given }: { id: string; proof: ReadProof; paidCents: number },
) {
  return proveByFile(ctx, { ...given, proof: await storeProof(ctx, proof) })
}

/** … and has proven the purchase and used the product long enough. */
export async function purchased(club: Cast, seller: string, reviewer: string): Promise<Case> {
  const review = await accepted(club, seller, reviewer)
  await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 50 })
  await passUseTime(review)
  return review
}

/** … and has submitted the review. */
export async function submitted(
  club: Cast,
  seller: string,
  reviewer: string,
  change: Partial<Submission> = {},
) {
  const review = await purchased(club, seller, reviewer)
  await submitReview(review.reviewer, submission(review, change))
  return review
}

let written = 0

/** A review that passes every check, each time with a different text. */
export function submission({ id }: { id: string }, change: Partial<Submission> = {}): Submission {
  written += 1
  return {
    id,
    rating: 3,
    text: withDisclosure(disclosure, bodyOf(written)),
    usedFor: 'Planning the weeks of our household.',
    notFor: 'People who plan on the phone.',
    aiAssisted: false,
    attested: true,
    posted: true,
    postedLink: null,
    ...change,
  }
}

/** A text without a disclosure that differs from all others. */
export function bodyWithoutDisclosure() {
  return bodyOf((written += 1))
}

/** 64 made-up words that differ from those of all other texts, so that no two texts are near-duplicates. */
function bodyOf(seed: number) {
  const letters = Array.from({ length: 7 }, (_, part) =>
    createHash('sha256').update(`${seed}:${part}`).digest('hex'),
  ).join('')
  const spelt = letters.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
  return Array.from({ length: 64 }, (_, at) => spelt.slice(at * 7, at * 7 + 6)).join(' ')
}

/** Lets the minimum time of use pass. */
export async function passUseTime({ id, reviewer }: Case) {
  await sql`update reviews set usable_from = clock_timestamp() - interval '1 second'
    where id = ${id}`.execute(reviewer.db)
}

/** Lets hours pass for one review by moving all its moments back. */
export async function passHours({ id, queueId, reviewer }: Case, hours: number) {
  const back = sql`make_interval(hours => ${hours})`
  await sql`update reviews set accepted_at = accepted_at - ${back},
      purchase_due_at = purchase_due_at - ${back}, due_at = due_at - ${back},
      purchased_at = purchased_at - ${back}, usable_from = usable_from - ${back},
      submitted_at = submitted_at - ${back}, confirm_due_at = confirm_due_at - ${back},
      returned_at = returned_at - ${back}, held_at = held_at - ${back},
      return_due_at = return_due_at - ${back}, verified_at = verified_at - ${back},
      lapsed_at = lapsed_at - ${back}
    where id = ${id}`.execute(reviewer.db)
  await sql`update review_queue set accepted_at = accepted_at - ${back} where id = ${queueId}`.execute(
    reviewer.db,
  )
}

/** The state of a review, read from its row. */
export function rowOf({ id, reviewer }: Case) {
  return reviewer.db.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The titles of a member's notifications, oldest first. */
export async function notificationsTo(ctx: MemberCtx) {
  const rows = await ctx.db
    .selectFrom('notices')
    .select('title')
    .where('memberId', '=', ctx.who.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ title }) => title)
}

/** The titles of the unsettled, unread notices about a review, of both sides. */
export async function openNotices({ id, reviewer }: Case) {
  const rows = await reviewer.db
    .selectFrom('notices')
    .select('title')
    .where('dedupeKey', 'like', `%${id}%`)
    .where('settledAt', 'is', null)
    .where('readAt', 'is', null)
    .execute()
  return rows.map(({ title }) => title)
}
