import { useContext } from 'react'
import { FormContext } from '#web/kit/form-context.ts'
import { Field } from '#web/kit/ui/field.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { newPasswordHint } from './new-password.ts'
import { PasswordStrengthMeter } from './password-strength-meter.tsx'

/** The fields of a new password: the password under `name` with its strength, and its `confirmation`. */
export function NewPasswordFields({ name, label }: { name: string; label: string }) {
  const form = useContext(FormContext)
  const typed = form?.values[name]
  return (
    <>
      <Field
        name={name}
        label={label}
        help={newPasswordHint}
        status={<PasswordStrengthMeter password={typeof typed === 'string' ? typed : ''} />}
      >
        <PasswordInput autoComplete="new-password" />
      </Field>
      <Field name="confirmation" label="Confirm password">
        <PasswordInput autoComplete="new-password" />
      </Field>
    </>
  )
}
