import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleCheck, Hand, PenLine, ShoppingBag, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { startsWithDisclosure, withDisclosure } from '#contract/review-text.ts'
import { reviewRules } from '#contract/reviews.ts'
import type { ReceivedReview } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime, formatTime, useServerNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { TimeRing } from '#web/kit/ui/progress-ring.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { confirmedAt, HowDrawn } from '#web/products/exchange-path.tsx'
import { listingHref } from '#web/products/listing-href.ts'
import { ReviewedProduct, ReviewFrame, ReviewMissing, ReviewSkeleton } from './review-frame.tsx'
import { isWithoutFault, ReviewTag } from './review-tag.tsx'

type Slots = {
  /** What the seller may report about it, and how their reports stand. */
  reports: (review: ReceivedReview) => ReactNode
}

/** A review of one of my products: its status, what I am asked to do, and its text once it is verified. */
export function ReceivedReviewScreen({ id, ...slots }: { id: string } & Slots) {
  const query = useQuery(api.reviews.getReceivedReview.queryOptions({ input: { id } }))
  useServerClock(query)
  if (query.data) return <Received review={query.data} {...slots} />
  if (query.isError) {
    return (
      <ReviewMissing
        query={query}
        list={paths.reviews('received')}
        whyMissing="It doesn’t exist, or it isn’t about one of your products."
      />
    )
  }
  return <ReviewSkeleton />
}

function Received({ review, reports }: { review: ReceivedReview } & Slots) {
  const { product } = review
  return (
    <ReviewFrame
      list={paths.reviews('received')}
      title={product.title}
      tag={<ReviewTag status={review.status} withoutFault={isWithoutFault(review)} />}
      help="Reviewer: a member"
      aside={
        <ReviewedProduct product={product}>
          <div className="flex flex-wrap items-center justify-between gap-2 p-5">
            <CategoryBadge category={product.category} />
            <TextLink href={paths.assets()} className="text-13">
              My Products
            </TextLink>
            <HowDrawn request={review.queueId} />
          </div>
        </ReviewedProduct>
      }
    >
      <Now review={review} />
      {reports(review)}
      <Card title="What happened" padding="none">
        <History review={review} />
      </Card>
    </ReviewFrame>
  )
}

function Now({ review }: { review: ReceivedReview }) {
  switch (review.status) {
    case 'pending':
      return (
        <Alert title="The reviewer is buying your product">
          They buy it with your coupon and add proof of purchase. You don’t need to do anything.
        </Alert>
      )
    case 'purchased':
      return (
        <Alert title="The reviewer is using your product">
          Their proof of purchase was accepted. We’ll notify you when they submit the review.
        </Alert>
      )
    case 'reviewed':
      return review.held ? <Held /> : <Confirm review={review} />
    case 'returned':
      return (
        <Alert tone="warning" title="Returned to the reviewer">
          {review.returnReason
            ? `Our staff decided by this rule: ${reviewRules[review.returnReason].rule} `
            : ''}
          They can edit it or stand by it. We’ll notify you when they submit it again.
        </Alert>
      )
    case 'verified':
      return review.removedAt === null ? (
        <ReviewText review={review} />
      ) : (
        <Alert tone="warning" title="Our staff removed this review">
          It was removed on {formatDateTime(review.removedAt)}. Your balance stays as it is.
        </Alert>
      )
    case 'lapsed':
      return (
        <Alert
          tone="warning"
          title={review.removal === null ? 'The review was not finished' : 'The review was removed'}
        >
          {cause(review)}You don’t lose anything.
          {review.requestGoesOn ? ' Your request kept its place, and we’ll draw another member.' : ''}
        </Alert>
      )
  }
}

/** Why a review ended that the member did not simply leave undone. */
function cause({ marketplaceClosed, partnerLeft, endedByStaff }: ReceivedReview) {
  if (marketplaceClosed) return 'Its marketplace was closed. '
  if (partnerLeft) return 'The member left the club. '
  return endedByStaff ? 'Our staff ended it. ' : ''
}

function Held() {
  return (
    <Alert title="Our staff is looking at your report">
      The review won’t become final until then. If no rule was broken, it counts once that’s decided.
    </Alert>
  )
}

