import { CircleCheck, CircleSlash, Hourglass, Store, TimerOff, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { strikes } from '#contract/matching-rules.ts'
import { withDisclosure, withoutDisclosure } from '#contract/review-text.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { TimeRing } from '#web/kit/ui/progress-ring.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { paths } from '#web/paths.ts'

type ReviewProps = { review: ReviewWorkspace }

/** Submitted: the seller checks it. It is verified automatically when the time shown runs out. */
export function WaitingCard({ review }: ReviewProps) {
  const { submittedAt, confirmDueAt, marketplace } = review
  return (
    <Outcome
      icon={
        submittedAt && confirmDueAt && !review.held ? (
          <TimeRing
            start={submittedAt}
            end={confirmDueAt}
            label="Time until it is verified automatically"
            size={88}
            stroke={6}
            text="hours"
          />
        ) : (
          <Hourglass size={24} aria-hidden="true" className="text-accent-ink" />
        )
      }
      title={review.held ? 'Our staff is looking at it' : 'Waiting for the seller'}
    >
      {review.held
        ? 'It counts or comes back to you once a person has decided. '
        : marketplace.lane === 'public'
          ? `The seller checks that it is visible on ${marketplace.name}. `
          : 'The seller can read it once it is verified. '}
      {confirmDueAt && !review.held
        ? `If they don’t answer, it is verified on ${formatDateTime(confirmDueAt)}. `
        : null}
      You don’t need to do anything. Please don’t change the published review.
    </Outcome>
  )
}

/** Verified: thanks the member and says what it did for their balance. */
export function VerifiedCard({ review }: ReviewProps) {
  return (
    <Outcome
      icon={<CircleCheck size={28} aria-hidden="true" className="text-success-ink" />}
      title="Verified. Thank you!"
      action={
        <>
          <LinkButton href={paths.assets()}>My Products</LinkButton>
          {review.receipt ? (
            <LinkButton href={paths.receipt(review.receipt)} external>
              Public receipt
            </LinkButton>
          ) : null}
        </>
      }
    >
      {review.verifiedAt ? `It was verified on ${formatDateTime(review.verifiedAt)}. ` : ''}
      Your balance went up by one, so you can ask for a review in return.
    </Outcome>
  )
}

/**
 * Ended before it was verified: the deadline was missed, the marketplace closed, the seller left, or our
 * staff ended or removed it.
 */
export function LapsedCard({ review }: ReviewProps) {
  if (review.marketplaceClosed) {
    return (
      <Outcome
        icon={<Store size={26} aria-hidden="true" className="text-ink-2" />}
        title={`${review.marketplace.name} is closed`}
        action={<LinkButton href={paths.reviews()}>All reviews</LinkButton>}
      >
        {review.lapsedAt ? `This review ended on ${formatDateTime(review.lapsedAt)}. ` : ''}
        You don’t need to write it, and it doesn’t count as missed. You’ll get other offers as usual.
      </Outcome>
    )
  }
  if (review.partnerLeft) {
    return (
      <Outcome
        icon={<UserX size={26} aria-hidden="true" className="text-ink-2" />}
        title="The seller left the club"
        action={<LinkButton href={paths.reviews()}>All reviews</LinkButton>}
      >
        {review.lapsedAt ? `This review ended on ${formatDateTime(review.lapsedAt)}. ` : ''}
        You don’t need to write it, and it doesn’t count as missed. You’ll get other offers as usual.
      </Outcome>
    )
  }
  if (review.endedByStaff) {
    return (
      <Outcome
        icon={<CircleSlash size={26} aria-hidden="true" className="text-ink-2" />}
        title="Our staff ended this review"
        action={<LinkButton href={paths.reviews()}>All reviews</LinkButton>}
      >
        {review.lapsedAt ? `It ended on ${formatDateTime(review.lapsedAt)}. ` : ''}
        You don’t need to write it, and it doesn’t count as missed. The notice we sent you says why.
      </Outcome>
    )
  }
  if (review.removal !== null) {
    const stands = review.removal === 'stands'
    return (
      <Outcome
        icon={
          <CircleSlash size={26} aria-hidden="true" className={stands ? 'text-danger-ink' : 'text-ink-2'} />
        }
        title={stands ? 'This review was removed' : 'Its removal was reversed'}
        action={
          <>
            <LinkButton href={paths.moderation('decisions')}>Read the decision</LinkButton>
            <LinkButton href={paths.support()}>Contact Support</LinkButton>
          </>
        }
      >
        {review.lapsedAt ? `It ended on ${formatDateTime(review.lapsedAt)}, before it was verified. ` : ''}
        {stands
          ? 'It counts as a missed review. The decision says why, and how long you can appeal it.'
          : 'Your appeal was granted, so it doesn’t count as missed.'}
        {review.countsAsGiven ? ' It counts as a review you gave: your balance went up by one.' : null}
      </Outcome>
    )
  }
  return (
    <Outcome
      icon={<TimerOff size={26} aria-hidden="true" className="text-danger-ink" />}
      title="The deadline was missed"
      action={
        <>
          <LinkButton href={paths.reviews()}>All reviews</LinkButton>
          <LinkButton href={paths.support()}>Contact Support</LinkButton>
        </>
      }
    >
      {review.lapsedAt ? `This review ended on ${formatDateTime(review.lapsedAt)}. ` : ''}
      We’ll draw another member for the seller’s request. This counts as a missed review, and {
        strikes.limit
      }{' '}
      missed reviews in {strikes.days} days suspend an account. If something kept you from writing it, contact
      Support.
    </Outcome>
  )
}

type OutcomeProps = { icon: ReactNode; title: string; action?: ReactNode; children: ReactNode }

function Outcome({ icon, title, action, children }: OutcomeProps) {
  return (
    <Card>
      <div className="flex items-center gap-5 max-sm:flex-col max-sm:items-start">
        <span className="flex min-w-12 shrink-0 items-center justify-center">{icon}</span>
        <div className="min-w-0 flex-1">
          <h2 className="text-18 font-semibold text-ink">{title}</h2>
          <p className="mt-1 max-w-reading text-14 text-pretty text-ink-2">{children}</p>
          {action ? <div className="mt-4 flex flex-wrap gap-2">{action}</div> : null}
        </div>
      </div>
    </Card>
  )
}

/** The review as it was submitted. */
export function SubmittedReview({ review }: ReviewProps) {
  const { draft, marketplace, postedLink, submittedAt } = review
  const body = withoutDisclosure(draft.text, marketplace.disclosure)
  const text = marketplace.lane === 'public' ? withDisclosure(marketplace.disclosure, body) : body
  return (
    <Card
      title="Your submitted review"
      help={submittedAt ? formatDateTime(submittedAt) : undefined}
      action={<CopyButton text={text} label="Copy" size="sm" />}
    >
      <StarRating value={draft.rating} />
      <p className="mt-3 max-w-reading text-14 wrap-anywhere whitespace-pre-line text-ink">{text}</p>
      <dl className="mt-5 flex flex-col gap-3 border-t border-line pt-4 text-14">
        <div>
          <dt className="text-13 text-ink-3">What you used it for</dt>
          <dd className="wrap-anywhere text-ink">{draft.usedFor}</dd>
        </div>
        <div>
          <dt className="text-13 text-ink-3">Who should not buy it</dt>
          <dd className="wrap-anywhere text-ink">{draft.notFor}</dd>
        </div>
      </dl>
      {draft.aiAssisted ? (
        <p className="mt-4 text-13 text-ink-2">You used AI for grammar and clarity.</p>
      ) : null}
      {postedLink ? (
        <p className="mt-4 text-14">
          <TextLink href={postedLink} external>
            Open the published review
          </TextLink>
        </p>
      ) : null}
    </Card>
  )
}
