import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { hours } from '#contract/format.ts'
import { reportLength } from '#contract/moderation.ts'
import type { MyCase } from '#contract/moderation.ts'
import { moderationHours, reviewRules } from '#contract/reviews.ts'
import type { ReviewRule, ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { AmendForm } from './amend-form.tsx'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'

/** For the reviewer: what our staff does about the review, and how to answer a return. */
export function MyCaseNotice({ review }: { review: ReviewWorkspace }) {
  const query = useQuery(api.moderation.findMyCase.queryOptions({ input: { id: review.id } }))
  useServerClock(query)
  const found = query.data
  if (review.removedAt !== null) return <Removed removedAt={review.removedAt} found={found ?? null} />
  if (review.held || found?.state === 'second_look')
    return <BeingChecked again={found?.state === 'second_look'} />
  if (found?.state !== 'returned') return null
  return (
    <>
      <Returned review={review} found={found} />
      {review.status === 'verified' ? <AmendForm review={review} /> : null}
    </>
  )
}

function BeingChecked({ again }: { again: boolean }) {
  return (
    <Alert
      title={again ? 'A second person is looking at this review' : 'Our staff is looking at this review'}
    >
      It concerns a rule, never your opinion. A person decides within {hours(moderationHours)}, and you’ll
      read the reasons here. You don’t need to do anything.
    </Alert>
  )
}

function Removed({ removedAt, found }: { removedAt: string; found: MyCase | null }) {
  return (
    <Alert
      tone="warning"
      title="Our staff removed this review"
      action={
        found?.decisionId ? (
          <LinkButton size="sm" href={paths.decision(found.decisionId)}>
            Read the reasons and appeal
          </LinkButton>
        ) : undefined
      }
    >
      It was removed on {formatDateTime(removedAt)}. Your balance stays as it is.
    </Alert>
  )
}

function Returned({ review, found }: { review: ReviewWorkspace; found: MyCase }) {
  const [standing, setStanding] = useState(false)
  const rule = found.rule ?? review.returnReason
  return (
    <>
      <Alert
        tone="warning"
        announce
        title="Your review was returned"
        action={
          <div className="flex flex-wrap gap-2">
            {found.mayStandBy ? (
              <Button size="sm" onClick={() => setStanding(true)}>
                I stand by it
              </Button>
            ) : null}
            {found.decisionId ? (
              <LinkButton size="sm" href={paths.decision(found.decisionId)}>
                Read the reasons
              </LinkButton>
            ) : null}
          </div>
        }
      >
        {rule ? `The rule: ${reviewRules[rule].rule} ${fixes[rule]} ` : null}
        {found.answerDueAt ? `You have until ${formatDateTime(found.answerDueAt)}. ` : null}
        Your opinion and your stars are not in question.
      </Alert>
      <StandBy reviewId={review.id} open={standing} onOpenChange={setStanding} />
    </>
  )
}

const fixes: Record<ReviewRule, string> = {
  not_visible:
    'Check that it is visible on the marketplace. If it isn’t, post it again, and then answer below.',
  disclosure_missing:
    'Edit the published review so that it begins with the disclosure. You can copy the final text below.',
  other_product: 'Check that you posted it on the right product and that the text is about that product.',
  not_bought: 'If you bought it, stand by your review: a second person compares your proof with the orders.',
  no_use: 'Add what you used it for, and what you noticed while using it.',
  copied: 'Write it in your own words.',
  too_short: 'Add what a buyer would want to know.',
  personal_data: 'Leave out names, links and contact details.',
  abusive: 'Say what you found without insults. You can be as critical as you like.',
  unlawful: 'Leave out what the decision names.',
}

const schema = z.object({
  explanation: z
    .string()
    .trim()
    .min(reportLength.min, `Say why in a sentence (at least ${reportLength.min} characters).`)
    .max(reportLength.max, `Keep it under ${reportLength.max} characters.`),
})

type StandByProps = { reviewId: string; open: boolean; onOpenChange: (open: boolean) => void }

function StandBy({ reviewId, open, onOpenChange }: StandByProps) {
  const queries = useQueryClient()
  const draft = `stand-by:${reviewId}`
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Stand by your review"
      description={
        'A second person, who wasn’t part of the first decision, ' +
        `decides within ${hours(moderationHours)}. You can do this once.`
      }
    >
      <Form
        label="Stand by your review"
        schema={schema}
        defaultValues={{ explanation: readDraft(draft) }}
        onSubmit={async ({ explanation }) => {
          await client.moderation.standByReview({ id: reviewId, explanation })
          dropDraft(draft)
          onOpenChange(false)
          toast({ title: 'A second person will look at it' })
          await Promise.all(
            [api.moderation.key(), api.reviews.key()].map((queryKey) =>
              queries.invalidateQueries({ queryKey }),
            ),
          )
        }}
      >
        {(form) => (
          <>
            <KeepDraft name={draft} text={form.values.explanation} />
            <Field
              name="explanation"
              label="Why does it follow the rule?"
              help="Only our staff can read this."
            >
              <Textarea rows={4} maxLength={reportLength.max} />
            </Field>
            <DialogFooter>
              <Button onClick={() => onOpenChange(false)}>Cancel</Button>
              <SubmitButton busyLabel="Sending...">I stand by it</SubmitButton>
            </DialogFooter>
          </>
        )}
      </Form>
    </Dialog>
  )
}
