import { KeyRound, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { secretLifetimeMinutes } from '#contract/accounts.ts'
import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { DemoMailbox } from '#web/accounts/demo-mailbox.tsx'
import { ResetRequestForm } from './reset-request-form.tsx'

/** Asking for a link for a new password. What it says afterwards is the same whoever has the address. */
export function ResetRequestScreen() {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)

  function show(sent: boolean) {
    flushSync(() => setSent(sent))
    // The button that had the focus is gone: it goes where a screen reader reads what stands here now.
    const next = sent
      ? document.getElementById('page-title')
      : document.querySelector<HTMLElement>('main input')
    next?.focus()
  }

  if (isSent) return <Sent onAgain={() => show(false)} />
  return (
    <AuthFrame
      title="Reset your password"
      help="Type the email address of your account, and we send you a link for a new password."
      icon={<KeyRound />}
      bar={<OfflineBar />}
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
      bar={<OfflineBar />}
    >
      <div className="flex flex-col gap-2.5">
        <DemoMailbox />
        <Button wide onClick={onAgain}>
          Send another email
        </Button>
        <BackToSignIn />
      </div>
      <p className="mt-5 text-13 text-pretty text-ink-3">
        Nothing in your inbox? Look in your spam folder too. The link works once, within{' '}
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
