import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Provider } from '#contract/sign-in.ts'
import { AuthFrame, OrDivider } from '#web/kit/frames/auth-frame.tsx'
import { Alert } from '#web/kit/ui/alert.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { hasPasskeys } from './passkey-sign-in.ts'
import { ProviderButton, ProviderSkeleton } from './provider-button.tsx'
import { explainProviderCode } from './provider-refusal.ts'
import { SignInForm } from './sign-in-form.tsx'
import { useProvider } from './sign-in-options.ts'
import { TwoFactorStep } from './two-factor-step.tsx'

type SignInScreenProps = {
  /** The result of `findProvider`. */
  provider: Provider | null | undefined
  reason?: 'link_expired' | 'link_again' | 'session_ended'
  reset?: 'success'
  /** The error code of a failed provider sign-in. */
  error?: string
  /** The provider accepted the sign-in and a code is needed as well. */
  twoFactor?: '1'
  returnTo?: string
}

/** Signs in with the provider, a passkey, or email and password, followed by a code where needed. */
export function SignInScreen(props: SignInScreenProps) {
  const [step, setStep] = useState<'begin' | 'code'>(props.twoFactor ? 'code' : 'begin')
  const [endMessage, setEndMessage] = useState<string | null>(null)

  function beginAgain(message?: string) {
    flushSync(() => {
      setEndMessage(message ?? null)
      setStep('begin')
    })
    document.querySelector<HTMLElement>('main input')?.focus()
  }

  if (step === 'code') return <TwoFactorStep onBack={beginAgain} />
  return <Begin {...props} endMessage={endMessage} onCodeNeeded={() => setStep('code')} />
}

type BeginProps = SignInScreenProps & {
  /** Why the step of the code ended without a sign-in. */
  endMessage: string | null
  onCodeNeeded: () => void
}

function Begin({ provider: found, reason, reset, error, returnTo, endMessage, onCodeNeeded }: BeginProps) {
  const provider = useProvider(found)
  const canUsePasskeys = hasPasskeys()
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <AuthFrame
      title="Sign in"
      help="Welcome back to your club."
      foot={
        <>
          New here? <TextLink href={paths.signUp({ returnTo })}>Create account</TextLink>
        </>
      }
    >
      {reason === 'link_expired' ? (
        <Alert tone="info" title="Link expired or invalid" className="mb-5">
          This link was used already or has expired. If you confirmed your email before, just sign in. If you
          didn’t, sign in to get a new link. For a new password, request another link below.
        </Alert>
      ) : null}
      {reason === 'link_again' ? (
        <Alert tone="info" title="Open the link in your email again" className="mb-5">
          This page was reloaded. Open the link in your email again. It works until you use it.
        </Alert>
      ) : null}
      {reason === 'session_ended' ? (
        <Alert tone="info" title="You were signed out" className="mb-5">
          Your session was ended in another tab or on another device, or it expired. Sign in to continue.
        </Alert>
      ) : null}
      {reset === 'success' && !hasFailed ? (
        <Alert tone="success" title="Password updated" className="mb-5">
          Your password has been successfully updated. Sign in with the new one.
        </Alert>
      ) : null}
      {error === undefined ? null : (
        <Alert tone="danger" title={explainProviderCode(error, provider?.name).title} className="mb-5" />
      )}
      {endMessage ? (
        <Alert tone="danger" className="mb-5">
          {endMessage}
        </Alert>
      ) : null}
      {provider === undefined ? <ProviderSkeleton /> : null}
      {provider ? (
        <ProviderButton provider={provider} returnTo={returnTo} onCodeNeeded={onCodeNeeded} />
      ) : null}
      {canUsePasskeys ? (
        <div className={provider === null ? undefined : 'mt-3'}>
          <PasskeyButton />
        </div>
      ) : null}
      {provider === null && !canUsePasskeys ? null : <OrDivider />}
      <SignInForm returnTo={returnTo} onCodeNeeded={onCodeNeeded} onFailed={() => setHasFailed(true)} />
      <p className="mt-4 text-center text-14 max-sm:text-left">
        <TextLink href={paths.resetPassword()}>Forgot password?</TextLink>
      </p>
    </AuthFrame>
  )
}