function Confirm({ review }: { review: ReceivedReview }) {
  const queries = useQueryClient()
  const confirm = useMutation(
    api.reviews.confirmReview.mutationOptions({
      onSuccess: async () => {
        await Promise.all(
          [api.reviews.key(), api.products.key(), api.matching.key()].map((queryKey) =>
            queries.invalidateQueries({ queryKey }),
          ),
        )
        toast({ title: 'Review verified', description: 'You can read it now.', tone: 'success' })
      },
    }),
  )
  const isPublic = review.lane === 'public'
  const { submittedAt, confirmDueAt } = review
  const now = useServerNow()
  const confirmed = confirmDueAt ? confirmedAt(confirmDueAt, now) : ''
  const isSooner = confirmed !== confirmDueAt
  return (
    <Card title={isPublic ? 'Is the review visible?' : 'The review has been submitted'}>
      <div className="flex items-start gap-6 max-sm:flex-col-reverse">
        <div className="min-w-0 flex-1 text-14 text-ink-2">
          {isPublic ? (
            <>
              <p>
                Look at the reviews of{' '}
                <TextLink href={listingHref(review.product.couponLink)} external>
                  your listing
                </TextLink>{' '}
                and check that:
              </p>
              <ul className="mt-3 flex flex-col gap-2.5">
                <LookFor>There is a new review of this product.</LookFor>
                <LookFor>
                  It begins with the disclosure: <q className="text-ink italic">{review.disclosure}</q>
                </LookFor>
              </ul>
              <p className="mt-3 text-13 text-ink-3">
                Stars and opinions are up to the reviewer. They are no reason to report a review.
              </p>
            </>
          ) : (
            <p>It’s feedback for you only and isn’t posted anywhere. Confirm it to read it now.</p>
          )}
          {review.postedLink ? (
            <p className="mt-3">
              <TextLink href={review.postedLink} external>
                Open the published review
              </TextLink>
            </p>
          ) : null}
        </div>
        {submittedAt && confirmDueAt ? (
          <div className="flex shrink-0 items-center gap-3 sm:w-36 sm:flex-col sm:text-center">
            <TimeRing
              start={submittedAt}
              end={confirmed}
              label="Time until it is verified automatically"
              size={88}
              stroke={6}
              text={isSooner ? 'clock' : 'hours'}
            />
            <p className="text-12 text-ink-3">
              If you don’t answer, it is verified
              {isSooner ? ` at ${formatTime(confirmed)} in this demo club, and` : null} on{' '}
              {formatDateTime(confirmDueAt)}
              {isSooner ? ' by the rules' : null}.
            </p>
          </div>
        ) : null}
      </div>
      {confirm.isError ? (
        <Alert tone="danger" className="mt-4">
          {refusalMessage(
            confirm.error,
            'The review could not be confirmed. Nothing was changed. Please try again.',
          )}
        </Alert>
      ) : null}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button
          variant="primary"
          icon={<Check aria-hidden="true" />}
          busy={confirm.isPending}
          busyLabel="Confirming..."
          onClick={() => confirm.mutate({ id: review.id })}
        >
          {isPublic ? 'Yes, it is visible' : 'Confirm and read it'}
        </Button>
      </div>
    </Card>
  )
}

function LookFor({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3" />
      <span>{children}</span>
    </li>
  )
}

function ReviewText({ review }: { review: ReceivedReview }) {
  return (
    <Card
      title="The review"
      help={review.verifiedAt ? `Verified on ${formatDateTime(review.verifiedAt)}` : undefined}
    >
      <StarRating value={review.rating} size={20} />
      <p className="mt-3 max-w-reading text-14 wrap-anywhere whitespace-pre-line text-ink">
        {asPublished(review) || 'The text has been deleted.'}
      </p>
      {review.aiAssisted ? (
        <p className="mt-3 text-13 text-ink-2">The reviewer used AI for grammar and clarity.</p>
      ) : null}
      <dl className="mt-5 flex flex-col gap-3 border-t border-line pt-4 text-14">
        <div>
          <dt className="text-13 text-ink-3">What they used it for</dt>
          <dd className="wrap-anywhere text-ink">{review.usedFor?.trim() || 'No answer'}</dd>
        </div>
        <div>
          <dt className="text-13 text-ink-3">Who should not buy it</dt>
          <dd className="wrap-anywhere text-ink">{review.notFor?.trim() || 'No answer'}</dd>
        </div>
      </dl>
      <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-14">
        {review.postedLink ? (
          <li>
            <TextLink href={review.postedLink} external>
              Open the published review
            </TextLink>
          </li>
        ) : null}
        {review.receipt ? (
          <li>
            <TextLink href={paths.receipt(review.receipt)} external>
              Public receipt
            </TextLink>
          </li>
        ) : null}
        {review.lane === 'public' ? (
          <li>
            <TextLink href={paths.reviewCards()}>Show reviews on your site</TextLink>
          </li>
        ) : null}
      </ul>
    </Card>
  )
}

function asPublished({ text, lane, disclosure }: ReceivedReview): string {
  const body = text?.trim() ?? ''
  const isComplete = body === '' || lane !== 'public' || startsWithDisclosure(body, disclosure)
  return isComplete ? body : withDisclosure(disclosure, body)
}

const verifiers = {
  seller: 'You confirmed it.',
  time: 'It passed its checks, and the time to answer ran out.',
  staff: 'Our staff decided.',
}

function History({ review }: { review: ReceivedReview }) {
  const { acceptedAt, purchasedAt, submittedAt, verifiedAt, verifiedBy, returnReason, status } = review
  return (
    <Timeline label="What happened, newest first">
      {verifiedAt ? (
        <TimelineRow icon={<CircleCheck />} tone="success" title="Verified" at={verifiedAt}>
          {verifiedBy ? verifiers[verifiedBy] : null}
        </TimelineRow>
      ) : null}
      {submittedAt ? (
        <TimelineRow
          icon={status === 'returned' ? <Undo2 /> : <PenLine />}
          tone={status === 'returned' ? 'warning' : 'accent'}
          title="The review was submitted"
          at={submittedAt}
        >
          {returnReason ? `It was returned by this rule: ${reviewRules[returnReason].rule}` : null}
        </TimelineRow>
      ) : null}
      {purchasedAt ? (
        <TimelineRow
          icon={<ShoppingBag />}
          tone="info"
          title="The proof of purchase was accepted"
          at={purchasedAt}
        />
      ) : null}
      <TimelineRow icon={<Hand />} title="A member accepted the offer" at={acceptedAt} />
    </Timeline>
  )
}
