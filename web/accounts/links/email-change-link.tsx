import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, MailCheck, MailWarning, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { Completing } from '#web/accounts/completing.tsx'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'
import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { recheckSession } from '#web/accounts/session.ts'

type Change = Awaited<ReturnType<typeof client.accounts.readEmailChange>>
type Outcome = 'expired' | 'waiting' | 'changed' | 'refused'

/** The page for both links of an email change. Opening a link does not use it up; the buttons here do. */
export function EmailChangeLink({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isNotMe, setNotMe] = useState(false)
  const {
    data: change,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['accounts', 'email change', token],
    queryFn: () => readLink(token),
    staleTime: Infinity,
    // Removes the secret from the cache when this screen closes.
    gcTime: 0,
  })

  function settle(next: Outcome) {
    deleteLinkSecret()
    setNotMe(false)
    setOutcome(next)
  }

  if (isError) {
    return (
      <AuthFrame title="Change of email">
        <ErrorState
          title="We couldn't check your link"
          onRetry={() => void refetch()}
          retrying={isFetching}
          error={error}
          className="py-0!"
        />
      </AuthFrame>
    )
  }
  if (!change) return <Completing />
  if (change === 'expired' || outcome === 'expired') return <Expired />
  const asked = { token, change, onSettled: settle }
  if (isNotMe) return <NotMe {...asked} onBack={() => setNotMe(false)} />
  switch (outcome ?? (change.confirmed ? 'waiting' : null)) {
    case 'waiting':
      return <Waiting change={change} onNotMe={() => setNotMe(true)} />
    case 'changed':
      return <Changed change={change} />
    case 'refused':
      return <Refused change={change} />
    case null:
      return <Question {...asked} onNotMe={() => setNotMe(true)} />
  }
}

/** Reads what the link is for. An expired link is an answer too. */
async function readLink(token: string): Promise<Change | 'expired'> {
  try {
    return await client.accounts.readEmailChange({ token })
  } catch (error) {
    if (isLinkExpired(error)) return 'expired'
    throw error
  }
}

type AskedProps = { token: string; change: Change; onSettled: (outcome: Outcome) => void }

/** Runs an action. A link that has expired in the meantime is an outcome too. */
function useSettle(onSettled: (outcome: Outcome) => void) {
  const queryClient = useQueryClient()
  return async (action: () => Promise<Outcome>) => {
    try {
      onSettled(await action())
    } catch (error) {
      if (!isLinkExpired(error)) throw error
      onSettled('expired')
    }
    recheckSession(queryClient)
  }
}

function Question({ token, change, onSettled, onNotMe }: AskedProps & { onNotMe: () => void }) {
  const settle = useSettle(onSettled)
  return (
    <AuthFrame
      title="Change of email"
      help={
        change.otherConfirmed
          ? 'You already confirmed it from the other mailbox. Confirm it here to make the change.'
          : 'Confirm the change from both mailboxes. This is one of them.'
      }
      icon={<MailCheck />}
      foot={
        <Button variant="ghost" onClick={onNotMe}>
          This was not me
        </Button>
      }
    >
      <Addresses change={change} />
      <Form
        label="Confirm"
        schema={z.object({})}
        defaultValues={{}}
        onSubmit={() =>
          settle(async () => {
            const { changed } = await client.accounts.confirmEmailChange({ token })
            return changed ? 'changed' : 'waiting'
          })
        }
      >
        <SubmitButton wide size="lg" busyLabel="Confirming...">
          Confirm
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}

function NotMe({ token, change, onSettled, onBack }: AskedProps & { onBack: () => void }) {
  const settle = useSettle(onSettled)
  return (
    <AuthFrame
      title="This was not me"
      help={
        change.side === 'old'
          ? 'Someone requested this while signed in to your account. Stop the change to sign everyone ' +
            'out, then set a new password.'
          : "Someone entered your address, maybe by mistake. Stop the change and we won't use your address."
      }
      icon={<MailWarning />}
      foot={
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
      }
    >
      <Addresses change={change} />
      <Form
        label="This was not me"
        schema={z.object({})}
        defaultValues={{}}
        onSubmit={() =>
          settle(async () => {
            await client.accounts.refuseEmailChange({ token })
            return 'refused'
          })
        }
      >
        <SubmitButton wide size="lg" variant="danger" busyLabel="Stopping...">
          Stop the change
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}

/** The current and the new address, and which of them received this link. */
function Addresses({ change: { side, maskedOld, maskedNew } }: { change: Change }) {
  return (
    <dl className="mb-5 rounded-10 border border-line bg-sunken px-3.5 py-3 text-14">
      <dt className="text-12 text-ink-2">
        {side === 'old' ? 'Current address (this mailbox)' : 'Current address'}
      </dt>
      <dd className="font-medium wrap-anywhere text-ink">{maskedOld}</dd>
      <dd aria-hidden="true" className="py-1.5 text-ink-3">
        <ArrowDown size={14} />
      </dd>
      <dt className="text-12 text-ink-2">{side === 'new' ? 'New address (this mailbox)' : 'New address'}</dt>
      <dd className="font-medium wrap-anywhere text-ink">{maskedNew}</dd>
    </dl>
  )
}

function Waiting({ change, onNotMe }: { change: Change; onNotMe: () => void }) {
  const otherAddress = change.side === 'old' ? change.maskedNew : change.maskedOld
  return (
    <End
      title="One more mailbox"
      help={
        `This mailbox is confirmed. Now open the link we sent to ${otherAddress}. ` +
        'Nothing changes before that.'
      }
      icon={<MailCheck />}
      foot={
        <Button variant="ghost" onClick={onNotMe}>
          This was not me
        </Button>
      }
    />
  )
}

function Changed({ change }: { change: Change }) {
  return (
    <End
      title="Your email was changed"
      help={`Your address is now ${change.maskedNew}. Sign in with it. We'll send your emails there.`}
      icon={<ShieldCheck />}
    />
  )
}

function Refused({ change }: { change: Change }) {
  return (
    <End
      title="The change was stopped"
      help={
        change.side === 'old'
          ? "Your address hasn't changed, and everyone was signed out. " +
            'Someone had access, so set a new password now.'
          : 'Thanks for letting us know. Nothing has changed, and the links no longer work.'
      }
      icon={<ShieldCheck />}
      action={
        change.side === 'old' ? (
          <LinkButton variant="primary" href={paths.resetPassword()} wide>
            Set a new password
          </LinkButton>
        ) : null
      }
    />
  )
}

function Expired() {
  return (
    <End
      title="Link expired or invalid"
      help={
        'This link has expired or was already used, or the change was stopped. Check your current ' +
        'address in Settings, where you can request a change again.'
      }
      icon={<MailWarning />}
    />
  )
}

type EndProps = { title: string; help: string; icon: ReactNode; action?: ReactNode; foot?: ReactNode }

function End({ title, help, icon, action, foot }: EndProps) {
  return (
    <AuthFrame title={title} help={help} icon={icon} foot={foot}>
      <div className="flex flex-col gap-2.5">
        {action}
        <LinkButton href={paths.settings()} wide>
          Go to Settings
        </LinkButton>
      </div>
    </AuthFrame>
  )
}
