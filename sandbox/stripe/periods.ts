import type Stripe from 'stripe'

const day = 86_400

/**
 * The first end of a period after `after`, counted from the anchor, in seconds. A month that is too short
 * for the anchor's day ends it on its last day.
 */
export function nextPeriodEnd(
  anchor: number,
  after: number,
  recurring: Stripe.Price.Recurring | null,
): number {
  const count = recurring?.interval_count ?? 1
  for (let periods = 1; ; periods++) {
    const end = endAfter(anchor, periods * count, recurring?.interval ?? 'month')
    if (end > after) return end
  }
}

function endAfter(anchor: number, count: number, interval: string): number {
  if (interval === 'day') return anchor + count * day
  if (interval === 'week') return anchor + count * 7 * day
  const months = interval === 'year' ? count * 12 : count
  const from = new Date(anchor * 1000)
  const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1))
  const lastDay = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  month.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return month.getTime() / 1000 + (anchor % day)
}

/** The part of `amount` that `part` is of `whole`, in whole cents. */
export function shareOf(amount: number, part: number, whole: number): number {
  return Math.round((amount * Math.max(0, part)) / whole)
}
