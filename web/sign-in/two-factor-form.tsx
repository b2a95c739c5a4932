import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { signInRefusals } from '#contract/sign-in.ts'
import { arrive } from '#web/accounts/on-signed-in.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import type { FormFailure } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { appCode } from './app-code.ts'
import { SignInError, verifyCode } from './better-auth.ts'

type TwoFactorFormProps = {
  kind: 'app' | 'recovery'
  /** The sign-in that this code would end is over: too long ago, or too many codes were wrong. */
  onOver: (words: string) => void
}

const ofApp = z.object({ code: appCode })
const ofRecovery = z.object({ code: z.string().trim().min(1, 'Enter one of your recovery codes.') })

/** The second step of signing in: a code of the authenticator app, or a recovery code instead. */
export function TwoFactorForm({ kind, onOver }: TwoFactorFormProps) {
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
          if (isOver(error)) return onOver(error.message)
          throw error
        }
        await arrive(queryClient)
      }}
      explain={explain}
    >
      <Field
        name="code"
        label={isApp ? '6-digit code' : 'Recovery code'}
        // Room for an error of two lines, so that the button stays where it is.
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

/** Where the button was that led here, nothing is left to have the focus. */
function focus(input: HTMLInputElement | null) {
  input?.focus()
}

function isOver(error: unknown): error is SignInError {
  return error instanceof SignInError && error.code === 'INVALID_CREDENTIALS'
}

function explain(error: unknown): FormFailure | null {
  if (error instanceof SignInError && error.code === 'WRONG_CODE') {
    return { fields: { code: error.message || signInRefusals.WRONG_CODE.message } }
  }
  return failureOf(error)
}
