import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { secretLifetimeMinutes } from '#contract/accounts.ts'
import { client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { FailureText } from '#web/kit/ui/wait.tsx'

/** For an account without a password: emails a link to set one. */
export function FirstPassword({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => client.signIn.setFirstPassword() })
  return (
    <div className="flex flex-col items-start gap-4">
      {send.isSuccess ? (
        <output className="w-full">
          <Alert tone="success" title="Check your email">
            We’ve sent a link to set your password to <span className="break-all">{email}</span>.{' '}
            {`It works for ${secretLifetimeMinutes} minutes.`}
          </Alert>
        </output>
      ) : (
        <p className="text-14 text-pretty text-ink-2">
          Your account has no password yet. We’ll send a link to set one to{' '}
          <span className="break-all">{email}</span>.
        </p>
      )}
      {send.isError ? (
        <Alert tone="danger" className="w-full">
          <FailureText failure={failureOf(send.error)} />
        </Alert>
      ) : null}
      <Button icon={<MailCheck />} busy={send.isPending} busyLabel="Sending..." onClick={() => send.mutate()}>
        {send.isSuccess ? 'Send another email' : 'Email me a link'}
      </Button>
    </div>
  )
}
