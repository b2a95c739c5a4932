import { useState } from 'react'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { formatMoney } from '#web/kit/time.ts'
import { ProofForm } from './proof-form.tsx'

type ProofOfPurchaseProps = { review: ReviewWorkspace; proof: NonNullable<ReviewWorkspace['proof']> }

/** The accepted proof. It can be replaced until the review is final, and not while it is reported. */
export function ProofOfPurchase({ review, proof }: ProofOfPurchaseProps) {
  const [replacing, setReplacing] = useState(false)
  const isFixed = review.held || review.status === 'verified' || review.status === 'lapsed'
  return (
    <div className="flex items-start justify-between gap-3 border-t border-line pt-4">
      <dl className="min-w-0 text-13">
        <dt className="text-ink-3">Proof of purchase</dt>
        <dd className="mt-0.5 font-medium wrap-anywhere text-ink">
          {proof.kind === 'order' ? `Order ${proof.orderId ?? ''}` : proof.fileName || 'A file'}
          {review.paidCents === null ? '' : `, ${formatMoney(review.paidCents)}`}
        </dd>
      </dl>
      {isFixed ? null : (
        <Button size="sm" onClick={() => setReplacing(true)}>
          Replace
        </Button>
      )}
      <Dialog
        open={replacing}
        onOpenChange={setReplacing}
        title="Replace the proof"
        description={
          review.status === 'purchased'
            ? 'The new proof replaces the old one, and your time with the product counts from then.'
            : 'The new proof replaces the old one.'
        }
      >
        <ProofForm review={review} onProved={() => setReplacing(false)} />
      </Dialog>
    </div>
  )
}
