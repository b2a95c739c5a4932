import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { SignUpForm } from './sign-up-form.tsx'

/** Making an account. */
export function SignUpScreen({ returnTo }: { returnTo?: string }) {
  return (
    <AuthFrame
      title="Create account"
      help="One honest review given for one received."
      bar={<OfflineBar />}
      foot={
        <>
          Already have an account? <TextLink href={paths.signIn({ returnTo })}>Sign in</TextLink>
        </>
      }
    >
      <SignUpForm returnTo={returnTo} />
    </AuthFrame>
  )
}
