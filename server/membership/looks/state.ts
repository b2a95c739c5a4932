// What a membership is, from everything that the payment partner says and from what was asked of it and may
// not have happened yet. Nothing here asks or writes anything.
import { graceAgainDays, graceDays, membershipPriceCents, pauseLongestDays } from '#contract/membership.ts'
import type { OrderKind } from '#contract/membership.ts'
import type { NewOrder } from '../orders.ts'
import type { PartnerInvoice, PartnerState, PartnerSubscription } from '../partner.ts'

/** The row of a membership, without its customer. Moments are ISO text. */
export type Membership = {
  status: 'none' | 'active' | 'past_due' | 'refunded' | 'disputed' | 'ended'
  source: 'demo' | 'stripe' | 'grant' | null
  subscriptionId: string | null
  startedAt: string | null
  currentPeriodEnd: string | null
  endsAt: string | null
  graceUntil: string | null
  pausedFrom: string | null
  pausedUntil: string | null
  firstPaidAt: string | null
  renewalCents: number | null
  cardBrand: string | null
  cardLast4: string | null
}

/** Why a live subscription is no membership. Our staff looks at it. */
type Problem = 'foreign' | 'price' | 'unpaid'

export type Facts = {
  partner: PartnerState
  member: { id: string; erasedAt: string | null }
  held: Membership
  /** Those that are open, or were carried out after the look at the partner began; the oldest first. */
  orders: readonly { kind: OrderKind; subscriptionId: string }[]
  priceId: string
  now: string
}

type Outcome = {
  /** Null: the partner has no say in it, such as in a granted membership. */
  membership: Membership | null
  /** What the partner has to be asked for because of what it said. */
  asked: NewOrder[]
  /** Live subscriptions beside the one that counts. */
  seconds: number
  problems: Problem[]
}

/**
 * The one way from the partner's word to a membership. An open order to refund or end wins over a live
 * subscription, one to cancel, keep, pause or resume over the state it will change.
 */
export function membershipOf(facts: Facts): Outcome {
  const { partner, member, held } = facts
  const live = partner.subscriptions.filter((one) => isLive(one) && !isEnding(facts, one))
  const problems = live.flatMap((one) => {
    const problem = problemOf(facts, one)
    // The payment of a new one may be a moment behind.
    return problem && (problem !== 'unpaid' || isPast(addDays(one.createdAt, 1 / 24), facts.now))
      ? problem
      : []
  })
  const good = live.filter((one) => counts(facts, one))
  if (member.erasedAt) {
    // One that we never knew was not in the farewell either: everything paid for it is given back.
    const asked = good.flatMap((one) => {
      const since = one.id === held.subscriptionId ? member.erasedAt : null
      return [endOf(facts, one), ...refundsOf(facts, one, since)]
    })
    return { membership: null, asked, seconds: 0, problems }
  }
  const current = good.find(({ id }) => id === held.subscriptionId) ?? good[0]
  const seconds = good.filter((one) => one !== current)
  const gaveBack = seconds.flatMap((one) => [endOf(facts, one), ...refundsOf(facts, one)])
  const found = current ? running(facts, current) : { membership: past(facts), asked: [] }
  return { ...found, asked: [...gaveBack, ...found.asked], seconds: seconds.length, problems }
}

function isLive({ status }: PartnerSubscription) {
  return status !== 'ended' && status !== 'incomplete'
}

function isEnding({ orders }: Facts, { id }: PartnerSubscription) {
  return orders.some(
    ({ kind, subscriptionId }) => subscriptionId === id && (kind === 'end' || kind === 'refund'),
  )
}

/** Whether the partner's word is enough: the member's own customer, our price, and a payment. */
function problemOf({ partner, member, priceId }: Facts, one: PartnerSubscription): Problem | null {
  if (partner.customer.memberId !== member.id || one.memberId !== member.id) return 'foreign'
  const { price } = one
  const isOurs = price?.id === priceId && price.cents === membershipPriceCents && price.currency === 'usd'
  if (!isOurs || !price.monthly) return 'price'
  const invoices = invoicesOf(partner, one)
  return invoices.some(({ status, currency }) => status === 'paid' && currency === 'usd') ? null : 'unpaid'
}

