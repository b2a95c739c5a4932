// The refund of a person's first payment: within seven days of it, whole, and once. A person is a member with
// all accounts that may be theirs, by a card, an address or a sign-in account, so another account makes no
// second first payment. What was given back by itself, such as the payment for a second subscription, counts
// as neither.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { refundDays } from '#contract/membership.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { accountsOfPerson } from '#server/members/one-person.ts'
import { addChanges } from './changes.ts'
import { addOrder } from './orders.ts'
import { paymentsOf } from './partner.ts'
import { changeMembership } from './subscriptions.ts'

type Refundable = {
  paymentId: string
  subscriptionId: string
  cents: number
  until: string
}

/**
 * Gives me my first payment back, and ends my membership at once: my open offer is withdrawn without penalty,
 * reviews I have accepted stay. A repetition changes nothing. Refuses PAYMENTS_CLOSED, NO_SUBSCRIPTION,
 * REFUND_USED and REFUND_OVER.
 */
export function refundMembership(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    paymentsOf(ctx)
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    const mine = await readRunning(ctx, memberId)
    if (mine === 'refunded') return
    if (mine !== 'running') throw refuse('NO_SUBSCRIPTION')
    const refundable = await findRefundable(ctx, memberId)
    if (refundable === 'used') throw refuse('REFUND_USED')
    if (refundable === 'over') throw refuse('REFUND_OVER')
    if (!(await useUpRight(ctx, memberId))) throw refuse('REFUND_USED')
    await giveBack(ctx, memberId, refundable)
  })
}

/**
 * Gives a member who is leaving the first payment back, if it still can be. The caller holds the lock.
 * Returns the cents that are given back.
 */
export async function refundLeaving(ctx: Ctx, memberId: string): Promise<number> {
  const refundable = await findRefund(ctx, memberId)
  if (!refundable || !(await useUpRight(ctx, memberId))) return 0
  await giveBack(ctx, memberId, refundable)
  return refundable.cents
}

/** What a member would get back now, and until when; null for nothing. */
export async function findRefund(ctx: Ctx, memberId: string): Promise<Refundable | null> {
  if (!ctx.config.payments || (await readRunning(ctx, memberId)) !== 'running') return null
  const refundable = await findRefundable(ctx, memberId)
  return typeof refundable === 'string' ? null : refundable
}

/**
 * The first payment of a person, if it is the member's and can be given back; or why not. Of all accounts
 * of a person one has it, so two that ask at the same moment don't both get one.
 */
async function findRefundable(ctx: Ctx, memberId: string): Promise<Refundable | 'used' | 'over'> {
  const { rows } = await sql<Refundable & { used: boolean; over: boolean }>`
    with cards as (select card_hash from payer_cards where member_id = ${memberId}),
    person as (select id from ${accountsOfPerson(sql`${memberId}::uuid`)} of_person),
    first as (select min(i.paid_at) as at from invoices i join person on person.id = i.member_id
      where i.status = 'paid' and i.total_cents > 0 and not ${ordered(sql`i`)})
    select i.payment_id, s.stripe_subscription_id as subscription_id,
      i.total_cents - i.refunded_cents as cents,
      first.at + ${term} as until, first.at + ${term} <= clock_timestamp() as over,
      exists (select from refunded_cards r join cards using (card_hash))
        or exists (select from refunded_identities r join identity_hashes h using (hash)
          join person on person.id = h.member_id where not h.of_listing)
        or exists (select from ${refundsOf(sql`(select id from person)`)} refunds) as used
    from invoices i join memberships s on s.member_id = i.member_id, first
    where i.member_id = ${memberId} and i.status = 'paid' and i.paid_at = first.at
      and i.payment_id is not null and s.stripe_subscription_id is not null
    limit 1`.execute(ctx.db)
  const found = rows[0]
  if (!found) return 'over'
  const { used, over, ...refundable } = found
  if (used) return 'used'
  return over ? 'over' : refundable
}

/**
 * Keeps that a person got a first payment back, who deletes the account. `hashes`: keyed hashes of their
 * addresses and sign-in accounts, now and before. What an earlier account of theirs left is kept with them.
 */
export async function keepRefund(
  ctx: Ctx,
  { memberId, hashes }: { memberId: string; hashes: Buffer[] },
): Promise<void> {
  await sql`
    insert into refunded_identities (hash, refunded_on)
    select hash, refund.day from unnest(${hashes}::bytea[]) hash, (
      select max(day) as day from (
        select day from ${refundsOf(sql`(${memberId}::uuid)`)} refunds
        union all select refunded_on from refunded_identities where hash = any(${hashes}::bytea[])
      ) known) refund
    where refund.day is not null
    on conflict (hash) do update set refunded_on = greatest(refunded_identities.refunded_on,
      excluded.refunded_on)`.execute(ctx.db)
}

/** In SQL: the days (UTC) of what these members got back, other than what was given back by itself. */
function refundsOf(members: RawBuilder<unknown>) {
  return sql`(
    select (c.at at time zone 'UTC')::date as day from membership_changes c
      where c.member_id in ${members} and c.kind = 'refunded'
    union all select (o.paid_at at time zone 'UTC')::date from invoices o
      where o.member_id in ${members} and o.refunded_cents > 0 and not ${ordered(sql`o`)})`
}

/** In SQL: whether we asked for this invoice's payment to be given back. */
function ordered(invoice: RawBuilder<unknown>) {
  return sql`exists (select from membership_orders r where r.kind = 'refund' and r.failed_at is null
    and r.member_id = ${invoice}.member_id and r.payment_id = ${invoice}.payment_id)`
}

const term = sql`make_interval(hours => ${refundDays * 24})`

async function readRunning(ctx: Ctx, memberId: string): Promise<'running' | 'refunded' | 'none'> {
  const { rows } = await sql<{ state: string; disputed: boolean }>`
    select t.membership_state as state,
      exists (select from disputes d where d.member_id = t.member_id) as disputed
    from standings t where t.member_id = ${memberId}`.execute(ctx.db)
  const { state = 'none', disputed = false } = rows[0] ?? {}
  if (state === 'refunded') return 'refunded'
  // The bank decides about a payment that is disputed.
  return !disputed && ['active', 'past_due', 'paused', 'cancelled'].includes(state) ? 'running' : 'none'
}

/** Marks the cards. False when another account with one of them was faster: its row settles the race. */
async function useUpRight(ctx: Ctx, memberId: string): Promise<boolean> {
  const { rows } = await sql<{ cards: number; marked: number }>`
    with cards as (select card_hash from payer_cards where member_id = ${memberId} order by card_hash),
    marked as (insert into refunded_cards (card_hash) select card_hash from cards
      on conflict do nothing returning card_hash)
    select (select count(*) from cards) as cards, (select count(*) from marked) as marked`.execute(ctx.db)
  return rows[0] !== undefined && rows[0].cards === rows[0].marked
}

async function giveBack(ctx: Ctx, memberId: string, { paymentId, subscriptionId, cents }: Refundable) {
  await changeMembership(ctx, memberId, {
    status: 'refunded',
    currentPeriodEnd: sql<string>`least(current_period_end, clock_timestamp())`,
    endsAt: null,
    graceUntil: null,
    pausedFrom: null,
    pausedUntil: null,
  })
  // First nothing more can be charged, then the money goes back.
  await addOrder(ctx, { memberId, subscriptionId, kind: 'end' })
  const key = await addOrder(ctx, { memberId, subscriptionId, kind: 'refund', paymentId })
  await addChanges(ctx, memberId, [{ kind: 'refunded', key, cents }])
}
