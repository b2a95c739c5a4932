import { Check } from 'lucide-react'
import { liveProductsLimit } from '#contract/products.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { isOn, truthOf } from './claims.ts'
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
    text: `Reports decided by a person within ${fact('moderationTime')}, based on the rules, never on the opinion`,
    needs: 'moderation',
  },
  { text: `Pause for up to ${fact('pauseLongest')} and keep your place in the queue`, needs: 'billing' },
  { text: 'Your files stay on the marketplace' },
]

type PriceCardProps = { signedIn: boolean; demo: boolean; level?: 2 | 3 }

/** The one plan: its price, what it includes, and what happens after you pay. */
export function PriceCard({ signedIn, demo, level = 3 }: PriceCardProps) {
  const Heading = `h${level}` as const
  return (
    <div className="overflow-hidden rounded-16 border border-line bg-surface">
      <div className="p-6 sm:p-8">
        <Heading className="text-16 font-semibold text-ink">Membership</Heading>
        <p className="mt-4 flex items-baseline gap-2">
          <span className="tabular text-48 font-semibold text-ink">{fact('price')}</span>
          <span className="text-16 text-ink-2">per month</span>
        </p>
        <p className="mt-1 text-14 text-ink-2">One plan. No tiers, credits or upsells.</p>
        {signedIn ? (
          <LinkButton href={paths.dashboard()} variant="primary" size="lg" wide className="mt-6">
            Go to your dashboard
          </LinkButton>
        ) : (
          <LinkButton href={paths.signUp()} variant="primary" size="lg" wide className="mt-6">
            Join the club
          </LinkButton>
        )}
        {demo ? (
          <p className="mt-3 rounded-8 bg-info-soft px-3 py-2 text-13 text-info-ink">
            Demo club: we charge nothing. Your membership starts when you confirm your email.
          </p>
        ) : null}
        <p className="mt-4 text-13 text-pretty text-ink-2">
          Creating an account is free. {afterJoining(demo)} <TextLink href={paths.terms()}>Terms</TextLink>
        </p>
      </div>
      <ul className="space-y-3 border-t border-line bg-canvas p-6 text-14 text-ink-2 sm:p-8">
        {truthOf(included).map((each) => (
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

function afterJoining(demo: boolean) {
  if (isOn('billing'))
    return (
      'Membership renews every month, and you can cancel anytime. You get your first payment back if you ask ' +
      `within ${fact('refundTime')}.`
    )
  return demo ? '' : 'This club doesn’t take payments yet, so no one is charged.'
}