/** What has counted stays: the price of the club may change while a member keeps theirs. */
function counts(facts: Facts, one: PartnerSubscription) {
  const problem = problemOf(facts, one)
  const { source, subscriptionId } = facts.held
  return problem === null || (problem === 'price' && source === 'stripe' && subscriptionId === one.id)
}

function running(facts: Facts, current: PartnerSubscription): Pick<Outcome, 'membership' | 'asked'> {
  const { partner, held, now } = facts
  const pause = pauseOf(facts, current)
  const late = lateSince(facts, current, pause.pausedUntil)
  const unpaidUntil = late && addDays(late, graceDays)
  const dispute = disputeOn(partner, current)
  const end = endOf(facts, current)
  const leftAt = leftBefore(facts, current)
  const isOver = leftAt !== null || (unpaidUntil !== null && isPast(unpaidUntil, now))
  const status = dispute
    ? 'disputed'
    : isGivenBack(partner, current)
      ? 'refunded'
      : isOver
        ? 'ended'
        : late
          ? 'past_due'
          : 'active'
  const endsAt = endsAtOf(facts, current)
  const asked: NewOrder[] = []
  if (isGivenBack(partner, current) || status === 'ended' || dispute === 'lost') asked.push(end)
  if (leftAt) asked.push(...refundsOf(facts, current, leftAt))
  // Nothing more is charged while a bank holds a payment.
  else if (dispute === 'open' && !endsAt) asked.push({ ...end, kind: 'cancel' })
  else if (late && current.status === 'paused' && !hasOpenInvoice(partner, current))
    asked.push({ ...end, kind: 'resume' })
  const isSame = held.source === 'stripe' && held.subscriptionId === current.id
  const membership: Membership = {
    ...pause,
    status,
    source: 'stripe',
    subscriptionId: current.id,
    startedAt: (isSame && held.startedAt) || current.createdAt,
    currentPeriodEnd: periodEndOf(facts, current, { late, pausedUntil: pause.pausedUntil }),
    endsAt: status === 'ended' || status === 'refunded' ? null : endsAt,
    graceUntil: status === 'past_due' ? (leftUnpaid(partner, current, late) ? late : unpaidUntil) : null,
    firstPaidAt: firstPaidAt(partner),
    renewalCents: current.price?.cents ?? null,
    cardBrand: partner.card?.brand ?? null,
    cardLast4: partner.card?.last4 ?? null,
  }
  return { membership, asked }
}

/**
 * The membership of a member none of whose subscriptions is live. Days that a canceled pause left were paid
 * for: they end when their payment is given back or disputed. What staff granted is none of the partner's
 * business.
 */
function past(facts: Facts): Membership | null {
  const { partner, held, member, orders } = facts
  const own = partner.subscriptions.filter(
    (one) => one.memberId === member.id && (one.status === 'ended' || isEnding(facts, one)),
  )
  const last = own.find(({ id }) => id === held.subscriptionId) ?? own.at(-1)
  if (!last || held.source === 'demo') return null
  if (held.source === 'grant' && !isLeftOf(facts, last)) return null
  // One that was never paid began nothing.
  const paid = invoicesOf(partner, last).some(({ status }) => status === 'paid')
  if (!paid) return null
  const isRefunding = orders.some(
    ({ kind, subscriptionId }) => kind === 'refund' && subscriptionId === last.id,
  )
  const isRefunded = isRefunding || isGivenBack(partner, last)
  const isDisputed = disputeOn(partner, last) !== null
  if (held.source === 'grant' && !isRefunded && !isDisputed) return null
  return {
    ...held,
    status: isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'ended',
    source: 'stripe',
    subscriptionId: last.id,
    startedAt: held.startedAt ?? last.createdAt,
    currentPeriodEnd: last.endedAt ?? held.currentPeriodEnd ?? last.periodEnd,
    endsAt: null,
    graceUntil: null,
    firstPaidAt: firstPaidAt(partner),
  }
}

