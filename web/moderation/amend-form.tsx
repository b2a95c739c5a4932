import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

const schema = z.object({
  text: z.string().trim().min(1, 'Write the review.'),
  usedFor: z.string().trim().min(10, 'Answer in a few words.'),
  notFor: z.string().trim().min(10, 'Answer in a few words.'),
  posted: z.boolean(),
  postedLink: z.string().trim(),
})

/** Edits a final review that was returned. Its stars and the balance stay as they are. */
export function AmendForm({ review }: { review: ReviewWorkspace }) {
  const queries = useQueryClient()
  const isPublic = review.marketplace.lane === 'public'
  const { text, usedFor, notFor } = review.draft
  return (
    <Card title="Edit your review" help="Its stars stay as they are, and so does your balance.">
      <Form
        label="Edit your review"
        schema={schema}
        defaultValues={{ text, usedFor, notFor, posted: false, postedLink: review.postedLink ?? '' }}
        onSubmit={async ({ postedLink, ...edited }) => {
          await client.reviews.amendReview({ id: review.id, ...edited, postedLink: postedLink || null })
          toast({ title: 'Review edited', tone: 'success' })
          await Promise.all(
            [api.moderation.key(), api.reviews.key()].map((queryKey) =>
              queries.invalidateQueries({ queryKey }),
            ),
          )
        }}
      >
        <Field name="text" label="Review">
          <Textarea rows={8} maxLength={9000} />
        </Field>
        <Field name="usedFor" label="What did you use it for?">
          <Textarea rows={2} maxLength={500} />
        </Field>
        <Field name="notFor" label="Who should not buy it?">
          <Textarea rows={2} maxLength={500} />
        </Field>
        {isPublic ? (
          <>
            <Checkbox name="posted" label={`The review on ${review.marketplace.name} reads like this now`} />
            <Field name="postedLink" label="Link to your review" optional>
              <Input
                type="url"
                inputMode="url"
                autoComplete="off"
                maxLength={2048}
                placeholder={`https://${review.marketplace.host}/`}
              />
            </Field>
          </>
        ) : null}
        <SubmitButton busyLabel="Saving...">Save the edit</SubmitButton>
      </Form>
    </Card>
  )
}
