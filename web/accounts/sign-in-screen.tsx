import { Alert } from '#web/kit/ui/alert.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Signing in with e-mail and password. */
export function SignInScreen({ reason, returnTo }: { reason?: 'link_expired'; returnTo?: string }) {
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
          Your verification link has expired or been used already. Sign in to get a new one.
        </Alert>
      ) : null}
      <SignInForm returnTo={returnTo} />
    </AuthFrame>
  )
}
