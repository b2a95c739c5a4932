import { minutes } from '#contract/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readMarketplaceLink } from '#contract/products.ts'
import { reviewLength, withDisclosure } from '#contract/review-text.ts'
import { canSubmitReview, minimumUseMinutes, reviewRefusals } from '#contract/reviews.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { api } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Countdown } from '#web/kit/ui/countdown.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useHasPassed } from '#web/reviews/has-passed.ts'
import { AnswersCard } from './answers-card.tsx'
import { NewerDraft } from './newer-draft.tsx'
import { PostingCard } from './posting-card.tsx'
import { checkClosing, checkWriting, reasonsAgainst } from './review-checks.ts'
import { SubmitCard } from './submit-card.tsx'
import { useSubmit } from './submission.ts'
import { TextCard } from './text-card.tsx'
import { useDraft } from './use-draft.ts'

/**
 * Writing, posting and submitting a review. The draft is saved while typing, and a failed submission keeps
 * all.
 */
export function ReviewForm({ review }: { review: ReviewWorkspace }) {
  const { draft, change, saveState, savedText, newer, keepMine, takeNewer, stop } = useDraft(review)
  const usedLongEnough = useHasPassed(review.usableFrom)
  const [posted, setPosted] = useState(review.postedLink !== null)
  const [postedLink, setPostedLink] = useState(review.postedLink ?? '')
  const [attested, setAttested] = useState(false)
  const duplicate = useDuplicateAnswer(review.id, draft.text, savedText)

  const { lane, disclosure, host } = review.marketplace
  const isPublic = lane === 'public'
  const finalText = isPublic ? withDisclosure(disclosure, draft.text) : draft.text.trim()
  const isWritten = draft.text.trim() !== ''
  const writing = checkWriting({ ...draft, body: draft.text }, duplicate, isPublic)
  const closing = checkClosing({ usedLongEnough, posted, attested }, isPublic)
  const linkIsElsewhere = postedLink.trim() !== '' && !readMarketplaceLink(postedLink, [host])
  const reasons = [
    ...reasonsAgainst([...writing, ...closing]),
    ...(linkIsElsewhere ? [reviewRefusals.INVALID_POSTED_LINK.message] : []),
  ]
  const submit = useSubmit(review, stop)
  const isLinkRefused = refusalCode(submit.error) === 'INVALID_POSTED_LINK'

  function submitReview() {
    const { rating, usedFor, notFor, aiAssisted } = draft
    const content = { text: finalText, usedFor, notFor, attested, posted }
    const hasProof = review.proof !== null
    const may = canSubmitReview({
      ...content,
      status: review.status,
      lane,
      disclosure,
      rating,
      hasProof,
      usedLongEnough,
    })
    if (may === true && rating !== null) {
      submit.mutate({ ...content, id: review.id, rating, aiAssisted, postedLink: postedLink.trim() || null })
    } else {
      toast({
        title: 'Not submitted yet',
        description: reviewRefusals[may === true ? 'RATING_MISSING' : may].message,
        tone: 'warning',
      })
    }
  }

  return (
    <form
      noValidate
      aria-label="Your review"
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (reasons.length === 0 && !submit.isPending) submitReview()
      }}
    >
      {newer ? <NewerDraft newer={newer} onKeepMine={keepMine} onTakeNewer={takeNewer} /> : null}
      {usedLongEnough ? null : <UseFirst review={review} />}
      <AnswersCard draft={draft} onChange={change} />
      <TextCard
        draft={draft}
        onChange={change}
        disclosure={isPublic ? disclosure : null}
        saveState={saveState}
        checks={writing}
      />
      {isPublic ? (
        <PostingCard
          review={review}
          finalText={isWritten ? finalText : null}
          posted={posted}
          link={postedLink}
          onPosted={setPosted}
          onLink={(link) => {
            setPostedLink(link)
            if (submit.isError) submit.reset()
          }}
          isLinkRefused={isLinkRefused}
        />
      ) : null}
      <SubmitCard
        attested={attested}
        onAttested={setAttested}
        reasons={reasons}
        failure={submit.isError && !isLinkRefused ? refusalMessage(submit.error, submissionFailed) : null}
        busy={submit.isPending}
        isAgain={review.status === 'returned'}
        isPublic={review.marketplace.lane === 'public'}
      />
    </form>
  )
}

const submissionFailed = 'The review could not be submitted. Nothing was lost. Please try again.'

/**
 * Asks the server about near-duplicates of the saved text. Null until there is an answer for the current
 * text.
 */
function useDuplicateAnswer(id: string, text: string, savedText: string): boolean | null {
  const query = useQuery(
    api.reviews.checkReviewText.queryOptions({
      input: { id, text: savedText },
      enabled: savedText.trim() !== '' && savedText.length <= reviewLength.characters,
      staleTime: 60_000,
      retry: false,
    }),
  )
  return text === savedText ? (query.data?.duplicate ?? null) : null
}

function UseFirst({ review }: { review: ReviewWorkspace }) {
  if (!review.usableFrom) return null
  return (
    <Alert tone="info" title="Use it first">
      You can submit it from {formatDateTime(review.usableFrom)} (
      <Countdown to={review.usableFrom} as="clock" />
      ). You can start writing now. We save your draft.
      {isDemo() ? ` Demo club: elsewhere you use it for at least ${minimumUse(review)} first.` : null}
    </Alert>
  )
}

function minimumUse({ product }: ReviewWorkspace) {
  return minutes(minimumUseMinutes[product.category] ?? 0)
}
