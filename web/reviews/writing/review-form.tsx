import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useRef, useState } from 'react'
import { canSubmitReview, reviewRefusals, withDisclosure } from '#contract/reviews.ts'
import { readCouponLink } from '#contract/products.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { Countdown } from '#web/kit/ui/countdown.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { StarRatingInput } from '#web/kit/ui/star-rating.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { CheckList } from './check-list.tsx'
import { focusPage } from './focus-page.ts'
import { useHasPassed } from './has-passed.ts'
import { checkClosing, checkWriting, reasonsAgainst } from './review-checks.ts'
import { ReviewEditor } from './review-editor.tsx'
import { SaveMark } from './save-mark.tsx'
import { useDraft } from './use-draft.ts'

/** Where a review is written, posted and handed in. What is typed is kept as a draft; a failed submit loses nothing. */
export function ReviewForm({ review }: { review: ReviewWorkspace }) {
  const { draft, change, saveState, savedText, stop } = useDraft(review)
  const usedLongEnough = useHasPassed(review.usableFrom)
  const [posted, setPosted] = useState(review.postedLink !== null)
  const [postedLink, setPostedLink] = useState(review.postedLink ?? '')
  const [attested, setAttested] = useState(false)
  const duplicate = useDuplicateAnswer(review.id, draft.text, savedText)

  const { lane, disclosure, host, name } = review.marketplace
  const isPublic = lane === 'public'
  const finalText = isPublic ? withDisclosure(disclosure, draft.text) : draft.text.trim()
  const isWritten = draft.text.trim() !== ''
  const writing = checkWriting({ ...draft, body: draft.text }, duplicate, isPublic)
  const closing = checkClosing({ usedLongEnough, posted, attested }, isPublic)
  const linkIsElsewhere = postedLink.trim() !== '' && !readCouponLink(postedLink, [host])
  const reasons = [
    ...reasonsAgainst([...writing, ...closing]),
    ...(linkIsElsewhere ? [reviewRefusals.INVALID_POSTED_LINK.message] : []),
  ]
  const submit = useSubmit(review, stop)

  function handIn() {
    const { rating, usedFor, notFor, aiAssisted } = draft
    const handedIn = { text: finalText, usedFor, notFor, attested, posted }
    const hasProof = review.proof !== null
    const may = canSubmitReview({
      ...handedIn,
      status: review.status,
      lane,
      disclosure,
      rating,
      hasProof,
      usedLongEnough,
    })
    if (may === true && rating !== null) {
      submit.mutate({ ...handedIn, id: review.id, rating, aiAssisted, postedLink: postedLink.trim() || null })
    } else {
      toast({
        title: 'Not handed in yet',
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
        if (reasons.length === 0 && !submit.isPending) handIn()
      }}
    >
      {usedLongEnough ? null : <UseFirst review={review} />}
      <Card
        title="How you used it"
        help="Two short answers for the seller. They are not part of the published review."
      >
        <Field label="What did you use it for?">
          <Textarea
            rows={2}
            maxLength={500}
            value={draft.usedFor}
            onValueChange={(usedFor) => change({ usedFor: oneLine(usedFor) })}
          />
        </Field>
        <Field label="Who should not buy it?" className="-mb-6">
          <Textarea
            rows={2}
            maxLength={500}
            value={draft.notFor}
            onValueChange={(notFor) => change({ notFor: oneLine(notFor) })}
          />
        </Field>
      </Card>
      <Card
        title="Your review"
        help="Say what you found, good or bad. No rule of the club looks at your stars."
      >
        <Field label="Your rating" roomless className="mb-5">
          <StarRatingInput value={draft.rating} onValueChange={(rating) => change({ rating })} />
        </Field>
        <ReviewEditor
          disclosure={isPublic ? disclosure : null}
          text={draft.text}
          onTextChange={(text) => change({ text })}
        />
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <Checkbox
            label="I used AI for grammar and clarity"
            help="Optional. AI may be used for nothing else."
            checked={draft.aiAssisted}
            onCheckedChange={(aiAssisted) => change({ aiAssisted })}
          />
          <SaveMark state={saveState} />
        </div>
        <CheckList label="Checks of the text" checks={writing} className="mt-5" />
      </Card>
      {isPublic ? (
        <Card
          title={`Post it on ${name}`}
          help="Copy the whole text with its first sentence, and post it as your review of the product."
        >
          <div className="mb-5 flex flex-wrap gap-2">
            <CopyButton
              text={finalText}
              label="Copy the final text"
              disabledReason={isWritten ? null : 'Write the review first.'}
            />
            <LinkButton href={review.couponLink} external trailingIcon={<ExternalLink aria-hidden="true" />}>
              Open the product
            </LinkButton>
          </div>
          <Checkbox label={`I have posted it on ${name}`} checked={posted} onCheckedChange={setPosted} />
          <Field
            label="Link to your review"
            optional
            help="It helps the seller to find it."
            error={
              refusalCode(submit.error) === 'INVALID_POSTED_LINK'
                ? reviewRefusals.INVALID_POSTED_LINK.message
                : undefined
            }
            className="mt-4 -mb-6"
          >
            <Input
              type="url"
              inputMode="url"
              autoComplete="off"
              maxLength={2048}
              placeholder={`https://${host}/`}
              value={postedLink}
              onValueChange={(link) => {
                setPostedLink(link)
                if (submit.isError) submit.reset()
              }}
            />
          </Field>
        </Card>
      ) : null}
      <Card title="Hand it in">
        <Checkbox
          label="I bought and used this product myself, and this is my own opinion."
          checked={attested}
          onCheckedChange={setAttested}
        />
        <StillMissing reasons={reasons} />
        {submit.isError && refusalCode(submit.error) !== 'INVALID_POSTED_LINK' ? (
          <Alert tone="danger" className="mt-4">
            {refusalMessage(
              submit.error,
              'The review could not be handed in. Nothing was lost. Please try again.',
            )}
          </Alert>
        ) : null}
        <div className="mt-5">
          <Button
            type="submit"
            variant="primary"
            size="lg"
            busy={submit.isPending}
            busyLabel="Handing in..."
            disabledReason={reasons[0]}
          >
            {review.status === 'returned' ? 'Hand in again' : 'Submit'}
          </Button>
        </div>
      </Card>
    </form>
  )
}

type Submission = Parameters<typeof client.reviews.submitReview>[0]

function useSubmit(review: ReviewWorkspace, stopSaving: () => void) {
  const queries = useQueryClient()
  // One hand-in has one key, so that a second try after a lost answer does nothing twice. Other content is another hand-in.
  const attempt = useRef({ content: '', key: '' })
  return useMutation({
    mutationFn: (submission: Submission) => {
      const content = JSON.stringify(submission)
      if (attempt.current.content !== content) attempt.current = { content, key: crypto.randomUUID() }
      return client.reviews.submitReview(submission, { context: { idempotencyKey: attempt.current.key } })
    },
    onSuccess: async () => {
      stopSaving()
      await queries.invalidateQueries({ queryKey: api.reviews.key() })
      void queries.invalidateQueries({ queryKey: api.matching.getBalance.key() })
      focusPage()
      toast({ title: 'Review handed in', description: 'The seller looks at it next.', tone: 'success' })
    },
    onError: (error) => {
      if (refusalCode(error) === 'NOT_WRITABLE') {
        void queries.invalidateQueries({ queryKey: api.reviews.getReview.key({ input: { id: review.id } }) })
      }
    },
  })
}

/** Asks about near-duplicates once a text has been saved, which is when typing rests. Null until there is an answer to this very text. */
function useDuplicateAnswer(id: string, text: string, savedText: string): boolean | null {
  const query = useQuery(
    api.reviews.checkReviewText.queryOptions({
      input: { id, text: savedText },
      enabled: savedText.trim() !== '',
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
      You can hand it in from {formatDateTime(review.usableFrom)} (
      <Countdown to={review.usableFrom} as="clock" />
      ). You can begin to write now; your draft is kept.
    </Alert>
  )
}

function StillMissing({ reasons }: { reasons: string[] }) {
  if (reasons.length === 0) {
    return <p className="mt-4 text-13 font-medium text-success-ink">Everything is in order.</p>
  }
  return (
    <div className="mt-4 rounded-10 border border-line bg-sunken px-4 py-3 text-13">
      <p className="font-medium text-ink">Before you can submit:</p>
      <ul className="mt-1 list-disc pl-4.5 text-ink-2">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  )
}

// The answers are kept as one line each.
function oneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ')
}
