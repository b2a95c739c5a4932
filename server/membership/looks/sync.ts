// Compares a membership with the payment partner and writes what the partner says. A look at the partner has
// a number: of two looks the later one counts, whichever is written first.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import { emit } from '#server/kit/live/events.ts'
import { alarm } from './alarms.ts'
import { addChanges } from '../changes.ts'
import type { Change } from '../changes.ts'
import { takenBackReason } from '../disputes.ts'
import { addOrder } from '../orders.ts'
import { PartnerError, paymentsOf } from '../partner.ts'
import type { PartnerDispute, PartnerInvoice, PartnerState } from '../partner.ts'
import { membershipOf } from './state.ts'
import type { Facts, Membership } from './state.ts'
import { readPartner } from '../stripe.ts'
import { suspendByRule } from '../suspensions.ts'

/** What we held and what the partner said, in words that name nothing of the partner's. */
export type Difference = { memberId: string | null; field: string; ours: string; partners: string }

type Look = { look: number; began: string; customerId: string }

/**
 * Fetches everything that the partner knows about a member and writes it, in one transaction under the
 * member's lock. Returns what differed; nothing where the partner knows no customer. Throws PartnerError.
 */
export async function syncMember(ctx: Ctx, memberId: string): Promise<Difference[]> {
  const payments = paymentsOf(ctx)
  const begun = await beginLook(ctx, memberId)
  if (!begun) return []
  const partner = await readPartner(payments, begun.customerId).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || error.kind !== 'gone') throw error
  })
  if (!partner) {
    // Nothing is taken away for it: a key of another account of the partner's would look the same.
    await alarm(ctx, memberId, 'gone')
    return [{ memberId, field: 'customer', ours: 'known', partners: 'unknown' }]
  }
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [memberId])
    return applyLook(ctx, { memberId, begun, partner })
  })
}

async function beginLook(ctx: Ctx, memberId: string): Promise<Look | undefined> {
  const { rows } = await sql<Look>`
    select nextval('membership_looks') as look, clock_timestamp() as began, stripe_customer_id as customer_id
    from memberships where member_id = ${memberId} and stripe_customer_id is not null`.execute(ctx.db)
  return rows[0]
}

type Seen = { memberId: string; begun: Look; partner: PartnerState }

async function applyLook(ctx: Ctx, { memberId, begun, partner }: Seen): Promise<Difference[]> {
  const row = await readHeld(ctx, memberId)
  if (!row || row.look >= begun.look) return []
  const { look: _, erasedAt, now, ...held } = row
  const invoices = await writeInvoices(ctx, memberId, partner.invoices)
  const disputes = await writeDisputes(ctx, memberId, partner.disputes)
  const facts: Facts = {
    partner,
    held,
    now,
    member: { id: memberId, erasedAt },
    orders: await readOrders(ctx, memberId, begun.began),
    priceId: paymentsOf(ctx).priceId,
  }
  const { membership, asked, seconds, problems } = membershipOf(facts)
  for (const order of asked) await addOrder(ctx, order)
  for (const problem of problems) await alarm(ctx, memberId, problem)
  if (seconds > 0) await alarm(ctx, memberId, 'second')
  const after = membership ?? held
  const differences = differencesOf(memberId, held, after)
  const hasNewCard = !erasedAt && (await writeCards(ctx, memberId, partner))
  await writeMembership(ctx, { memberId, look: begun.look, held, after })
  if (erasedAt) return differences
  // The rotation reacts to a card that another account has paid with.
  if (hasNewCard) await emit(ctx, 'membership.changed', { memberId }, [memberId])
  if (after.source === 'stripe' && after.subscriptionId !== held.subscriptionId)
    await completeCheckout(ctx, memberId)
  await addChanges(ctx, memberId, changesOf({ look: begun.look, held, after, partner, invoices, disputes }))
  // Otherwise months could be taken back and paid for once more, as often as one likes.
  if (disputes.lost.length > 0) await suspendByRule(ctx, { memberId, reason: takenBackReason, days: null })
  return [
    ...differences,
    ...countOf(memberId, 'invoices', invoices.fresh.length),
    ...countOf(memberId, 'disputes', disputes.opened.length + disputes.won.length),
  ]
}

async function readHeld(ctx: Ctx, memberId: string) {
  type Row = Membership & { look: number; erasedAt: string | null; now: string }
  const { rows } = await sql<Row>`
    select s.status, s.source, s.stripe_subscription_id as subscription_id, s.started_at,
      s.current_period_end, s.ends_at, s.grace_until, s.paused_from, s.paused_until, s.first_paid_at,
      s.renewal_cents, s.card_brand, s.card_last4, s.look, m.erased_at, clock_timestamp() as now
    from memberships s join members m on m.id = s.member_id where s.member_id = ${memberId}`.execute(ctx.db)
  return rows[0]
}

async function readOrders(ctx: Ctx, memberId: string, began: string) {
  const { rows } = await sql<Facts['orders'][number]>`
    select kind, subscription_id from membership_orders
    where member_id = ${memberId} and failed_at is null and (done_at is null or done_at >= ${began})
    order by created_at, id`.execute(ctx.db)
  return rows
}

