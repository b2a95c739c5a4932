import { z } from 'zod'
import { NewPasswordFields } from '#web/accounts/new-password-fields.tsx'
import { explainNewPassword, newPassword, repeatedPassword } from '#web/accounts/new-password.ts'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'

const change = z
  .object({ current: z.string(), next: newPassword, confirmation: z.string(), endOthers: z.boolean() })
  .refine(({ next, confirmation }) => next === confirmation, repeatedPassword)

const untouched = { current: '', next: '', confirmation: '', endOthers: true }

/** Changes the password of a signed-in member who knows the current one. */
export function PasswordForm() {
  return (
    <Form
      label="Change password"
      schema={change}
      defaultValues={untouched}
      onSubmit={async ({ current, next, endOthers }, form) => {
        await client.accounts.changePassword({ current, next, endOthers })
        form.reset(untouched)
        toast({
          title: 'Password updated',
          description: endOthers
            ? 'Your password has been successfully updated. Your other devices were signed out.'
            : 'Your password has been successfully updated.',
          tone: 'success',
        })
      }}
      explain={explainNewPassword}
    >
      {({ values }) => (
        <>
          <Field
            name="current"
            label="Current password"
            status={
              <>
                Don’t remember it? <TextLink href={paths.resetPassword()}>Reset it by email</TextLink>
              </>
            }
          >
            <PasswordInput autoComplete="current-password" />
          </Field>
          <NewPasswordFields name="next" label="New password" />
          <Checkbox
            name="endOthers"
            label="Sign out my other devices"
            help="You’ll need the new password to sign in on them again."
          />
          <SubmitButton
            className="mt-5 self-start"
            busyLabel="Changing…"
            disabled={values.current === '' || values.next === '' || values.confirmation === ''}
          >
            Change password
          </SubmitButton>
        </>
      )}
    </Form>
  )
}
