import { useState } from 'react'
import { z } from 'zod'
import { prose } from '#contract/kit.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'

const withReason = z.object({
  reason: prose(2000).refine((text) => text !== '', 'Please give a reason'),
})

type ReasonButtonProps = {
  label: string
  /** Names the thing for screen readers, as the label does not. */
  about: string
  title: string
  description: string
  disabledReason?: string | null
  onConfirm: (reason: string) => Promise<unknown>
}

/** A button that asks for a reason, which is kept in the record of staff actions. */
export function ReasonButton({
  label,
  about,
  title,
  description,
  disabledReason,
  onConfirm,
}: ReasonButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="sm"
        aria-label={`${label}: ${about}`}
        disabledReason={disabledReason}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={title} description={description}>
        <Form
          label={title}
          schema={withReason}
          defaultValues={{ reason: '' }}
          onSubmit={async ({ reason }) => {
            await onConfirm(reason)
            setOpen(false)
          }}
        >
          <Field name="reason" label="Reason" help="Kept in the record of staff actions.">
            <Textarea rows={3} maxLength={2000} />
          </Field>
          <DialogFooter>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <SubmitButton variant="danger" busyLabel="Working...">
              {label}
            </SubmitButton>
          </DialogFooter>
        </Form>
      </Dialog>
    </>
  )
}
