import { useRouter } from '@tanstack/react-router'
import type { Provider } from '#contract/sign-in.ts'
import { SignUpForm } from '#web/accounts/sign-up-form.tsx'
import { AuthFrame, OrDivider } from '#web/kit/frames/auth-frame.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { ProviderButton, ProviderSkeleton } from './provider-button.tsx'
import { useProvider } from './sign-in-options.ts'

type SignUpScreenProps = {
  /** The result of `findProvider`. */
  provider: Provider | null | undefined
  returnTo?: string
}

/** Creates an account with the provider, or with a username, an email and a password. */
export function SignUpScreen({ provider: found, returnTo }: SignUpScreenProps) {
  const provider = useProvider(found)
  const router = useRouter()
  return (
    <AuthFrame
      title="Create account"
      help="One honest review given for one received."
      foot={
        <>
          Already have an account? <TextLink href={paths.signIn({ returnTo })}>Sign in</TextLink>
        </>
      }
    >
      {provider === undefined ? (
        <>
          <ProviderSkeleton />
          <OrDivider />
        </>
      ) : null}
      {provider ? (
        <>
          <ProviderButton
            provider={provider}
            returnTo={returnTo}
            onCodeNeeded={() => void router.navigate({ href: paths.signIn({ twoFactor: '1', returnTo }) })}
          />
          <OrDivider />
        </>
      ) : null}
      <SignUpForm returnTo={returnTo} />
      <p className="mt-5 text-13 text-balance text-ink-3">
        By creating an account you agree to the{' '}
        <TextLink href={paths.terms()} external>
          Terms
        </TextLink>
        . The{' '}
        <TextLink href={paths.privacy()} external>
          Privacy notice
        </TextLink>{' '}
        lists what we store.
      </p>
    </AuthFrame>
  )
}