type Changed = { memberId: string; look: number; held: Membership; after: Membership }

async function writeMembership(ctx: Ctx, { memberId, look, held, after }: Changed) {
  await sql`
    update memberships set look = ${look}, updated_at = clock_timestamp(), status = ${after.status},
      source = ${after.source}, stripe_subscription_id = ${after.subscriptionId},
      started_at = ${after.startedAt}, current_period_end = ${after.currentPeriodEnd},
      ends_at = ${after.endsAt}, grace_until = ${after.graceUntil}, paused_from = ${after.pausedFrom},
      paused_until = ${after.pausedUntil}, first_paid_at = ${after.firstPaidAt},
      renewal_cents = ${after.renewalCents}, card_brand = ${after.cardBrand}, card_last4 = ${after.cardLast4}
    where member_id = ${memberId}`.execute(ctx.db)
  const isFirst = held.startedAt === null && after.startedAt !== null
  if (fieldsOf(after).some((field) => !isSame(held[field], after[field])))
    await emit(ctx, 'membership.changed', { memberId, isFirst }, [memberId])
}

// The names of one object's own fields.
const fieldsOf = (membership: Membership) => Object.keys(membership) as (keyof Membership)[]

/** Moments are the same when they name the same millisecond: the partner counts in seconds. */
function isSame(a: string | number | null, b: string | number | null) {
  if (a === b) return true
  return typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b)
}

type Known = { id: string; stripeId: string; status: string }
type WrittenInvoices = { ids: Map<string, string>; fresh: PartnerInvoice[]; paid: PartnerInvoice[] }

/** Writes the invoices; `fresh` were unknown, `paid` were not paid when we last looked. */
async function writeInvoices(
  ctx: Ctx,
  memberId: string,
  invoices: PartnerInvoice[],
): Promise<WrittenInvoices> {
  const { rows } = await sql<Known>`
    select id, stripe_invoice_id as stripe_id, status from invoices where member_id = ${memberId}`.execute(
    ctx.db,
  )
  const known = new Map(rows.map((row) => [row.stripeId, row]))
  const ids = new Map<string, string>()
  for (const invoice of invoices) {
    const { payment, totalCents } = invoice
    const id = known.get(invoice.id)?.id ?? newId()
    ids.set(invoice.id, id)
    const refunded = Math.min(payment?.refundedCents ?? 0, totalCents)
    await sql`
      insert into invoices as i (id, member_id, stripe_invoice_id, payment_id, number, status, total_cents,
        tax_cents, refunded_cents, refunded_at, made_at, paid_at, period_start, period_end, has_pdf)
      values (${id}, ${memberId}, ${invoice.id}, ${payment?.id ?? null}, ${invoice.number}, ${invoice.status},
        ${totalCents}, ${invoice.taxCents}, ${refunded}, ${payment?.refundedAt ?? null}, ${invoice.madeAt},
        ${invoice.paidAt}, ${invoice.periodStart}, ${invoice.periodEnd}, ${invoice.hasPdf})
      on conflict (stripe_invoice_id) do update set payment_id = excluded.payment_id,
        number = excluded.number, status = excluded.status, total_cents = excluded.total_cents,
        tax_cents = excluded.tax_cents, refunded_cents = excluded.refunded_cents,
        refunded_at = excluded.refunded_at, paid_at = excluded.paid_at, period_start = excluded.period_start,
        period_end = excluded.period_end, has_pdf = excluded.has_pdf
      where i.member_id = ${memberId}`.execute(ctx.db)
  }
  return {
    ids,
    fresh: invoices.filter(({ id }) => !known.has(id)),
    paid: invoices.filter(({ id, status }) => status === 'paid' && known.get(id)?.status !== 'paid'),
  }
}

type WrittenDisputes = Record<'opened' | 'won' | 'lost', PartnerDispute[]> & { ids: Map<string, string> }

async function writeDisputes(
  ctx: Ctx,
  memberId: string,
  disputes: PartnerDispute[],
): Promise<WrittenDisputes> {
  const { rows } = await sql<Known & { closed: boolean }>`
    select id, stripe_dispute_id as stripe_id, status, closed_at is not null as closed from disputes
    where member_id = ${memberId}`.execute(ctx.db)
  const known = new Map(rows.map((row) => [row.stripeId, row]))
  const ids = new Map<string, string>()
  for (const { id: stripeId, paymentId, cents, reason, status, standing, openedAt } of disputes) {
    const id = known.get(stripeId)?.id ?? newId()
    ids.set(stripeId, id)
    const isClosed = standing === 'won' || standing === 'lost'
    await sql`
      insert into disputes as d (id, member_id, stripe_dispute_id, payment_id, cents, reason, status,
        opened_at, closed_at)
      values (${id}, ${memberId}, ${stripeId}, ${paymentId}, ${cents}, ${reason}, ${status}, ${openedAt},
        case when ${isClosed} then clock_timestamp() end)
      on conflict (stripe_dispute_id) do update set cents = excluded.cents, status = excluded.status,
        closed_at = case when ${isClosed} then coalesce(d.closed_at, clock_timestamp()) end
      where d.member_id = ${memberId} and d.status <> excluded.status`.execute(ctx.db)
  }
  return {
    ids,
    opened: disputes.filter(({ id, standing }) => standing !== 'won' && !known.has(id)),
    won: disputes.filter(({ id, standing }) => standing === 'won' && known.get(id)?.closed === false),
    lost: disputes.filter(({ id, standing }) => standing === 'lost' && !known.get(id)?.closed),
  }
}

