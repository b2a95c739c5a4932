import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { returnReasons } from '#contract/reviews.ts'
import type { ReturnReason } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

const reasons = Object.keys(returnReasons) as ReturnReason[] // Its keys are the reasons.

const schema = z.object({
  reason: z
    .enum(reasons)
    .nullable()
    .refine((reason) => reason !== null, 'Choose what is wrong.'),
  explanation: z
    .string()
    // The server stores it as one line.
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(10, 'Describe in one sentence what you found.')
        .max(500, 'Keep it under 500 characters.'),
    ),
})

type ReturnReviewFormProps = { reviewId: string; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends a review back for a reason from a fixed list. An opinion is never a reason. */
export function ReturnReviewForm({ reviewId, open, onOpenChange }: ReturnReviewFormProps) {
  const queries = useQueryClient()

  async function returnReview({ reason, explanation }: z.output<typeof schema>) {
    if (reason === null) return
    await client.reviews.returnReview({ id: reviewId, reason, explanation })
    onOpenChange(false)
    toast({ title: 'Sent back to the reviewer', description: 'They have 72 hours to fix it.' })
    await queries.invalidateQueries({ queryKey: api.reviews.key() })
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="What is wrong?"
      description="Facts only. A low rating is not a reason, and unfounded reports count against you."
    >
      <Form
        label="What is wrong"
        schema={schema}
        defaultValues={{ reason: null, explanation: '' }}
        onSubmit={returnReview}
      >
        <Field name="reason" label="Reason">
          <RadioGroup options={reasons.map((reason) => ({ value: reason, label: returnReasons[reason] }))} />
        </Field>
        <Field
          name="explanation"
          label="What did you find?"
          help="Only our staff see this. The reviewer sees the reason you choose."
        >
          <Textarea rows={3} maxLength={500} />
        </Field>
        <DialogFooter>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <SubmitButton busyLabel="Sending...">Send it back</SubmitButton>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
