// How a membership stands, in words: a label and one sentence about what it means now.
import type { Billing, ChangeKind, MembershipState, OrderKind } from '#contract/membership.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'

export const stateLabels: Record<MembershipState, { label: string; tone: BadgeTone }> = {
  none: { label: 'No membership', tone: 'neutral' },
  active: { label: 'Active', tone: 'success' },
  past_due: { label: 'Payment failed', tone: 'danger' },
  paused: { label: 'Paused', tone: 'warning' },
  cancelled: { label: 'Canceled', tone: 'warning' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  ended: { label: 'Ended', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'danger' },
}

/** `now` is the server's time. Someone who is suspended is not asked to join. */
type Viewed = { now: number; isSuspended: boolean }

/** What the state means for the member now, in one sentence. */
export function describeState(billing: Billing, { now, isSuspended }: Viewed): string {
  const { state, payments, graceUntil, endsAt, pause } = billing
  switch (state) {
    case 'none':
      if (payments === 'closed') return closedText
      return isSuspended ? outsideText : 'Join to ask for reviews and get offers.'
    case 'active':
      return describeActive(billing)
    case 'past_due':
      if (graceUntil === null || Date.parse(graceUntil) <= now)
        return (
          'You get no offers and can’t ask for reviews until a payment succeeds. ' +
          'Change your card to come back.'
        )
      return isSuspended
        ? `Change your card before ${formatDateTime(graceUntil)} to stay a member.`
        : `You take part until ${formatDateTime(graceUntil)}. Change your card before then to stay.`
    case 'paused':
      return (
        'You get no offers. Reviews you’ve accepted keep their deadlines. ' +
        `It resumes automatically${pause ? ` on ${formatDateTime(pause.until)}` : ''}.`
      )
    case 'cancelled':
      return endsAt === null
        ? 'It runs to the end of the time you’ve paid for.'
        : `It runs until ${formatDateTime(endsAt)}.` +
            (isSuspended ? '' : ' Until then, everything works as before.')
    case 'refunded':
      return 'You got your first payment back, and your membership ended.'
    case 'ended':
      return payments === 'closed'
        ? `Your membership has ended. ${closedText}`
        : `${outsideText}${isSuspended ? '' : ' You can join again at any time.'}`
    case 'disputed':
      return (
        'Your bank disputes a payment, so you don’t take part until that is settled. Write to us if you ' +
        'didn’t ask for it.'
      )
  }
}

const outsideText = 'You get no offers and can’t ask for reviews.'
const closedText = 'Paid membership is not open yet. Until it is, our staff grants memberships.'

function describeActive({ source, paidUntil, nextCharge, payments }: Billing): string {
  const until = paidUntil === null ? '' : formatDateTime(paidUntil)
  switch (source) {
    case 'demo':
      return until ? `It costs nothing in this demo club and renews automatically on ${until}.` : demoText
    case 'grant':
      return payments === 'closed'
        ? `${until ? `It runs until ${until}.` : 'Our staff granted it to you.'} ` +
            'Paid membership is not open yet.'
        : until
          ? `It runs until ${until} and then ends.`
          : 'Our staff granted it to you.'
    case 'stripe':
    case null:
      if (nextCharge === null) return until ? `It runs until ${until}.` : 'Everything is in order.'
      return `It renews on ${formatDateTime(nextCharge.at)} for ${formatMoney(nextCharge.cents)}.`
  }
}

const demoText = 'It costs nothing in this demo club and renews automatically.'

/** What was asked of the payment partner and is being confirmed. It counts already. */
export const pendingTexts: Record<OrderKind, string> = {
  cancel: 'We’re confirming your cancellation. It already applies.',
  keep: 'We’re confirming that you’re staying. It already applies.',
  pause: 'We’re confirming your pause. It already applies.',
  resume: 'We’re confirming the end of your pause. It already applies.',
  refund: 'We’re confirming your refund. It already applies.',
  end: 'We’re confirming the end of your membership. It already applies.',
}

export const changeLabels: Record<
  ChangeKind,
  { label: string; tone: 'success' | 'warning' | 'danger' | 'neutral' }
> = {
  granted: { label: 'Membership granted by our staff', tone: 'success' },
  joined: { label: 'You joined', tone: 'success' },
  renewed: { label: 'Membership renewed', tone: 'success' },
  payment_failed: { label: 'A payment failed', tone: 'danger' },
  recovered: { label: 'The payment succeeded after all', tone: 'success' },
  cancelled: { label: 'You canceled', tone: 'warning' },
  kept: { label: 'You took your cancellation back', tone: 'success' },
  paused: { label: 'You paused', tone: 'warning' },
  resumed: { label: 'Your membership resumed', tone: 'success' },
  refunded: { label: 'Your first payment was refunded', tone: 'neutral' },
  disputed: { label: 'Your bank disputed a payment', tone: 'danger' },
  dispute_won: { label: 'The dispute was settled', tone: 'success' },
  ended: { label: 'Membership ended', tone: 'neutral' },
}
