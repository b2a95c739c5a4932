import { Check } from 'lucide-react'
import type { PageGiven } from '#contract/pages.ts'
import { liveProductsLimit } from '#contract/products.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { TestPaymentNote } from '#web/kit/ui/test-payments-mark.tsx'
import { paths } from '#web/paths.ts'
import { closedText, truthOf } from './claims.ts'
import type { Claim } from './claims.ts'
import { fact } from './fact.ts'

/** Everything that membership includes. */
const included: Claim[] = [
  { text: `One review received for each one you give, and ${fact('creditLine')} in advance` },
  { text: `Unlimited products, with up to ${liveProductsLimit} in the rotation at a time` },
  { text: 'A random draw with published rules, each one on record' },
  { text: 'Verified purchases only, with proof of purchase before it counts' },
  { text: 'A place to write, with deadlines, checks and the disclosure' },
  { text: 'A ledger that keeps every member even' },
  {
    text:
      `Reports decided by a person within ${fact('moderationTime')}, ` +
      'based on the rules, never on the opinion',
  },
  { text: `Pause for up to ${fact('pauseLongest')} and keep your place in the queue`, needs: 'payments' },
  { text: 'Your files stay on the marketplace' },
]

type PriceCardProps = Pick<PageGiven, 'signedIn' | 'demo' | 'payments'> & { level?: 2 | 3 }

/** The one plan: its price, what it includes, and what happens after you pay. */
export function PriceCard({ level = 3, ...given }: PriceCardProps) {
  const Heading = `h${level}` as const
  return (
    <div className="overflow-hidden rounded-16 border border-line bg-surface">
      <div className="p-6 sm:p-8">
        <Heading className="text-16 font-semibold text-ink">Membership</Heading>
        {given.payments === 'closed' ? <Closed {...given} /> : <Open {...given} />}
      </div>
      <ul className="space-y-3 border-t border-line bg-canvas p-6 text-14 text-ink-2 sm:p-8">
        {truthOf(included, given.payments).map((each) => (
          <li key={each} className="flex gap-3">
            <Check
              size={16}
              strokeWidth={2.5}
              aria-hidden="true"
              className="mt-0.5 shrink-0 text-accent-ink"
            />
            <span className="text-pretty">{each}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Given = Omit<PriceCardProps, 'level'>

function Open({ signedIn, payments }: Given) {
  return (
    <>
      <p className="mt-4 flex items-baseline gap-2">
        <span className="tabular text-48 font-semibold text-ink">{fact('price')}</span>
        <span className="text-16 text-ink-2">per month</span>
      </p>
      <p className="mt-1 text-14 text-ink-2">One plan. No tiers, credits or upsells.</p>
      <LinkButton
        href={signedIn ? paths.billing() : paths.signUp()}
        variant="primary"
        size="lg"
        wide
        className="mt-6"
      >
        {signedIn ? 'Go to your membership' : 'Join the club'}
      </LinkButton>
      {payments === 'test' ? <TestPaymentNote className="mt-3" /> : null}
      <p className="mt-4 text-13 text-pretty text-ink-2">
        Creating an account is free. Membership renews every month, and you can cancel anytime. You get your
        first payment back if you ask within {fact('refundTime')}.{' '}
        <TextLink href={paths.terms()}>Terms</TextLink>
      </p>
    </>
  )
}

function Closed({ signedIn, demo }: Given) {
  return (
    <>
      <p className="mt-4 text-22 font-semibold text-balance text-ink">{closedText}</p>
      <p className="mt-1 text-14 text-ink-2">
        {demo
          ? 'This is a demo club: your membership starts when you confirm your email, and no one is charged.'
          : 'Creating an account is free. Until it opens, our staff grants memberships.'}
      </p>
      <LinkButton
        href={signedIn ? paths.dashboard() : paths.signUp()}
        variant="primary"
        size="lg"
        wide
        className="mt-6"
      >
        {signedIn ? 'Go to your dashboard' : 'Create a free account'}
      </LinkButton>
      <p className="mt-4 text-13 text-ink-2">
        <TextLink href={paths.terms()}>Terms</TextLink>
      </p>
    </>
  )
}
