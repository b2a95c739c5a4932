// The tickets of the draw. A day has one secret, which is fixed before the day begins. A seller takes a
// ticket and gets its commitment, then sends a nonce with the request. The lottery key follows from both: the
// club cannot choose the ticket by the nonce, nor the seller the nonce by the ticket's secret. A club may mix
// in a round of a public beacon that neither of them knows then.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { lotteryKey, sha256, ticketCommitment, ticketSecret } from '#contract/draw.ts'
import type { TakenTicket } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMyProduct } from '#server/products/my-products.ts'
import { expectRound } from './beacon/expected.ts'
import type { TicketBeacon } from './beacon/expected.ts'

/** A request's part in the lottery, as its row stores it. */
export type Ticket = {
  lotteryDay: string
  lotteryTicket: string
  lotteryNonce: Buffer
  lotteryCommit: Buffer
  /** Without the beacon's value until it is there. */
  lotteryKey: Buffer
} & TicketBeacon

type Asked = { listingId: string; sellerId: string }

/**
 * Takes a ticket for a request for one of my products and returns its commitment. A ticket belongs to the
 * seller and the listing and ends with its day (UTC). Taking again returns the same one, so there is never a
 * choice. Refuses NOT_FOUND.
 */
export function takeTicket(ctx: MemberCtx, productId: string): Promise<TakenTicket> {
  return inTransaction(ctx, async (ctx) => {
    const asked = await lockMyProduct(ctx, productId)
    const { day, secret, secretHash } = await secretOfToday(ctx)
    const kept = await findKeptTicket(ctx, asked, day)
    const number = kept ? kept.lotteryTicket : await reserveTicket(ctx, asked, day)
    return {
      ticket: number,
      day,
      dayHash: hex(secretHash),
      commitment: hex(ticketCommitment(ticketSecret(secret, BigInt(number)))),
      keptNonce: kept ? hex(kept.lotteryNonce) : null,
    }
  })
}

/**
 * Uses up a taken ticket with the nonce of its seller. A listing that was asked for today without a completed
 * review keeps its ticket and nonce, and so does a seller whose request was cancelled, for whatever they ask
 * for next. So no lottery is repeated by asking again, for another product or with another link. From the
 * next day on there is another ticket: the secret of the former one is public then. Refuses TICKET_EXPIRED
 * for a ticket of another seller, listing or day, one that was used, or one beside a kept one.
 */
export async function useTicket(
  ctx: Ctx,
  asked: Asked,
  { ticket, nonce }: { ticket: string; nonce: Buffer },
): Promise<Ticket> {
  const { listingId, sellerId } = asked
  const { day, secret } = await secretOfToday(ctx)
  const kept = await findKeptTicket(ctx, asked, day)
  if (kept) {
    if (kept.lotteryTicket !== ticket) throw refuse('TICKET_EXPIRED')
    return kept
  }
  const used = await ctx.db
    .deleteFrom('takenTickets')
    .where('listingId', '=', listingId)
    .where('sellerId', '=', sellerId)
    .where('ticket', '=', ticket)
    .where('day', '=', day)
    .executeTakeFirst()
  if (used.numDeletedRows !== 1n) throw refuse('TICKET_EXPIRED')
  const number = BigInt(ticket)
  return {
    lotteryDay: day,
    lotteryTicket: ticket,
    lotteryNonce: nonce,
    lotteryCommit: Buffer.from(ticketCommitment(ticketSecret(secret, number))),
    lotteryKey: Buffer.from(lotteryKey(secret, number, nonce)),
    ...(await expectRound(ctx)),
  }
}

/** The ticket of a request, which the successor of a lapsed one keeps. */
export async function ticketOf(ctx: Ctx, queueId: string): Promise<Ticket> {
  const { status: _, ...ticket } = await selectTickets(ctx)
    .where('id', '=', queueId)
    .executeTakeFirstOrThrow()
  return asTexts(ticket)
}

