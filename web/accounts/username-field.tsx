import { AtSign, Check } from 'lucide-react'
import { useContext } from 'react'
import { FormContext } from '#web/kit/form-context.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import type { UsernameState } from './username-check.ts'

type UsernameFieldProps = {
  label?: string
  state: UsernameState
  /** What is said when it could not be found out. */
  unknownMessage: string
  checkAgain?: () => void
}

/** The form's `username`: kept in lower case, with the state of its check below it. */
export function UsernameField({ label = 'Username', state, unknownMessage, checkAgain }: UsernameFieldProps) {
  const form = useContext(FormContext)
  const typed = form?.values['username']
  const username = typeof typed === 'string' ? typed : ''
  return (
    <Field
      name="username"
      label={label}
      help="3–20 characters, letters, numbers, - and _"
      error={form?.errors['username'] ?? (isBeginning(username) ? undefined : errors[state])}
      status={
        state === 'unknown' ? (
          <span className="flex items-center justify-between gap-2">
            {unknownMessage}
            {checkAgain ? (
              <Button size="sm" variant="ghost" className="-my-1 h-7!" onClick={checkAgain}>
                Check again
              </Button>
            ) : null}
          </span>
        ) : (
          (statuses[state] ?? errors[state])
        )
      }
    >
      <Input
        value={username}
        onValueChange={(text) => form?.setValue('username', asUsername(text))}
        leading={<AtSign />}
        trailing={
          state === 'valid' ? <Check size={16} aria-hidden="true" className="mr-2 text-success-ink" /> : null
        }
        // What one signs in with is the email: a password manager must not keep this in its place.
        autoComplete="nickname"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
    </Field>
  )
}

/** As people paste it: in capitals, with a space at its end, or with the sign that stands in the field. */
function asUsername(text: string): string {
  return text.trim().replace(/^@/, '').toLowerCase()
}

/** The first two characters are not wrong yet, only not enough. */
function isBeginning(username: string): boolean {
  return /^[a-z][a-z0-9_-]?$/.test(username)
}

const errors: Partial<Record<UsernameState, string>> = {
  invalid: 'Start with a letter, 3–20 chars, only letters/numbers/-/_',
  taken: 'That username is already taken',
}

const statuses: Partial<Record<UsernameState, string>> = {
  checking: 'Checking...',
  valid: 'Looks great!',
}
