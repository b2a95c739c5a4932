import { z } from 'zod'
import { hours } from '#contract/format.ts'
import { takenBackHours } from '#contract/matching-rules.ts'
import { line } from '#contract/kit.ts'
import type { DeclarationKind } from '#contract/organization.ts'
import { declarationEndDays } from '#contract/organization.ts'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchOrganization } from './organization.ts'

type AddDialogProps = { kind: DeclarationKind; open: boolean; onOpenChange: (open: boolean) => void }

const household = z.object({ named: line(300).refine(Boolean, 'Enter a username.') })
const other = z.object({ named: line(300).refine(Boolean, 'Enter a username or an address.') })

/** Names a member, a shop or a listing, and says what follows. */
export function AddDialog({ kind, open, onOpenChange }: AddDialogProps) {
  const refetch = useRefetchOrganization()
  const { title, label, help, done } = texts[kind]
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <Form
        label={title}
        schema={kind === 'household' ? household : other}
        defaultValues={{ named: '' }}
        onSubmit={async ({ named }) => {
          await client.organization.addDeclaration({ kind, named })
          await refetch()
          onOpenChange(false)
          toast({ title: 'Added', description: done, tone: 'success' })
        }}
      >
        <Field name="named" label={label} help={help}>
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Alert tone="info">
          All open offers, yours and those for your products, end without penalty. A request that loses its
          offer waits {hours(takenBackHours)}. Removing the entry later takes {declarationEndDays} days.
        </Alert>
        <DialogFooter>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <SubmitButton busyLabel="Adding...">Add</SubmitButton>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}

const address = 'A username, like @sam, or the address of a shop or a listing on a marketplace.'
const texts: Record<DeclarationKind, { title: string; label: string; help: string; done: string }> = {
  household: {
    title: 'Add to your household or team',
    label: 'Username',
    help: 'We ask them to confirm it. Until they answer, you aren’t matched either.',
    done: 'We asked them to confirm it. You aren’t matched from now on.',
  },
  conflict: {
    title: 'Add a conflict of interest',
    label: 'Who it is',
    help: address,
    done: 'You aren’t matched from now on.',
  },
  competitor: {
    title: 'Add a competitor',
    label: 'Who it is',
    help: address,
    done: 'You aren’t matched from now on.',
  },
}
