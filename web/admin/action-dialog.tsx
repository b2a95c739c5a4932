import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { prose } from '#contract/kit.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useFresh } from '#web/settings/fresh.tsx'
import { staffApi } from './api.ts'

const withReason = z.object({
  reason: prose(2000).refine((text) => text !== '', 'Please give a reason'),
})

export type Action = {
  title: string
  /** What will happen, and to whom. */
  description: ReactNode
  /** Who reads the reason. */
  help: string
  confirm: string
  tone?: 'primary' | 'danger'
  /** The toast after it. */
  done: string
  /** `context` makes a repeated attempt the same action. */
  run: (reason: string, context: { idempotencyKey: string }) => Promise<unknown>
}

/** Asks for the reason of an action of staff, and does it. `children` are further fields. */
export function ActionDialog({
  action,
  onClose,
  children,
}: {
  action: Action
  onClose: () => void
  children?: ReactNode
}) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return (
    <Dialog open onOpenChange={onClose} title={action.title} description={action.description}>
      <Form
        label={action.title}
        schema={withReason}
        defaultValues={{ reason: '' }}
        onSubmit={async ({ reason }) => {
          await fresh(() => action.run(reason, { idempotencyKey }))
          await queryClient.invalidateQueries({ queryKey: staffApi.key() })
          toast({ title: action.done, tone: 'success' })
          onClose()
        }}
      >
        {children}
        <Field name="reason" label="Reason" help={action.help}>
          <Textarea rows={3} maxLength={2000} />
        </Field>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton variant={action.tone ?? 'primary'} busyLabel="Working...">
            {action.confirm}
          </SubmitButton>
        </DialogFooter>
      </Form>
      {identityWindow}
    </Dialog>
  )
}