/** Which cards a member paid with, so that one person with two accounts is seen. Whether one is new. */
async function writeCards(ctx: Ctx, memberId: string, { fingerprints, card }: PartnerState) {
  const all = new Set([...fingerprints, ...(card?.fingerprint ? [card.fingerprint] : [])])
  let added = 0n
  for (const fingerprint of all) {
    const { numAffectedRows = 0n } = await sql`
      insert into payer_cards (member_id, card_hash)
      values (${memberId}, ${keyedHash(ctx.config, 'payer-card', fingerprint)})
      on conflict do nothing`.execute(ctx.db)
    added += numAffectedRows
  }
  return added > 0n
}

/** The member has paid: their payment page is done with. */
async function completeCheckout(ctx: Ctx, memberId: string) {
  await sql`update checkouts set state = 'completed', ended_at = clock_timestamp(), url = null
    where member_id = ${memberId} and state = 'open'`.execute(ctx.db)
}

type Compared = Omit<Changed, 'memberId'> & {
  partner: PartnerState
  invoices: WrittenInvoices
  disputes: WrittenDisputes
}

/** What happened between the row and the partner's word, in its order. */
function changesOf({ look, held, after, partner, invoices, disputes }: Compared): Change[] {
  const changes: Change[] = []
  const key = String(look)
  const isNew = after.subscriptionId !== held.subscriptionId
  // An invoice of nothing, as after a pause that ended at once, is no payment.
  const paid = invoices.paid.filter(
    ({ subscriptionId, totalCents }) => subscriptionId === after.subscriptionId && totalCents > 0,
  )
  const about = (invoice: PartnerInvoice | undefined) => ({
    key: (invoice && invoices.ids.get(invoice.id)) ?? key,
    ...(invoice && { cents: invoice.totalCents, until: invoice.periodEnd }),
  })
  const wasRunning = isRunning(held) && !isNew
  if (isNew && isRunning(after)) changes.push({ kind: 'joined', ...about(paid[0]) })
  for (const invoice of isNew ? paid.slice(1) : paid)
    changes.push({ kind: held.status === 'past_due' ? 'recovered' : 'renewed', ...about(invoice) })
  if (after.status === 'past_due') {
    const failed = partner.invoices.findLast(
      ({ subscriptionId, failedAt }) => failedAt && subscriptionId === after.subscriptionId,
    )
    if (failed) changes.push({ kind: 'payment_failed', ...about(failed), until: after.graceUntil })
  }
  for (const { id, cents } of disputes.opened)
    changes.push({ kind: 'disputed', key: disputes.ids.get(id) ?? key, cents })
  for (const { id, cents } of disputes.won)
    changes.push({ kind: 'dispute_won', key: disputes.ids.get(id) ?? key, cents })
  // A dispute lets the subscription end with its period; its member is notified of the dispute.
  if (wasRunning && isRunning(after) && after.status !== 'disputed') {
    if (!held.endsAt && after.endsAt) changes.push({ kind: 'cancelled', key, until: after.endsAt })
    if (held.endsAt && !after.endsAt) changes.push({ kind: 'kept', key })
    changes.push(...pauseChanges(held, after, key))
  }
  if (after.status === 'refunded' && held.status !== 'refunded') {
    const given = partner.invoices.findLast(({ payment }) => (payment?.refundedCents ?? 0) > 0)
    changes.push({ kind: 'refunded', ...about(given), until: null })
  }
  if (after.status === 'ended' && isRunning(held)) changes.push({ kind: 'ended', key })
  return changes
}

function pauseChanges(held: Membership, after: Membership, key: string): Change[] {
  if (isSame(held.pausedUntil, after.pausedUntil)) return []
  if (!isSame(held.pausedFrom, after.pausedFrom)) return [{ kind: 'paused', key, until: after.pausedUntil }]
  return [{ kind: 'resumed', key }]
}

const isRunning = ({ status }: Membership) =>
  status === 'active' || status === 'past_due' || status === 'disputed'

function differencesOf(memberId: string, held: Membership, after: Membership): Difference[] {
  const shown: (keyof Membership)[] = ['status', 'currentPeriodEnd', 'endsAt', 'graceUntil', 'pausedUntil']
  return shown.flatMap((field) =>
    isSame(held[field], after[field])
      ? []
      : [{ memberId, field, ours: String(held[field] ?? 'none'), partners: String(after[field] ?? 'none') }],
  )
}

function countOf(memberId: string, field: string, count: number): Difference[] {
  return count > 0 ? [{ memberId, field, ours: 'unknown', partners: String(count) }] : []
}
