import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mailAgainSeconds } from '#contract/accounts.ts'
import { client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { serverNow } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { FailureText, WaitButton } from '#web/kit/ui/wait.tsx'
import { paths } from '#web/paths.ts'

/** The notice on every page for a member whose address refused our mail for good. */
export function BouncedNotice({ email }: { email: string }) {
  const [until, setUntil] = useState<number>()
  const send = useMutation({
    mutationFn: () => client.accounts.askForAddress(),
    onSuccess: () => setUntil(serverNow() + mailAgainSeconds * 1_000),
    onError: (error) => setUntil(failureOf(error).until),
  })
  return (
    <div className="mx-auto w-full max-w-[calc(var(--content-width)+4rem)] px-4 pt-6 sm:px-8">
      <Alert
        tone="warning"
        title="We can't reach you by email"
        action={
          <>
            <WaitButton
              size="sm"
              until={until}
              busy={send.isPending}
              busyLabel="Sending..."
              onClick={() => send.mutate()}
            >
              Send a confirmation link
            </WaitButton>
            <LinkButton size="sm" variant="ghost" href={paths.settings()}>
              Use another address
            </LinkButton>
          </>
        }
      >
        An email to <span className="break-all">{email}</span> came back, so we send nothing there until you
        confirm the address again.{' '}
        <output>
          {send.isSuccess ? 'The link is on its way. Check your inbox and spam folder.' : null}
          {send.isError ? <FailureText failure={failureOf(send.error)} /> : null}
        </output>
      </Alert>
    </div>
  )
}
