import { useState } from 'react'
import type { ReactNode } from 'react'
import { membershipPriceCents } from '#contract/membership.ts'
import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { formatDate, formatDateTime, formatMoney, useServerNow, zoneName } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { canJoin } from './billing.ts'
import { ActionButton } from './action-button.tsx'
import { PauseDialog } from './pause-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { describeState, pendingTexts, stateLabels } from './state-labels.ts'

type PlanCardProps = { billing: Billing; acceptedReviews: ReactNode; isSuspended: boolean }

/** The plan, how it stands, and the actions of the member. */
export function PlanCard({ billing, acceptedReviews, isSuspended }: PlanCardProps) {
  const now = useServerNow(billing.graceUntil !== null)
  const { state, payments, source, pending } = billing
  const { label, tone } = stateLabels[state]
  const isPaid = payments !== 'closed' && source === 'stripe'
  const facts = factsOf(billing)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-16 font-semibold text-ink">Membership</h2>
        <Badge tone={tone} dot>
          {label}
        </Badge>
        {isPaid && !canJoin(billing) ? (
          <span className="tabular ml-auto text-14 text-ink-2">
            {formatMoney(membershipPriceCents)} a month
          </span>
        ) : null}
      </div>
      <div aria-live="polite">
        <p className="mt-2 max-w-reading text-14 text-pretty text-ink-2">
          {describeState(billing, { now, isSuspended })}
        </p>
        {pending ? <p className="mt-1 text-13 text-pretty text-ink-3">{pendingTexts[pending]}</p> : null}
      </div>
      {facts.length > 0 ? (
        <dl className="mt-4 border-t border-line">
          {facts.map(({ name, value }) => (
            <div
              key={name}
              className="grid gap-x-6 gap-y-0.5 border-b border-line py-2.5 text-14 sm:grid-cols-[9rem_1fr]"
            >
              <dt className="font-medium text-ink">{name}</dt>
              <dd className="tabular text-ink-2">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {state === 'disputed' ? (
        <LinkButton href={paths.support()} className="mt-4">
          Contact Support
        </LinkButton>
      ) : isPaid ? (
        <Actions billing={billing} acceptedReviews={acceptedReviews} />
      ) : null}
    </Card>
  )
}

function factsOf({ since, paidUntil, nextCharge, source, state }: Billing) {
  const isOver = state === 'none' || state === 'ended' || state === 'refunded'
  return [
    since === null || isOver ? null : { name: 'Member since', value: formatDate(since) },
    nextCharge === null
      ? null
      : {
          name: 'Next charge',
          value: `${formatMoney(nextCharge.cents)} on ${formatDateTime(nextCharge.at)} (${zoneName()})`,
        },
    paidUntil === null || (state !== 'active' && state !== 'cancelled')
      ? null
      : { name: source === 'stripe' ? 'Paid until' : 'Runs until', value: formatDateTime(paidUntil) },
  ].filter((fact) => fact !== null)
}

/** Cancel, pause and refund, or what takes them back. */
function Actions({ billing, acceptedReviews }: Omit<PlanCardProps, 'isSuspended'>) {
  const [open, setOpen] = useState<'cancel' | 'pause' | 'refund' | null>(null)
  const { state, refund, pauseAgainAt } = billing
  const onOpenChange = (isOpen: boolean) => setOpen((was) => (isOpen ? was : null))
  const isRunning = state === 'active' || state === 'past_due' || state === 'paused'
  if (!isRunning && state !== 'cancelled' && refund === null) return null
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {state === 'cancelled' ? (
        <ActionButton
          variant="primary"
          done="You keep your membership"
          run={client.membership.keepMembership}
        >
          Keep membership
        </ActionButton>
      ) : null}
      {state === 'paused' ? (
        <ActionButton
          variant="primary"
          done="Your membership runs again"
          run={client.membership.resumeMembership}
        >
          Resume now
        </ActionButton>
      ) : null}
      {state === 'active' || state === 'past_due' ? (
        <Button
          disabledReason={
            state === 'past_due'
              ? 'You can pause once the open payment has succeeded.'
              : pauseAgainAt
                ? `You can pause again on ${formatDateTime(pauseAgainAt)}.`
                : null
          }
          onClick={() => setOpen('pause')}
        >
          Pause…
        </Button>
      ) : null}
      {isRunning ? <Button onClick={() => setOpen('cancel')}>Cancel membership…</Button> : null}
      {refund ? (
        <Button onClick={() => setOpen('refund')}>Get {formatMoney(refund.cents)} back…</Button>
      ) : null}
      <CancelDialog open={open === 'cancel'} onOpenChange={onOpenChange} billing={billing} />
      <PauseDialog
        open={open === 'pause'}
        onOpenChange={onOpenChange}
        billing={billing}
        acceptedReviews={acceptedReviews}
      />
      {refund ? <RefundDialog open={open === 'refund'} onOpenChange={onOpenChange} refund={refund} /> : null}
    </div>
  )
}
