import { z } from 'zod'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'
import { NewPasswordFields } from '#web/accounts/new-password-fields.tsx'
import { explainNewPassword, newPassword, repeatedPassword } from '#web/accounts/new-password.ts'

const choice = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, repeatedPassword)

type ResetConfirmFormProps = {
  token: string
  maskedEmail: string
  onReset: () => Promise<void>
  onExpired: () => void
}

/** Sets a new password with the secret of the link. */
export function ResetConfirmForm({ token, maskedEmail, onReset, onExpired }: ResetConfirmFormProps) {
  return (
    <Form
      label="Password reset"
      schema={choice}
      defaultValues={{ password: '', confirmation: '' }}
      onSubmit={async ({ password }) => {
        try {
          await client.accounts.resetPassword({ token, password })
        } catch (error) {
          if (isLinkExpired(error)) return onExpired()
          throw error
        }
        await onReset()
      }}
      explain={explainNewPassword}
    >
      {({ values }) => (
        <>
          <Field label="Email">
            <Input value={maskedEmail} readOnly autoComplete="off" className="text-ink-2" />
          </Field>
          <NewPasswordFields name="password" label="New password" />
          <SubmitButton
            wide
            size="lg"
            className="mt-2"
            busyLabel="Resetting…"
            disabled={values.password === '' || values.confirmation === ''}
          >
            Reset Password
          </SubmitButton>
        </>
      )}
    </Form>
  )
}
