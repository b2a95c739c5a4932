import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Role } from '#contract/members.ts'
import type { UserRow } from '#contract/staff/users.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useFresh } from '#web/settings/fresh.tsx'
import { staffApi, staffClient } from '../api.ts'
import { roleLabels } from './role-labels.ts'

export type RoleChange = { user: UserRow; role: Role }

const schema = z.object({
  reason: z.string().trim().min(1, 'Please say why.').max(500, 'Please use at most 500 characters.'),
})

/** Asks why a member gets another role, and changes it. */
export function RoleDialog({ user, role, onClose }: RoleChange & { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  // A repeated attempt is the same change.
  const [idempotencyKey] = useState(() => crypto.randomUUID())

  async function change({ reason }: { reason: string }) {
    await fresh(() =>
      staffClient.users.changeRole(
        { id: user.id, from: user.role, role, reason },
        { context: { idempotencyKey } },
      ),
    )
    await queryClient.invalidateQueries({ queryKey: staffApi.users.key() })
    toast({ title: 'User role updated', tone: 'success' })
    onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Change the role to ${roleLabels[role]}?`}
      description={
        <>
          The role of <span className="wrap-anywhere">{user.email}</span> is {roleLabels[user.role]}.{' '}
          {effects[role]} They are signed out everywhere, and every admin gets an email.
        </>
      }
    >
      <Form
        label="Change the role"
        schema={schema}
        defaultValues={{ reason: '' }}
        onSubmit={change}
        explain={(error) => {
          const failure = failureOf(error)
          return failure.message ? { ...failure, title: 'Failed to update role' } : null
        }}
      >
        <Field name="reason" label="Reason" help="Kept with the change, for other staff.">
          <Textarea rows={3} maxLength={500} />
        </Field>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busyLabel="Changing...">Change role</SubmitButton>
        </DialogFooter>
      </Form>
      {identityWindow}
    </Dialog>
  )
}

const effects: Record<Role, string> = {
  user: 'As a user, they lose the staff area.',
  support: 'As support, they can see members, answer messages and moderate.',
  admin: 'As an admin, they can do everything in the staff area, change roles and export data too.',
}
