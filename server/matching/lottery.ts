// The tickets of the draw. A day has one secret, which is fixed before the day begins. Each request takes a
// ticket of its day. The lottery key follows from the ticket and a nonce, so later data cannot change whom
// the draw favors.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { lotteryKey, ticketCommitment, ticketSecret } from './draw.ts'

export type Ticket = {
  lotteryDay: string
  lotteryTicket: string
  lotteryNonce: Buffer
  lotteryCommit: Buffer
  lotteryKey: Buffer
}

/**
 * The ticket of a new request for a listing. Until a review is completed, each new request reuses the last
 * ticket, so neither asking again nor connecting the listing again repeats the lottery.
 */
export async function takeTicket(ctx: Ctx, listingId: string): Promise<Ticket> {
  const last = await ctx.db
    .selectFrom('reviewQueue')
    .select(['status', 'lotteryDay', 'lotteryTicket', 'lotteryNonce', 'lotteryCommit', 'lotteryKey'])
    .where('listingId', '=', listingId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last && last.status !== 'completed') {
    const { status: _, ...ticket } = last
    return { ...ticket, lotteryDay: String(ticket.lotteryDay) }
  }
  return newTicket(ctx)
}

async function newTicket(ctx: Ctx): Promise<Ticket> {
  const { day, secret } = await secretOfToday(ctx)
  const { rows } = await sql<{ ticket: number }>`select nextval('lottery_tickets') as ticket`.execute(ctx.db)
  const ticket = BigInt(rows[0]?.ticket ?? 0)
  const nonce = randomBytes(16)
  return {
    lotteryDay: day,
    lotteryTicket: String(ticket),
    lotteryNonce: nonce,
    lotteryCommit: ticketCommitment(ticketSecret(secret, ticket)),
    lotteryKey: lotteryKey(secret, ticket, nonce),
  }
}

async function secretOfToday(ctx: Ctx) {
  await prepareDays(ctx)
  const { rows } = await sql<{ day: string; secret: Buffer }>`
    select day, secret from lottery_days where day = (clock_timestamp() at time zone 'UTC')::date`.execute(
    ctx.db,
  )
  const row = rows[0]
  if (!row) throw new Error('The lottery has no secret for today.')
  return row
}

/** Creates the secrets of today and tomorrow. Running it again changes nothing. */
export async function prepareDays(ctx: Ctx) {
  // Tomorrow first: midnight between the two statements then leaves no day without a secret.
  for (const ahead of [1, 0]) {
    const secret = randomBytes(32)
    await sql`insert into lottery_days (day, secret, secret_hash)
      select (clock_timestamp() at time zone 'UTC')::date + ${ahead}::int, ${secret},
        ${createHash('sha256').update(secret).digest()}
      where not exists (select from lottery_days
        where day = (clock_timestamp() at time zone 'UTC')::date + ${ahead}::int)
      on conflict do nothing`.execute(ctx.db)
  }
}
