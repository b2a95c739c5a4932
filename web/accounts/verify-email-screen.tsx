import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { mailAgainSeconds, maskEmail, secretLifetimeMinutes } from '#contract/accounts.ts'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { failureOf } from '#web/kit/form-failure.ts'
import { serverNow } from '#web/kit/time.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { WaitButton } from '#web/kit/ui/wait.tsx'
import { paths } from '#web/paths.ts'
import { DemoMailbox } from './demo-mailbox.tsx'
import { readPendingEmail, readResendAt, rememberResendAt } from './pending-email.ts'

type VerifyEmailScreenProps = {
  reason?: 'signup' | 'signin_unconfirmed'
  resent?: '1'
  returnTo?: string
}

/** Says that a confirmation link was sent, and what to do now. */
export function VerifyEmailScreen({ reason, resent, returnTo }: VerifyEmailScreenProps) {
  const router = useRouter()
  const pendingEmail = readPendingEmail()
  const [until, setUntil] = useState(() => readResendAt(pendingEmail))
  const resend = useMutation({
    mutationFn: async (email: string) => {
      await client.accounts.resendVerification({ email, returnTo })
      waitUntil(serverNow() + mailAgainSeconds * 1_000)
      await router.navigate({ href: paths.verifyEmail({ resent: '1', returnTo }), replace: true })
    },
    // The page says so as well, but after a second resend its text does not change.
    onSuccess: () =>
      toast({
        title: messages.resent.title,
        description: 'Please check your inbox and spam folder.',
        tone: 'success',
      }),
    onError: (error) => {
      const failure = failureOf(error)
      if (failure.until !== undefined) waitUntil(failure.until)
      toast({
        title: 'Error',
        description: failure.message ?? 'Failed to resend verification email',
        tone: 'danger',
      })
    },
  })

  // Kept in the tab as well, because the page may be opened again before the time is up.
  function waitUntil(moment: number) {
    if (pendingEmail) rememberResendAt(pendingEmail, moment)
    setUntil(moment)
  }

  const { title, help } =
    resent && !resend.isError
      ? messages.resent
      : reason === 'signin_unconfirmed'
        ? messages.unconfirmed
        : messages.sent
  return (
    <AuthFrame title={title} help={help} icon={<MailCheck />}>
      {pendingEmail ? (
        <p className="rounded-10 border border-line bg-sunken px-3.5 py-3 text-14 text-ink-2">
          Sent to <span className="font-medium break-all text-ink">{maskEmail(pendingEmail)}</span>
        </p>
      ) : (
        <p className="rounded-10 border border-line bg-sunken px-3.5 py-3 text-14 text-pretty text-ink-2">
          We can't send another link from here, because this tab doesn't have your address.{' '}
          <TextLink href={paths.signIn({ returnTo })}>Sign in</TextLink> to get one, or{' '}
          <TextLink href={paths.signUp({ returnTo })}>sign up again</TextLink>.
        </p>
      )}
      <div className="mt-5 flex flex-col gap-2.5">
        <DemoMailbox />
        <WaitButton
          wide
          until={until}
          busy={resend.isPending}
          busyLabel="Sending..."
          onClick={() => {
            if (pendingEmail) return resend.mutate(pendingEmail)
            toast({ title: 'Email address not found. Please try signing up again.', tone: 'danger' })
          }}
        >
          Resend verification email
        </WaitButton>
        <LinkButton wide variant="ghost" href={paths.signIn({ returnTo })}>
          Back to sign in
        </LinkButton>
      </div>
      <p className="mt-5 text-13 text-pretty text-ink-3">
        Nothing in your inbox? Check your spam folder too. The link works for {secretLifetimeMinutes} minutes.
        {pendingEmail && reason !== 'signin_unconfirmed' ? (
          <>
            {' '}
            Wrong address? <TextLink href={paths.signUp({ returnTo })}>Sign up again</TextLink> with the right
            one.
          </>
        ) : null}
      </p>
    </AuthFrame>
  )
}

const messages = {
  sent: {
    title: 'Confirm your email',
    help: "We've sent a confirmation link to your email. Please click it to activate your account.",
  },
  unconfirmed: {
    title: 'Email not verified',
    help: "Your email isn't verified yet. We've sent you a confirmation link. Please check your inbox.",
  },
  resent: {
    title: 'Verification email re-sent',
    help: 'Verification email re-sent. Please check your inbox and spam folder.',
  },
}
