import { KeyRound, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { secretLifetimeMinutes } from '#contract/accounts.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { DemoMailbox } from '#web/accounts/demo-mailbox.tsx'
import { ResetRequestForm } from './reset-request-form.tsx'

/** Requests a link for a new password. Its confirmation never reveals whether the address has an account. */
export function ResetRequestScreen() {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)

  function show(sent: boolean) {
    flushSync(() => setSent(sent))
    // The button that had the focus is removed, so the focus moves to what a screen reader should read next.
    const next = sent
      ? document.getElementById('page-title')
      : document.querySelector<HTMLElement>('main input')
    next?.focus()
  }

  if (isSent) return <Sent onAgain={() => show(false)} />
  return (
    <AuthFrame
      title="Reset your password"
      help="Enter your email and we'll send you a link to set a new password."
      icon={<KeyRound />}
      foot={<BackToSignIn />}
    >
      <ResetRequestForm
        email={email}
        onSent={(sentTo) => {
          setEmail(sentTo)
          show(true)
        }}
      />
    </AuthFrame>
  )
}

function Sent({ onAgain }: { onAgain: () => void }) {
  return (
    <AuthFrame
      title="Check your email"
      help="If an account exists for the address, a password reset link has been sent."
      icon={<MailCheck />}
    >
      <div className="flex flex-col gap-2.5">
        <DemoMailbox />
        <Button wide onClick={onAgain}>
          Send another email
        </Button>
        <BackToSignIn />
      </div>
      <p className="mt-5 text-13 text-pretty text-ink-3">
        Nothing in your inbox? Check your spam folder too. The link works once and expires after{' '}
        {secretLifetimeMinutes} minutes.
      </p>
    </AuthFrame>
  )
}

function BackToSignIn() {
  return (
    <LinkButton wide variant="ghost" href={paths.signIn()}>
      Back to sign in
    </LinkButton>
  )
}
