import { CreditCard } from 'lucide-react'
import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { usePartnerPage } from './partner-page.ts'

/** The card that pays, and the way to change it on the payment partner's page. */
export function PaymentMethodCard({ billing: { card, state } }: { billing: Billing }) {
  const page = usePartnerPage(() => client.membership.openPortal())
  return (
    <Card
      title="Payment method"
      action={
        <Button
          variant={state === 'past_due' ? 'primary' : 'secondary'}
          busy={page.busy}
          busyLabel="Opening..."
          onClick={() => void page.open()}
        >
          {card ? 'Change card' : 'Add a card'}
        </Button>
      }
    >
      <p className="flex items-center gap-3 text-14 text-ink">
        <CreditCard size={18} aria-hidden="true" className="shrink-0 text-ink-3" />
        {card ? (
          <span>
            {brandOf(card.brand)} <span aria-hidden="true">••••</span>{' '}
            <span className="sr-only">ending in</span> <span className="tabular">{card.last4}</span>
          </span>
        ) : (
          <span className="text-ink-2">We have no card on file here. Our payment partner stores it.</span>
        )}
      </p>
      {page.error ? (
        <Alert tone="danger" className="mt-4">
          {page.error}
        </Alert>
      ) : null}
    </Card>
  )
}

/** 'Visa' for 'visa'; names without a spelling of their own get a capital. */
function brandOf(brand: string): string {
  return brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}

const brands: Record<string, string> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  jcb: 'JCB',
  diners: 'Diners Club',
}
