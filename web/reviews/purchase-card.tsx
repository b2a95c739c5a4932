import type { ReactNode } from 'react'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { focusTop } from '#web/kit/focus-page.ts'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { eitherPrice } from '#web/matching/offer-labels.ts'
import { CouponLink } from './coupon-link.tsx'
import { ProofForm } from './proof-form.tsx'

/** The first step: buy with the coupon, then add proof of purchase. */
export function PurchaseCard({ review }: { review: ReviewWorkspace }) {
  const { couponCents } = review.product
  return (
    <Card padding="none">
      <Part number={1} title="Buy it with the coupon">
        <p className="mb-4 max-w-reading text-14 text-pretty text-ink-2">
          The link opens {review.marketplace.name} with the coupon filled in. Check that the total is{' '}
          {eitherPrice(couponCents === null ? review.marketplace.couponPrices : [couponCents])} before you
          pay, and keep the order number.
        </p>
        <CouponLink review={review} />
        <p className="mt-3 text-12 wrap-anywhere text-ink-3">{review.couponLink}</p>
        {isDemo() ? (
          <p className="mt-1 text-12 text-pretty text-ink-3">
            Demo club: {review.marketplace.name} is made up. The link opens our demo shop, where nothing is
            charged.
          </p>
        ) : null}
      </Part>
      <Part number={2} title="Add your proof of purchase">
        <ProofForm review={review} onProved={focusTop} />
      </Part>
    </Card>
  )
}

function Part({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b border-line p-5 last:border-b-0">
      <h2 className="mb-3 flex items-center gap-2.5 text-16 font-semibold text-ink">
        <span
          aria-hidden="true"
          className={
            'tabular flex size-6 items-center justify-center ' +
            'rounded-full border border-line-strong text-12'
          }
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
