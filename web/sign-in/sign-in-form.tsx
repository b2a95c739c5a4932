import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { z } from 'zod'
import { onSignedIn } from '#web/accounts/on-signed-in.ts'
import { rememberPendingEmail } from '#web/accounts/pending-email.ts'
import { isSignedOut } from '#web/members/me.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { dismissToast, toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { SignInError, signIn } from './better-auth.ts'

const credentials = z.object({
  email: z.string().trim().min(1, 'Please enter your email address'),
  password: z.string().min(1, 'Please enter your password'),
})

type SignInFormProps = {
  returnTo?: string
  /** Called when the password is right and a code is needed as well. */
  onCodeNeeded: () => void
  /** Called when the sign-in was refused. */
  onFailed: () => void
}

/** Signs in with email and password. The surrounding layout redirects once a user is signed in. */
export function SignInForm({ returnTo, onCodeNeeded, onFailed }: SignInFormProps) {
  const queryClient = useQueryClient()
  const router = useRouter()
  // It would stand beside the welcome.
  const failure = useRef<string>(undefined)
  return (
    <Form
      label="Sign in"
      schema={credentials}
      defaultValues={{ email: '', password: '' }}
      onSubmit={async ({ email, password }) => {
        try {
          const { needsCode } = await signIn({ email, password, returnTo })
          if (failure.current !== undefined) dismissToast(failure.current)
          if (needsCode) return onCodeNeeded()
          await onSignedIn(queryClient)
        } catch (error) {
          if (!isUnconfirmed(error)) throw error
          rememberPendingEmail(email)
          await router.navigate({ href: paths.verifyEmail({ reason: 'signin_unconfirmed', returnTo }) })
        }
      }}
      explain={(error) => {
        const message = messageOf(error)
        onFailed()
        failure.current = toast({ title: 'Error', description: message, tone: 'danger' })
        return isOfEmail(error) ? { fields: { email: message } } : { message }
      }}
    >
      <Field name="email" label="Email">
        <Input type="email" autoComplete="username webauthn" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field name="password" label="Password">
        <PasswordInput autoComplete="current-password" />
      </Field>
      <SubmitButton wide size="lg" className="mt-2" busyLabel="Signing in...">
        Sign in
      </SubmitButton>
    </Form>
  )
}

function isUnconfirmed(error: unknown): boolean {
  return (
    error instanceof SignInError &&
    (error.code === 'EMAIL_NOT_VERIFIED' ||
      /email not confirmed|email confirmation|not confirmed|verified/i.test(error.message))
  )
}

function isOfEmail(error: unknown): boolean {
  return error instanceof SignInError && error.code === 'INVALID_EMAIL'
}

function messageOf(error: unknown): string {
  if (error instanceof SignInError && error.status < 500 && error.message) return error.message
  if (error instanceof TypeError) return failureOf(error).message ?? 'Failed to sign in'
  // The sign-in succeeded and the next request has no session: the browser did not keep the cookie.
  if (isSignedOut(error))
    return 'Failed to sign in. Allow cookies for this site in your browser, then try again.'
  return 'Failed to sign in'
}