async function findKeptTicket(ctx: Ctx, asked: Asked, day: string): Promise<Ticket | null> {
  const last = await lastRequest(ctx, asked.listingId).executeTakeFirst()
  const isKept = last && last.status !== 'completed' && String(last.lotteryDay) === day
  const kept = isKept ? last : await findUnusedTicket(ctx, asked.sellerId, day)
  if (!kept) return null
  const { status: _, ...ticket } = kept
  return asTexts(ticket)
}

/** The first ticket of the day whose requests were all cancelled. The seller could not choose it. */
function findUnusedTicket(ctx: Ctx, sellerId: string, day: string) {
  return selectTickets(ctx)
    .where('sellerId', '=', sellerId)
    .where('lotteryDay', '=', day)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reviewQueue as other')
            .select('other.id')
            .whereRef('other.sellerId', '=', 'reviewQueue.sellerId')
            .whereRef('other.lotteryTicket', '=', 'reviewQueue.lotteryTicket')
            .where('other.status', '<>', 'cancelled'),
        ),
      ),
    )
    .orderBy('lotteryTicket')
    .limit(1)
    .executeTakeFirst()
}

/** The driver reads dates and numbers as their own types, or as text. */
function asTexts(ticket: Ticket): Ticket {
  return { ...ticket, lotteryDay: String(ticket.lotteryDay), lotteryTicket: String(ticket.lotteryTicket) }
}

/** By the number of its ticket first: a clock that is set back makes later requests look older. */
function lastRequest(ctx: Ctx, listingId: string) {
  return selectTickets(ctx)
    .where('listingId', '=', listingId)
    .orderBy('lotteryDay', 'desc')
    .orderBy('lotteryTicket', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
}

function selectTickets(ctx: Ctx) {
  return ctx.db
    .selectFrom('reviewQueue')
    .select(['status', 'lotteryDay', 'lotteryTicket', 'lotteryNonce', 'lotteryCommit', 'lotteryKey'])
    .select(['beaconChain', 'beaconFrom', 'beaconRound', 'beaconSignature'])
}

async function reserveTicket(ctx: Ctx, { listingId, sellerId }: Asked, day: string): Promise<string> {
  const { rows } = await sql<{ ticket: string }>`
    insert into taken_tickets as t (listing_id, seller_id, day, ticket)
    values (${listingId}, ${sellerId}, ${day}, nextval('lottery_tickets'))
    on conflict (listing_id, seller_id) do update set
      ticket = case when t.day = excluded.day then t.ticket else excluded.ticket end, day = excluded.day
    returning ticket::text`.execute(ctx.db)
  return rows[0]?.ticket ?? ''
}

async function secretOfToday(ctx: Ctx) {
  const known = await findToday(ctx)
  if (known?.isAhead) return known
  await prepareDays(ctx)
  const made = await findToday(ctx)
  if (!made) throw new Error('The lottery has no secret for today.')
  return made
}

/** `isAhead`: tomorrow has its secret as well. */
async function findToday(ctx: Ctx) {
  const { rows } = await sql<{ day: string; secret: Buffer; secretHash: Buffer; isAhead: boolean }>`
    select day::text, secret, secret_hash,
      exists (select from lottery_days ahead where ahead.day = d.day + 1) as is_ahead
    from lottery_days d where day = ${today}`.execute(ctx.db)
  return rows[0]
}

/** Creates the secrets of today and tomorrow. Running it again changes nothing. */
export async function prepareDays(ctx: Ctx) {
  // Tomorrow first: midnight between the two statements then leaves no day without a secret.
  for (const ahead of [1, 0]) {
    const secret = randomBytes(32)
    await sql`insert into lottery_days (day, secret, secret_hash)
      select ${today} + ${ahead}::int, ${secret}, ${sha256(secret)}
      where not exists (select from lottery_days where day = ${today} + ${ahead}::int)
      on conflict do nothing`.execute(ctx.db)
  }
}

/** Deletes tickets that were taken and not used on their day. */
export function deleteOldTickets(ctx: Ctx): Promise<void> {
  const where = sql`day < ${today}`
  return removeOldRows(ctx, [{ table: 'taken_tickets', where }])
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
