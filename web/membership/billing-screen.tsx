import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Billing } from '#contract/membership.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { TestPaymentsMark } from '#web/kit/ui/test-payments-mark.tsx'
import { meOptions } from '#web/members/me.ts'
import { canJoin, useBilling } from './billing.ts'
import { ChangesCard } from './changes-card.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { InvoicesCard } from './invoices-card.tsx'
import { JoinCard } from './join-card.tsx'
import { PaymentMethodCard } from './payment-method-card.tsx'
import { PlanCard } from './plan-card.tsx'

type BillingScreenProps = {
  /** How the payment partner sent the member back. */
  checkout?: 'done' | 'cancelled'
  /** The accepted reviews with their deadlines, for the dialog that pauses. */
  acceptedReviews: ReactNode
}

/** /billing: the member's plan and how it stands, the payment method, invoices and history. */
export function BillingScreen({ checkout, acceptedReviews }: BillingScreenProps) {
  const billing = useBilling()
  return (
    <Page>
      <PageHeader
        title="Billing"
        help={
          billing.data?.payments === 'closed'
            ? 'Your membership and its history.'
            : 'Your membership, how you pay for it, and your invoices.'
        }
        badge={billing.data?.payments === 'test' ? <TestPaymentsMark /> : null}
      />
      {billing.data ? (
        <Parts billing={billing.data} checkout={checkout} acceptedReviews={acceptedReviews} />
      ) : billing.isError ? (
        <Card>
          <ErrorState
            title="Your membership could not be loaded"
            onRetry={() => void billing.refetch()}
            retrying={billing.isFetching}
            error={billing.error}
          >
            Nothing was charged or changed. Try again in a minute.
          </ErrorState>
        </Card>
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function Parts({ billing, checkout, acceptedReviews }: BillingScreenProps & { billing: Billing }) {
  const { payments, source, state, changes } = billing
  // They are not asked to pay for what they may not use.
  const isSuspended = useQuery(meOptions()).data?.suspension != null
  const hasPaid = source === 'stripe' || changes.some(({ kind }) => kind === 'joined')
  const isPaying = payments !== 'closed' && source === 'stripe' && !canJoin(billing)
  if (checkout === 'done' && canJoin(billing)) return <CheckoutReturn />
  return (
    <>
      {checkout === 'done' && state === 'active' ? <CheckoutReturn isActive /> : null}
      {checkout === 'cancelled' && canJoin(billing) ? (
        <Alert tone="info" title="You left before paying" announce>
          Nothing was charged.{isSuspended ? null : ' You can continue below whenever you like.'}
        </Alert>
      ) : null}
      {state === 'none' && payments !== 'closed' ? null : (
        <PlanCard billing={billing} acceptedReviews={acceptedReviews} isSuspended={isSuspended} />
      )}
      {canJoin(billing) && !isSuspended ? <JoinCard billing={billing} /> : null}
      {canJoin(billing) && isSuspended ? (
        <Alert tone="info" title="Joining waits for your suspension to end">
          You can’t pay for a membership until then.
        </Alert>
      ) : null}
      {isPaying ? <PaymentMethodCard billing={billing} /> : null}
      {hasPaid ? <InvoicesCard /> : null}
      {changes.length > 0 ? <ChangesCard changes={changes} /> : null}
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your membership" className="flex flex-col gap-6">
      <Skeleton className="h-56 rounded-12" />
      <Skeleton className="h-24 rounded-12" />
      <Skeleton className="h-48 rounded-12" />
    </Loading>
  )
}
