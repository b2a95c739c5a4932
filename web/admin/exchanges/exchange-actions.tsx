import { useState } from 'react'
import { hours } from '#contract/format.ts'
import { purchaseHours } from '#contract/matching-rules.ts'
import type { Exchange, ExchangeProof, OpenReviewStatus } from '#contract/staff/exchanges.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { ActionDialog } from '../action-dialog.tsx'
import type { Action } from '../action-dialog.tsx'
import { staffClient } from '../api.ts'

const extensions = [24, 48, 72, 168].map((hours) => ({
  value: String(hours),
  label: hours === 168 ? '7 days' : `${hours} hours`,
}))

const readBySeller = 'The seller reads it. Never name the other side.'
const readByReviewer = 'The reviewer reads it. Never name the other side.'
const readByBoth = 'Both sides read it. Never name one to the other.'
const readByStaff = 'Kept in the record of staff actions.'

/** What staff may do in the present state of an exchange. */
export function ExchangeActions({ exchange }: { exchange: Exchange }) {
  const [open, setOpen] = useState<'cancel' | 'withdraw' | 'extend' | 'verify' | 'end' | null>(null)
  const [hours, setHours] = useState('24')
  const { id, status, review } = exchange
  const underReport = review?.underReport === true
  const isWaiting = status === 'queued' || status === 'held' || status === 'offered'
  const openStatus = openStatusOf(exchange)
  if (underReport) {
    return (
      <Alert tone="info" title="A report about this review is open">
        It’s decided in its case, so nothing can be changed here.
      </Alert>
    )
  }
  if (!isWaiting && !openStatus) {
    return (
      <p className="text-14 text-ink-2">
        This exchange is over. Its ledger entries can be corrected on the pages of its members.
      </p>
    )
  }
  const actions: Record<NonNullable<typeof open>, Action> = {
    cancel: {
      title: 'Cancel this request?',
      description: 'An open offer is withdrawn without penalty. The seller can ask again.',
      help: readBySeller,
      confirm: 'Cancel the request',
      tone: 'danger',
      done: 'Request canceled',
      run: (reason, context) => staffClient.exchanges.cancelRequestAsStaff({ id, reason }, { context }),
    },
    withdraw: {
      title: 'Withdraw this offer?',
      description: 'Without penalty. The request returns to its place, and the next draw may choose anyone.',
      help: readByStaff,
      confirm: 'Withdraw the offer',
      tone: 'danger',
      done: 'Offer withdrawn',
      run: (reason, context) => staffClient.exchanges.withdrawOfferAsStaff({ id, reason }, { context }),
    },
    extend: {
      title: 'Extend the deadline?',
      description:
        openStatus === 'reviewed'
          ? 'The seller gets more time to confirm.'
          : 'The reviewer gets more time, from the deadline or from now once it has passed.',
      help: readByStaff,
      confirm: 'Extend the deadline',
      done: 'Deadline extended',
      run: (reason, context) =>
        staffClient.exchanges.extendDeadline(
          { id, reason, status: openStatus ?? 'pending', hours: Number(hours) },
          { context },
        ),
    },
    verify: {
      title: 'Verify this review?',
      description: 'It becomes final: plus one for the reviewer, minus one for the seller.',
      help: readByStaff,
      confirm: 'Verify the review',
      done: 'Review verified',
      run: (reason, context) =>
        staffClient.exchanges.verifyExchange({ id, reason, status: openStatus ?? 'reviewed' }, { context }),
    },
    end: {
      title: 'End this review without fault?',
      description:
        'No strike and no ledger entry, even if a text was submitted. The seller’s request keeps its place.',
      help: readByBoth,
      confirm: 'End the review',
      tone: 'danger',
      done: 'Review ended',
      run: (reason, context) =>
        staffClient.exchanges.endWithoutFault({ id, reason, status: openStatus ?? 'pending' }, { context }),
    },
  }
  return (
    <div className="flex flex-wrap gap-2">
      {isWaiting ? <Button onClick={() => setOpen('cancel')}>Cancel the request</Button> : null}
      {status === 'offered' ? <Button onClick={() => setOpen('withdraw')}>Withdraw the offer</Button> : null}
      {openStatus ? <Button onClick={() => setOpen('extend')}>Extend the deadline</Button> : null}
      {openStatus === 'reviewed' || openStatus === 'returned' ? (
        <Button onClick={() => setOpen('verify')}>Verify</Button>
      ) : null}
      {openStatus ? <Button onClick={() => setOpen('end')}>End without fault</Button> : null}
      {open ? (
        <ActionDialog action={actions[open]} onClose={() => setOpen(null)}>
          {open === 'extend' ? (
            <Field label="By" noErrorLine className="mb-4">
              <Select options={extensions} value={hours} onValueChange={(value) => setHours(value ?? '24')} />
            </Field>
          ) : null}
        </ActionDialog>
      ) : null}
    </div>
  )
}

/** Accept and refuse, for the current proof of a review under way. */
export function ProofActions({ exchange, proof }: { exchange: Exchange; proof: ExchangeProof }) {
  const [open, setOpen] = useState<'accept' | 'refuse' | null>(null)
  const status = openStatusOf(exchange)
  if (proof.state !== 'stored' || !status || exchange.review?.underReport) return null
  const input = { id: exchange.id, status, proofId: proof.id }
  const actions: Record<'accept' | 'refuse', Action> = {
    accept: {
      title: 'Accept this proof?',
      description: 'It’s marked as checked by staff. The review goes on as it is.',
      help: readByStaff,
      confirm: 'Accept the proof',
      done: 'Proof accepted',
      run: (reason, context) => staffClient.exchanges.acceptProof({ ...input, reason }, { context }),
    },
    refuse: {
      title: 'Refuse this proof?',
      description:
        `The reviewer has at least ${hours(purchaseHours)} to add another one. ` +
        'A text that was submitted becomes their draft again.',
      help: readByReviewer,
      confirm: 'Refuse the proof',
      tone: 'danger',
      done: 'Proof refused',
      run: (reason, context) => staffClient.exchanges.refuseProof({ ...input, reason }, { context }),
    },
  }
  return (
    <>
      {proof.checkedAt ? null : (
        <Button size="sm" onClick={() => setOpen('accept')}>
          Accept
        </Button>
      )}
      <Button size="sm" onClick={() => setOpen('refuse')}>
        Refuse
      </Button>
      {open ? <ActionDialog action={actions[open]} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

function openStatusOf({ review }: Exchange): OpenReviewStatus | null {
  if (!review || review.status === 'verified' || review.status === 'lapsed') return null
  return review.status
}
