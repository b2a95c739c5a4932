import { z } from 'zod'
import { client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { emailAddress } from '#web/accounts/email-address.ts'

const address = z.object({ email: emailAddress })

/** Requests a link for a new password. `email` is the initial address. */
export function ResetRequestForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  return (
    <Form
      label="Reset your password"
      schema={address}
      defaultValues={{ email }}
      onSubmit={async ({ email }) => {
        await client.accounts.requestReset({ email })
        onSent(email)
      }}
      explain={(error) => {
        const failure = failureOf(error)
        if (failure.fields) return failure
        const message = failure.message ?? 'Failed to send reset email'
        toast({ title: 'Error', description: message, tone: 'danger' })
        return { title: 'Failed to send reset email', message }
      }}
    >
      {(form) => (
        <>
          <Field name="email" label="Email">
            <Input type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
          </Field>
          <SubmitButton
            wide
            size="lg"
            className="mt-2"
            busyLabel="Sending..."
            disabled={form.values.email.trim() === ''}
          >
            Send password reset link
          </SubmitButton>
        </>
      )}
    </Form>
  )
}
