import { z } from 'zod'
import { reportLength } from '#contract/moderation.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'

type ReportDialogProps<R extends string> = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  reasons: readonly { value: R; label: string }[]
  /** Names the draft that is kept while the tab is open. */
  draft: string
  onReport: (report: { reason: R; explanation: string }) => Promise<unknown>
}

/** Reports something for a reason from a closed list, with a sentence of explanation. */
export function ReportDialog<R extends string>({
  open,
  onOpenChange,
  title,
  reasons,
  draft,
  onReport,
}: ReportDialogProps<R>) {
  const values = reasons.map(({ value }) => value)
  const schema = z.object({
    reason: z
      .enum(values as [R, ...R[]]) // There is always a reason.
      .nullable()
      .refine((reason) => reason !== null, 'Choose what is wrong.'),
    explanation: z
      .string()
      .trim()
      .min(reportLength.min, `Say in a sentence what you found (at least ${reportLength.min} characters).`)
      .max(reportLength.max, `Keep it under ${reportLength.max} characters.`),
  })

  async function report({ reason, explanation }: z.output<typeof schema>) {
    if (reason === null) return
    await onReport({ reason, explanation })
    dropDraft(draft)
    onOpenChange(false)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={
        'Facts only. A low opinion is never a reason, and a report ' +
        'without any basis counts like a missed review.'
      }
    >
      <Form
        label={title}
        schema={schema}
        defaultValues={{ reason: null, explanation: readDraft(draft) }}
        onSubmit={report}
      >
        {(form) => (
          <>
            <KeepDraft name={draft} text={String(form.values.explanation)} />
            <Field name="reason" label="Reason">
              <RadioGroup options={reasons} />
            </Field>
            <Field
              name="explanation"
              label="What did you find?"
              help="Only our staff can read this. The other side never learns who reported it."
            >
              <Textarea rows={3} maxLength={reportLength.max} />
            </Field>
            <DialogFooter>
              <Button onClick={() => onOpenChange(false)}>Cancel</Button>
              <SubmitButton busyLabel="Sending...">Send report</SubmitButton>
            </DialogFooter>
          </>
        )}
      </Form>
    </Dialog>
  )
}
