import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { nameLength } from '#contract/members.ts'
import type { Me } from '#contract/members.ts'
import { line } from '#contract/kit.ts'
import { recheckSession } from '#web/accounts/session.ts'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

const profile = z.object({ displayName: line(nameLength.display), fullName: line(nameLength.full) })

/** Edits the names on the profile. */
export function ProfileForm({ me }: { me: Me }) {
  const queryClient = useQueryClient()
  return (
    <Form
      label="Profile"
      schema={profile}
      defaultValues={{ displayName: me.displayName, fullName: me.fullName ?? '' }}
      onSubmit={async ({ displayName, fullName }, form) => {
        await client.members.updateProfile({ displayName, fullName: fullName || null })
        form.reset({ displayName, fullName })
        recheckSession(queryClient)
        toast({ title: 'Profile saved', tone: 'success' })
      }}
    >
      {(form) => (
        <>
          <Field name="displayName" label="Display name" optional>
            <Input autoComplete="nickname" maxLength={nameLength.display} />
          </Field>
          <Field name="fullName" label="Full name" optional>
            <Input autoComplete="name" maxLength={nameLength.full} />
          </Field>
          <SubmitButton
            className="mt-1 self-start"
            busyLabel="Saving..."
            disabledReason={form.dirty ? null : 'Nothing has changed yet.'}
          >
            Save profile
          </SubmitButton>
        </>
      )}
    </Form>
  )
}
