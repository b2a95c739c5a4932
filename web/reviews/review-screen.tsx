import { useQuery } from '@tanstack/react-query'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import type { ReactNode } from 'react'
import { api } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { HowDrawn } from '#web/products/exchange-path.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { Description } from '#web/products/description.tsx'
import { Price } from '#web/products/price.tsx'
import { WhyOffered } from '#web/matching/why-offered.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { CouponLink } from './coupon-link.tsx'
import { ProofOfPurchase } from './proof-of-purchase.tsx'
import { PurchaseCard } from './purchase-card.tsx'
import { ReviewForm } from './writing/review-form.tsx'
import { ReviewedProduct, ReviewFrame, ReviewMissing, ReviewSkeleton } from './review-frame.tsx'
import { LapsedCard, SubmittedReview, VerifiedCard, WaitingCard } from './review-outcome.tsx'
import { ReviewProgress } from './review-progress.tsx'
import { isWithoutFault, ReviewTag } from './review-tag.tsx'

type Slots = {
  /** What our staff does about the review. */
  about: (review: ReviewWorkspace) => ReactNode
  /** What the reviewer may report about the product's listing. */
  listing: (review: ReviewWorkspace) => ReactNode
}

/** The workspace of one review: the current task, its deadline and everything it needs. */
export function ReviewScreen({ id, ...slots }: { id: string } & Slots) {
  const query = useQuery(api.reviews.getReview.queryOptions({ input: { id } }))
  useServerClock(query)
  if (query.data) return <Workspace review={query.data} {...slots} />
  if (query.isError) {
    return (
      <ReviewMissing
        query={query}
        list={paths.reviews()}
        whyMissing="It doesn’t exist, or it isn’t yours to write."
      />
    )
  }
  return <ReviewSkeleton steps />
}

function Workspace({ review, about, listing }: { review: ReviewWorkspace } & Slots) {
  const { product, marketplace, status } = review
  const withoutFault = isWithoutFault(review)
  return (
    <ReviewFrame
      list={paths.reviews()}
      title={product.title}
      tag={<ReviewTag status={status} late={review.late} withoutFault={withoutFault} />}
      help={
        marketplace.lane === 'public'
          ? `Your review for ${marketplace.name}. Accepted on ${formatDate(review.acceptedAt)}.`
          : `Feedback for the seller only, not posted anywhere. Accepted on ${formatDate(review.acceptedAt)}.`
      }
      progress={withoutFault ? null : <ReviewProgress review={review} />}
      aside={
        <aside aria-label="About the product" className="flex min-w-0 flex-col gap-6">
          <About review={review}>{listing(review)}</About>
          {status === 'verified' ? <BalanceCard /> : null}
        </aside>
      }
    >
      {about(review)}
      <Task review={review} />
    </ReviewFrame>
  )
}

function Task({ review }: { review: ReviewWorkspace }) {
  switch (review.status) {
    case 'pending':
      return <PurchaseCard review={review} />
    case 'purchased':
      return <ReviewForm review={review} />
    case 'returned':
      return <ReviewForm review={review} />
    case 'reviewed':
      return (
        <>
          <WaitingCard review={review} />
          <SubmittedReview review={review} />
        </>
      )
    case 'verified':
      return (
        <>
          <VerifiedCard review={review} />
          <SubmittedReview review={review} />
        </>
      )
    case 'lapsed':
      return <LapsedCard review={review} />
  }
}

function About({ review, children }: { review: ReviewWorkspace; children: ReactNode }) {
  const { product, marketplace, proof, status } = review
  const isOver = status === 'verified' || status === 'lapsed'
  return (
    <ReviewedProduct product={product}>
      <div className="flex flex-col gap-4 p-5">
        <div>
          <div className="flex flex-wrap items-center gap-2 text-13 text-ink-2">
            <CategoryBadge category={product.category} />
            <Price cents={product.priceCents} />
          </div>
          <div className="mt-3">
            <Description text={product.description} />
          </div>
        </div>
        {proof ? <ProofOfPurchase review={review} proof={proof} /> : null}
        {status === 'pending' || isOver ? null : <CouponLink review={review} quiet />}
        <p className="text-12 text-pretty text-ink-3">
          {marketplace.lane === 'public'
            ? `${marketplace.name} marks it as “${marketplace.verifiedPurchaseWord}”. Its policy applies.`
            : `${marketplace.name}’s policy applies to the purchase.`}
        </p>
        <WhyOffered id={review.id} />
        <HowDrawn request={review.queueId} className="w-fit" />
        {children}
      </div>
    </ReviewedProduct>
  )
}