/** Whether the granted days are those that this subscription left. Staff grant days after it has ended. */
function isLeftOf({ held, now }: Facts, one: PartnerSubscription) {
  return (
    held.subscriptionId === one.id && held.startedAt !== null && isPast(held.startedAt, one.endedAt ?? now)
  )
}

/**
 * What a dispute means for this subscription: one that was lost about a payment for it, or one that is open
 * about any payment of the member. A won one is over.
 */
function disputeOn(partner: PartnerState, one: PartnerSubscription): 'open' | 'lost' | null {
  const payments = new Set(invoicesOf(partner, one).map(({ payment }) => payment?.id))
  if (partner.disputes.some(({ standing, paymentId }) => standing === 'lost' && payments.has(paymentId)))
    return 'lost'
  return partner.disputes.some(({ standing }) => standing === 'open') ? 'open' : null
}

/** Whether the payment for the present period was given back in full. */
function isGivenBack(partner: PartnerState, one: PartnerSubscription) {
  const paid = invoicesOf(partner, one).findLast(({ status, payment }) => status === 'paid' && payment)
  return paid !== undefined && paid.totalCents > 0 && (paid.payment?.refundedCents ?? 0) >= paid.totalCents
}

/** Our pause, if one was asked for; else the one that the partner knows; none that the partner has ended. */
function pauseOf(facts: Facts, one: PartnerSubscription): Pick<Membership, 'pausedFrom' | 'pausedUntil'> {
  const { held, now } = facts
  const { pausedFrom, pausedUntil } = held
  const ours = { pausedFrom, pausedUntil }
  if (lastOrder(facts, one, ['pause', 'resume'])) return ours
  if (one.status !== 'paused') {
    if (!pausedFrom || !pausedUntil || isPast(pausedUntil, now)) return ours
    return isPast(pausedFrom, now)
      ? { pausedFrom, pausedUntil: now }
      : { pausedFrom: null, pausedUntil: null }
  }
  // Once it was to be resumed it is no pause any more, whatever became of the payment.
  if (resumption(facts, one)) return { pausedFrom: null, pausedUntil: null }
  const pausedAt = one.pausedAt ?? now
  // Seconds at the partner, microseconds here: a pause that it carried out began here a little earlier.
  if (pausedFrom && pausedUntil && !isPast(pausedUntil, pausedAt)) return ours
  return { pausedFrom: pausedAt, pausedUntil: addDays(pausedAt, pauseLongestDays) }
}

/**
 * When the member had left, if their cancellation was carried out only in a period that began afterwards;
 * else null. What was charged for that period is given back.
 */
function leftBefore(facts: Facts, one: PartnerSubscription): string | null {
  const { source, subscriptionId, endsAt } = facts.held
  if (source !== 'stripe' || subscriptionId !== one.id || endsAt === null) return null
  const asked = lastOrder(facts, one, ['cancel', 'keep'])
  const isCanceled = asked ? asked === 'cancel' : one.endsAt !== null
  return isCanceled && isPast(endsAt, one.periodStart) ? endsAt : null
}

/** The first payment that was to end a pause at the partner and was not made. Later ones prolong nothing. */
function resumption({ partner }: Facts, one: PartnerSubscription): PartnerInvoice | undefined {
  const { pausedAt } = one
  return invoicesOf(partner, one).find(
    ({ status, madeAt }) => status !== 'paid' && pausedAt && isPast(pausedAt, madeAt),
  )
}

/** Since when a payment is missing; null when none is. */
function lateSince(facts: Facts, one: PartnerSubscription, pausedUntil: string | null): string | null {
  const { partner, now } = facts
  const failed = invoicesOf(partner, one).findLast(
    ({ status, failedAt }) => failedAt && (status === 'open' || status === 'uncollectible'),
  )
  if (one.status === 'past_due' || one.status === 'unpaid') return failed?.failedAt ?? one.periodStart
  if (one.status !== 'paused' || lastOrder(facts, one, ['pause', 'resume'])) return null
  const unpaid = resumption(facts, one)
  if (unpaid) return unpaid.failedAt ?? unpaid.madeAt
  // Its pause is over, but it was not resumed. Our own job does that within minutes.
  return pausedUntil && isPast(addDays(pausedUntil, 1 / 24), now) ? pausedUntil : null
}

