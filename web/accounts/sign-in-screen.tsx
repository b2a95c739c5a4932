import { Alert } from '#web/kit/ui/alert.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { SignInForm } from './sign-in-form.tsx'

type SignInScreenProps = { reason?: 'link_expired'; reset?: 'success'; returnTo?: string }

/** Signing in with e-mail and password. */
export function SignInScreen({ reason, reset, returnTo }: SignInScreenProps) {
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
      {reset === 'success' ? (
        <Alert tone="success" title="Password updated" className="mb-5">
          Your password has been successfully updated. Sign in with the new one.
        </Alert>
      ) : null}
      <SignInForm returnTo={returnTo} />
      <p className="mt-4 text-center text-14 max-sm:text-left">
        <TextLink href={paths.resetPassword()}>Forgot password?</TextLink>
      </p>
    </AuthFrame>
  )
}
