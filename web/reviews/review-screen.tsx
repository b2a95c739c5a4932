import { useQuery } from '@tanstack/react-query'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { formatDate } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { dollars } from '#web/matching/offer-labels.ts'
import { ProductImage } from '#web/products/product-image.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { CouponLink } from './coupon-link.tsx'
import { ProofOfPurchase } from './proof-of-purchase.tsx'
import { PurchaseCard } from './purchase-card.tsx'
import { ReviewForm } from './review-form.tsx'
import { HandedIn, LapsedCard, ReturnedNotice, VerifiedCard, WaitingCard } from './review-outcome.tsx'
import { ReviewProgress } from './review-progress.tsx'
import { ReviewTag } from './review-tag.tsx'

const above = [{ label: 'Reviews', href: paths.reviews() }]

/** The workspace of one review: what is to be done now, by when, and everything it needs. */
export function ReviewScreen({ id }: { id: string }) {
  const query = useQuery(api.reviews.getReview.queryOptions({ input: { id } }))
  useServerClock(query)
  if (query.data) return <Workspace review={query.data} />
  if (query.isError) {
    const isMissing = refusalCode(query.error) === 'NOT_FOUND'
    return (
      <Page>
        <Card>
          <ErrorState
            level={1}
            title={isMissing ? 'There is no such review' : 'This review could not be loaded'}
            onRetry={isMissing ? undefined : () => void query.refetch()}
            retrying={query.isFetching}
            action={<LinkButton href={paths.reviews()}>All reviews</LinkButton>}
          >
            {isMissing ? 'It does not exist, or it is not yours to write.' : undefined}
          </ErrorState>
        </Card>
      </Page>
    )
  }
  return <Waiting />
}

function Workspace({ review }: { review: ReviewWorkspace }) {
  const { product, marketplace, status } = review
  return (
    <Page>
      <PageHeader
        breadcrumb={above}
        title={<span className="wrap-anywhere">{product.title}</span>}
        badge={<ReviewTag status={status} late={review.late} partnerLeft={review.partnerLeft} />}
        help={
          marketplace.lane === 'public'
            ? `Your review for ${marketplace.name}. Accepted on ${formatDate(review.acceptedAt)}.`
            : `Feedback for the seller alone; it is posted nowhere. Accepted on ${formatDate(review.acceptedAt)}.`
        }
      />
      {review.partnerLeft ? null : <ReviewProgress review={review} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Task review={review} />
        </div>
        <aside aria-label="About the product" className="flex min-w-0 flex-col gap-6">
          <About review={review} />
          {status === 'verified' ? <BalanceCard /> : null}
        </aside>
      </div>
    </Page>
  )
}

function Task({ review }: { review: ReviewWorkspace }) {
  switch (review.status) {
    case 'pending':
      return <PurchaseCard review={review} />
    case 'purchased':
      return <ReviewForm review={review} />
    case 'returned':
      return (
        <>
          <ReturnedNotice review={review} />
          <ReviewForm review={review} />
        </>
      )
    case 'reviewed':
      return (
        <>
          <WaitingCard review={review} />
          <HandedIn review={review} />
        </>
      )
    case 'verified':
      return (
        <>
          <VerifiedCard review={review} />
          <HandedIn review={review} />
        </>
      )
    case 'lapsed':
      return <LapsedCard review={review} />
  }
}

function About({ review }: { review: ReviewWorkspace }) {
  const { product, marketplace, proof, status } = review
  const isOver = status === 'verified' || status === 'lapsed'
  return (
    <Card padding="none">
      <ProductImage
        imageId={product.image}
        category={product.category}
        sizes="(width < 64rem) 100vw, 340px"
        eager
        className="aspect-4/3 w-full rounded-t-12 border-b border-line"
      />
      <div className="flex flex-col gap-4 p-5">
        <div>
          <div className="flex flex-wrap items-center gap-2 text-13 text-ink-2">
            <CategoryBadge category={product.category} />
            {product.priceCents === null ? 'Free' : dollars(product.priceCents)}
          </div>
          <p className="mt-3 max-h-60 overflow-y-auto text-14 text-pretty wrap-anywhere whitespace-pre-line text-ink-2">
            {product.description?.trim() || 'No description provided'}
          </p>
        </div>
        {proof ? <ProofOfPurchase review={review} proof={proof} /> : null}
        {status === 'pending' || isOver ? null : <CouponLink review={review} quiet />}
        <p className="text-12 text-pretty text-ink-3">
          {marketplace.lane === 'public'
            ? `${marketplace.name} marks it as “${marketplace.verifiedPurchaseWord}”. Its own policy applies.`
            : `The policy of ${marketplace.name} applies to the purchase.`}
        </p>
      </div>
    </Card>
  )
}

function Waiting() {
  return (
    <Page>
      <h1 id="page-title" tabIndex={-1} className="sr-only">
        Review
      </h1>
      <Loading label="Loading the review" className="flex flex-col gap-6">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-7 w-72 max-w-full" />
          <Skeleton className="h-5 w-96 max-w-full" />
        </div>
        <Skeleton className="h-36 rounded-12" />
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Skeleton className="h-96 rounded-12" />
          <Skeleton className="h-80 rounded-12" />
        </div>
      </Loading>
    </Page>
  )
}
