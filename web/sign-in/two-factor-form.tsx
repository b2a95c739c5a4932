import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { signInRefusals } from '#contract/sign-in.ts'
import { onSignedIn } from '#web/accounts/on-signed-in.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import type { FormFailure } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { appCode } from './app-code.ts'
import { SignInError, verifyCode } from './better-auth.ts'

type TwoFactorFormProps = {
  kind: 'app' | 'recovery'
  /** Called when the sign-in has ended: it took too long, or too many codes were wrong. */
  onEnded: (message: string) => void
}

const ofApp = z.object({ code: appCode })
const ofRecovery = z.object({ code: z.string().trim().min(1, 'Enter one of your recovery codes.') })

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function TwoFactorForm({ kind, onEnded }: TwoFactorFormProps) {
  const queryClient = useQueryClient()
  const isApp = kind === 'app'
  return (
    <Form
      label="Second step"
      schema={isApp ? ofApp : ofRecovery}
      defaultValues={{ code: '' }}
      onSubmit={async ({ code }) => {
        try {
          await verifyCode(code, kind)
        } catch (error) {
          if (hasEnded(error)) return onEnded(error.message)
          throw error
        }
        await onSignedIn(queryClient)
      }}
      explain={explain}
    >
      <Field
        name="code"
        label={isApp ? '6-digit code' : 'Recovery code'}
        // Reserves two lines for an error, so that the button does not move.
        className="[&>[aria-live]]:min-h-12"
      >
        {isApp ? (
          <Input
            key="app"
            ref={focus}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            className="tabular text-18 tracking-[0.3em]"
          />
        ) : (
          <Input
            key="recovery"
            ref={focus}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={64}
          />
        )}
      </Field>
      <SubmitButton wide size="lg" busyLabel="Checking...">
        Verify
      </SubmitButton>
    </Form>
  )
}

/** Moves the focus here, since the button that had it is removed. */
function focus(input: HTMLInputElement | null) {
  input?.focus()
}

function hasEnded(error: unknown): error is SignInError {
  return error instanceof SignInError && error.code === 'INVALID_CREDENTIALS'
}

function explain(error: unknown): FormFailure | null {
  if (error instanceof SignInError && error.code === 'WRONG_CODE') {
    return { fields: { code: error.message || signInRefusals.WRONG_CODE.message } }
  }
  return failureOf(error)
}
