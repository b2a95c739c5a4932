import { membershipPriceCents } from '#contract/membership.ts'
import type { Me } from '#contract/members.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/**
 * The notice on every page for a member whose membership does not simply run: what that means, until when,
 * and what to do.
 */
export function MembershipNotice({ me }: { me: Me }) {
  const { tone, title, text, action } = describe(me)
  return (
    <div className="mx-auto w-full max-w-[calc(var(--content-width)+4rem)] px-4 pt-6 sm:px-8">
      <Alert
        tone={tone}
        announce={false}
        title={title}
        action={
          <LinkButton size="sm" variant={action.isMain ? 'primary' : 'secondary'} href={action.href}>
            {action.label}
          </LinkButton>
        }
      >
        {text}
      </Alert>
    </div>
  )
}

type Notice = {
  tone: 'info' | 'warning' | 'danger'
  title: string
  text: string
  /** `isMain`: nothing works before it. */
  action: { label: string; href: string; isMain?: boolean }
}

function describe({ membership, payments, serverTime }: Me): Notice {
  const { state, graceUntil, pausedUntil, endsAt } = membership
  const toBilling = (label: string) => ({ label, href: paths.billing() })
  switch (state) {
    case 'past_due':
      return {
        tone: 'danger',
        title: 'Your last payment failed',
        text:
          graceUntil !== null && graceUntil > serverTime
            ? `You take part until ${formatDateTime(graceUntil)}. Change your card before then to stay.`
            : 'You get no offers and can’t ask for reviews until a payment succeeds.',
        action: toBilling('Change card'),
      }
    case 'paused':
      return {
        tone: 'info',
        title: 'Your membership is paused',
        text: pausedUntil
          ? `You get no offers. It resumes automatically on ${formatDateTime(pausedUntil)}.`
          : 'You get no offers.',
        action: toBilling('Resume now'),
      }
    case 'cancelled':
      return {
        tone: 'info',
        title: endsAt ? `Your membership ends on ${formatDateTime(endsAt)}` : 'Your membership is canceled',
        text: 'Until then, everything works as before.',
        action: toBilling('Keep membership'),
      }
    case 'disputed':
      return {
        tone: 'danger',
        title: 'Your membership is on hold',
        text: 'Your bank disputes a payment. You don’t take part until that is settled.',
        action: { label: 'Contact Support', href: paths.support() },
      }
    case 'none':
    case 'ended':
    case 'refunded':
    case 'active':
      return {
        tone: 'info',
        title: state === 'none' ? 'You’re not a member yet' : 'Your membership has ended',
        text:
          payments === 'closed'
            ? 'Paid membership is not open yet. Until it is, our staff grants memberships.'
            : 'Members ask for reviews and get offers. You can look around and connect your products first.',
        action:
          payments === 'closed'
            ? { label: 'Ask our staff', href: paths.support() }
            : { ...toBilling(`Join for ${formatMoney(membershipPriceCents)} a month`), isMain: true },
      }
  }
}
