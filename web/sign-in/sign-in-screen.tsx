import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Provider } from '#contract/sign-in.ts'
import { AuthFrame, OrDivider } from '#web/kit/auth-frame.tsx'
import { Alert } from '#web/kit/ui/alert.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { hasPasskeys } from './passkey-sign-in.ts'
import { ProviderButton, ProviderSkeleton } from './provider-button.tsx'
import { explainProviderCode } from './provider-refusal.ts'
import { SignInForm } from './sign-in-form.tsx'
import { useProvider } from './sign-in-options.ts'
import { TwoFactorStep } from './two-factor-step.tsx'

type SignInScreenProps = {
  /** As `findProvider` found it. */
  provider: Provider | null | undefined
  reason?: 'link_expired' | 'link_again'
  reset?: 'success'
  /** The code with which the way by the provider ended. */
  error?: string
  /** The provider was content, and a code is needed too. */
  twoFactor?: '1'
  returnTo?: string
}

/** Signing in: by the provider, with a passkey, or with email and password and then perhaps a code. */
export function SignInScreen(props: SignInScreenProps) {
  const [step, setStep] = useState<'begin' | 'code'>(props.twoFactor ? 'code' : 'begin')
  const [over, setOver] = useState<string | null>(null)

  function beginAgain(words?: string) {
    flushSync(() => {
      setOver(words ?? null)
      setStep('begin')
    })
    document.querySelector<HTMLElement>('main input')?.focus()
  }

  if (step === 'code') return <TwoFactorStep onBack={beginAgain} />
  return <Begin {...props} over={over} onCodeNeeded={() => setStep('code')} />
}

type BeginProps = SignInScreenProps & {
  /** Why the code that was asked for is not asked for any more. */
  over: string | null
  onCodeNeeded: () => void
}

function Begin({ provider: found, reason, reset, error, returnTo, over, onCodeNeeded }: BeginProps) {
  const provider = useProvider(found)
  const canUsePasskeys = hasPasskeys()
  return (
    <AuthFrame
      title="Sign in"
      help="Welcome back to your club."
      bar={<OfflineBar />}
      foot={
        <>
          New here? <TextLink href={paths.signUp({ returnTo })}>Create account</TextLink>
        </>
      }
    >
      {reason === 'link_expired' ? (
        <Alert tone="warning" title="Link expired or invalid" className="mb-5">
          Your verification link has expired or been used already. Sign in to get a new one, or ask for
          another link for a new password below.
        </Alert>
      ) : null}
      {reason === 'link_again' ? (
        <Alert tone="info" title="Open the link in your email again" className="mb-5">
          The page was loaded again, and a link is kept nowhere but in your email. It works until it is used.
        </Alert>
      ) : null}
      {reset === 'success' ? (
        <Alert tone="success" title="Password updated" className="mb-5">
          Your password has been successfully updated. Sign in with the new one.
        </Alert>
      ) : null}
      {error === undefined ? null : (
        <Alert tone="danger" title={explainProviderCode(error, provider?.name).title} className="mb-5" />
      )}
      {over ? (
        <Alert tone="danger" className="mb-5">
          {over}
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
      <SignInForm returnTo={returnTo} onCodeNeeded={onCodeNeeded} />
      <p className="mt-4 text-center text-14 max-sm:text-left">
        <TextLink href={paths.resetPassword()}>Forgot password?</TextLink>
      </p>
    </AuthFrame>
  )
}
