import type { ReactNode } from 'react'
import { withoutDisclosure } from '#contract/review-text.ts'
import { confirmHours } from '#contract/reviews.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { clock, formatDate, formatDateTime, formatDuration, useServerNow } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { reviewSteps, Stepper } from '#web/kit/ui/stepper.tsx'
import { useHasPassed } from './has-passed.ts'
import { checkWriting, reasonsAgainst } from './writing/review-checks.ts'

/** The five steps of a review (four where nothing is posted), with the current step and its deadline. */
export function ReviewProgress({ review }: { review: ReviewWorkspace }) {
  const usable = useHasPassed(review.usableFrom)
  const isPublic = review.marketplace.lane === 'public'
  const steps = reviewSteps
    .filter(({ label }) => isPublic || label !== 'Post')
    .map((step) => ({ ...step, help: stepHelp(step.label, review) }))
  const at = stepOf(review, usable)
  const index = at === null ? steps.length : steps.findIndex(({ label }) => label === at)
  return (
    <Card padding="none">
      <div className="px-3 py-5 sm:px-5">
        <Stepper
          label="Steps of this review"
          steps={steps}
          current={index}
          failed={review.status === 'lapsed'}
        />
      </div>
      <Deadline review={review} />
    </Card>
  )
}

type StepName = (typeof reviewSteps)[number]['label']

/**
 * The current step, or null when all are done. The Write step is done once the saved draft passes its checks.
 */
function stepOf(review: ReviewWorkspace, usable: boolean): StepName | null {
  const isPublic = review.marketplace.lane === 'public'
  switch (review.status) {
    case 'pending':
      return 'Purchase'
    case 'purchased':
      if (!usable) return 'Use'
      return isPublic && isWritten(review) ? 'Post' : 'Write'
    case 'returned':
      return isPublic ? 'Post' : 'Write'
    case 'reviewed':
      return 'Verified'
    case 'verified':
      return null
    case 'lapsed':
      if (review.removal !== null) return 'Verified'
      return review.purchasedAt ? 'Write' : 'Purchase'
  }
}

function isWritten({ draft, marketplace }: ReviewWorkspace): boolean {
  const writing = { ...draft, body: withoutDisclosure(draft.text, marketplace.disclosure) }
  return reasonsAgainst(checkWriting(writing, null, true)).length === 0
}

function stepHelp(step: StepName, review: ReviewWorkspace): ReactNode {
  const { purchasedAt, purchaseDueAt, dueAt, submittedAt, confirmDueAt, verifiedAt } = review
  switch (step) {
    case 'Purchase':
      return purchasedAt ? formatDate(purchasedAt) : `by ${formatDate(purchaseDueAt)}`
    case 'Use':
      return review.status === 'pending' ? 'a while' : undefined
    case 'Write':
      return submittedAt ? formatDate(submittedAt) : `by ${formatDate(dueAt)}`
    case 'Post':
      return submittedAt ? formatDate(submittedAt) : 'with the disclosure'
    case 'Verified':
      if (verifiedAt) return formatDate(verifiedAt)
      return confirmDueAt ? `by ${formatDate(confirmDueAt)}` : `within ${confirmHours} h`
  }
}

/** The current deadline, if there is one. */
function deadlineOf(review: ReviewWorkspace): { label: string; at: string; note?: string } | null {
  const { purchaseDueAt, dueAt, late } = review
  switch (review.status) {
    case 'pending':
      return late
        ? {
            label: 'Time left to buy it and submit the review',
            at: dueAt,
            note: 'Your purchase is late. You can still buy it and submit your review in this time.',
          }
        : { label: 'Time left to buy it and add your proof of purchase', at: purchaseDueAt }
    case 'purchased':
      return { label: 'Time left to submit the review', at: dueAt }
    case 'returned':
      return review.returnDueAt
        ? { label: 'Time left to fix it and submit it again', at: review.returnDueAt }
        : null
    case 'reviewed':
      return review.confirmDueAt
        ? { label: 'Time until it is verified automatically', at: review.confirmDueAt }
        : null
    case 'verified':
    case 'lapsed':
      return null
  }
}

function Deadline({ review }: { review: ReviewWorkspace }) {
  const deadline = deadlineOf(review)
  const now = useServerNow()
  if (!deadline) return null
  const left = Date.parse(deadline.at) - now
  const isShort = left < 24 * 3_600_000 && review.status !== 'reviewed'
  return (
    <div
      className={
        'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 ' +
        'rounded-b-12 border-t border-line bg-canvas px-5 py-3.5'
      }
    >
      <p className="text-13 text-ink-2">
        {deadline.label}
        {deadline.note ? <span className="block text-12 text-ink-3">{deadline.note}</span> : null}
      </p>
      <p className="text-13 text-ink-2">
        <span
          role="timer"
          aria-live="off"
          className={isShort ? 'tabular font-semibold text-warning-ink' : 'tabular font-semibold text-ink'}
        >
          {left <= 0 ? 'Time is up' : left < 3_600_000 ? clock(left) : formatDuration(left)}
        </span>
        <span className="text-ink-3"> · {formatDateTime(deadline.at)}</span>
      </p>
    </div>
  )
}
