import { useState } from 'react'
import { joinTermsVersion, membershipPriceCents, refundDays } from '#contract/membership.ts'
import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { formatMoney } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { TestPaymentNote } from '#web/kit/ui/test-payments-mark.tsx'
import { paths } from '#web/paths.ts'
import { useRefetchBilling } from './billing.ts'
import { usePartnerPage } from './partner-page.ts'

const conditions = [
  { name: 'Renewal', text: 'Every month until you cancel.' },
  { name: 'Taxes', text: 'If the law requires any, they’re shown before you pay.' },
  { name: 'Canceling', text: 'At any time, here. It then runs to the end of the month you’ve paid for.' },
]

/** The first payment of a person is refunded once. */
function refundOf(state: Billing['state']): string {
  return state === 'refunded'
    ? 'Once per person, and you’ve had yours.'
    : `In full within ${refundDays} days of your first payment, with one click, once per person.`
}

/** What membership costs and how to leave it, the consent, and the button to pay. */
export function JoinCard({ billing: { payments, state, checkoutOpen } }: { billing: Billing }) {
  const [isAgreed, setAgreed] = useState(false)
  const refetch = useRefetchBilling()
  const page = usePartnerPage(async () => {
    try {
      return await client.membership.openCheckout({ terms: joinTermsVersion })
    } catch (error) {
      if (refusalCode(error) === 'ALREADY_MEMBER') void refetch()
      throw error
    }
  })
  return (
    <Card>
      <h2 className="text-16 font-semibold text-ink">Join the club</h2>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="tabular text-36 font-semibold text-ink">{formatMoney(membershipPriceCents)}</span>
        <span className="text-16 text-ink-2">a month</span>
      </p>
      <dl className="mt-4 border-t border-line">
        {[...conditions, { name: 'Refund', text: refundOf(state) }].map(({ name, text }) => (
          <div
            key={name}
            className="grid gap-x-6 gap-y-0.5 border-b border-line py-2.5 text-14 sm:grid-cols-[7rem_1fr]"
          >
            <dt className="font-medium text-ink">{name}</dt>
            <dd className="text-pretty text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
      {payments === 'test' ? <TestPaymentNote className="mt-4" /> : null}
      <div className="mt-4">
        <Checkbox
          checked={isAgreed}
          onCheckedChange={setAgreed}
          label={
            <>
              I agree to the{' '}
              <TextLink href={paths.terms()} external>
                terms
              </TextLink>
              , and to {formatMoney(membershipPriceCents)} a month until I cancel.
            </>
          }
        />
      </div>
      {page.error ? (
        <Alert
          tone="danger"
          className="mt-4"
          action={
            refusalCode(page.failure) === 'TERMS_CHANGED' ? (
              <Button size="sm" onClick={() => location.reload()}>
                Reload the page
              </Button>
            ) : null
          }
        >
          {page.error}
        </Alert>
      ) : null}
      <Button
        variant="primary"
        size="lg"
        className="mt-4 max-sm:w-full"
        busy={page.busy}
        busyLabel="Opening the payment page..."
        disabledReason={isAgreed ? null : 'Tick the box above to continue.'}
        onClick={() => void page.open()}
      >
        {checkoutOpen ? 'Resume payment' : 'Continue to payment'}
      </Button>
      <p className="mt-3 text-13 text-pretty text-ink-3">
        You pay on a page of our payment partner, Stripe. Your card number never reaches us.
      </p>
    </Card>
  )
}
