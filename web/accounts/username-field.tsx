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
  /** Shown when the check failed. */
  unknownMessage: string
  checkAgain?: () => void
}

/** The form's `username` field, in lower case, with the status of its check below. */
export function UsernameField({ label = 'Username', state, unknownMessage, checkAgain }: UsernameFieldProps) {
  const form = useContext(FormContext)
  const typed = form?.values['username']
  const username = typeof typed === 'string' ? typed : ''
  // The server may have refused a name that was available when it was typed.
  const refusal = form?.errors['username']
  return (
    <Field
      name="username"
      label={label}
      help="3–20 characters, letters, numbers, - and _"
      error={refusal ?? (isBeginning(username) ? undefined : errors[state])}
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
          ((refusal ? undefined : statuses[state]) ?? errors[state])
        )
      }
    >
      <Input
        value={username}
        onValueChange={(text) => form?.setValue('username', asUsername(text))}
        leading={<AtSign />}
        trailing={
          state === 'valid' && !refusal ? (
            <Check size={16} aria-hidden="true" className="mr-2 text-success-ink" />
          ) : null
        }
        // Members sign in with their email: a password manager must not save the username for that.
        autoComplete="nickname"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
    </Field>
  )
}

/** Cleans up a pasted username: capitals, spaces around it, and the @ that the field already shows. */
function asUsername(text: string): string {
  return text.trim().replace(/^@/, '').toLowerCase()
}

/** One or two valid characters are too short, but not an error yet. */
function isBeginning(username: string): boolean {
  return /^[a-z][a-z0-9_-]?$/.test(username)
}

const errors: Partial<Record<UsernameState, string>> = {
  invalid: 'Start with a letter, 3–20 chars, only letters/numbers/-/_',
  own: 'That’s your username already.',
  taken: 'That username is already taken',
}

const statuses: Partial<Record<UsernameState, string>> = {
  checking: 'Checking...',
  valid: 'Looks great!',
}