/**
 * Whether an earlier membership ended without a payment that was missing shortly before `late`. Its days
 * after the failed payment were free: who could let each month end so would never pay for them.
 */
function leftUnpaid({ invoices }: PartnerState, current: PartnerSubscription, late: string | null): boolean {
  if (late === null) return false
  const paidFor = new Set(
    invoices.flatMap(({ status, subscriptionId }) => (status === 'paid' ? [subscriptionId] : [])),
  )
  return invoices.some(
    ({ status, subscriptionId, failedAt }) =>
      status !== 'paid' &&
      failedAt !== null &&
      subscriptionId !== current.id &&
      // A first payment that failed began no membership.
      paidFor.has(subscriptionId) &&
      isPast(failedAt, late) &&
      !isPast(addDays(failedAt, graceAgainDays), late),
  )
}

function endsAtOf(facts: Facts, one: PartnerSubscription): string | null {
  const asked = lastOrder(facts, one, ['cancel', 'keep'])
  if (!asked) return one.endsAt
  return asked === 'cancel' ? (facts.held.endsAt ?? one.periodEnd) : null
}

function lastOrder({ orders }: Facts, { id }: PartnerSubscription, kinds: readonly OrderKind[]) {
  return orders.findLast(({ kind, subscriptionId }) => subscriptionId === id && kinds.includes(kind))?.kind
}

function endOf({ member }: Facts, { id }: PartnerSubscription): NewOrder {
  return { memberId: member.id, kind: 'end', subscriptionId: id }
}

/** Every payment for a subscription since a moment, which is given back whole. */
function refundsOf({ partner, member }: Facts, one: PartnerSubscription, since?: string | null): NewOrder[] {
  return invoicesOf(partner, one).flatMap(({ status, paidAt, totalCents, payment }) => {
    const isKept = status === 'paid' && payment && payment.refundedCents < totalCents
    // The partner counts in whole seconds: what was paid within the same one was paid after it.
    if (!isKept || (since && paidAt && isPast(addDays(paidAt, 1 / 86_400), since))) return []
    return [{ memberId: member.id, kind: 'refund', subscriptionId: one.id, paymentId: payment.id }]
  })
}

function invoicesOf({ invoices }: PartnerState, { id }: PartnerSubscription): PartnerInvoice[] {
  return invoices.filter(({ subscriptionId }) => subscriptionId === id)
}

function hasOpenInvoice(partner: PartnerState, one: PartnerSubscription) {
  return invoicesOf(partner, one).some(({ status }) => status === 'open')
}

type Standing = { late: string | null; pausedUntil: string | null }

/** The end of what is paid. A pause moves it: the payment that resumes is the next. */
function periodEndOf({ partner, now }: Facts, one: PartnerSubscription, { late, pausedUntil }: Standing) {
  if (late) return paidUntil(partner, one)
  const isPaused = pausedUntil !== null && (one.status === 'paused' || !isPast(pausedUntil, now))
  return isPaused ? pausedUntil : one.periodEnd
}

function paidUntil(partner: PartnerState, one: PartnerSubscription): string {
  const paid = invoicesOf(partner, one).filter(({ status }) => status === 'paid')
  return (
    paid
      .map(({ periodEnd }) => periodEnd)
      .toSorted(byTime)
      .at(-1) ?? one.periodStart
  )
}

function firstPaidAt({ invoices }: PartnerState): string | null {
  const paid = invoices.flatMap(({ paidAt, payment }) => (paidAt && payment ? [paidAt] : []))
  return paid.toSorted(byTime)[0] ?? null
}

const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b)
const isPast = (at: string, now: string) => Date.parse(at) <= Date.parse(now)
const addDays = (at: string, days: number) => new Date(Date.parse(at) + days * 86_400_000).toISOString()
