import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { signInRefusals } from '#contract/sign-in.ts'
import type { Security } from '#contract/sign-in.ts'
import { api, client } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { connectProvider } from '#web/sign-in/provider-calls.ts'
import { ProviderMark } from '#web/sign-in/provider-mark.tsx'
import { explainProviderCode } from '#web/sign-in/provider-refusal.ts'
import type { ProviderRefusal } from '#web/sign-in/provider-refusal.ts'
import { ProviderVisitButton } from '#web/sign-in/provider-visit-button.tsx'
import type { VisitEnds } from '#web/sign-in/provider-visit.ts'
import { NotConfirmed, useFresh } from '#web/settings/fresh.tsx'

type Connection = NonNullable<Security['provider']>

/** Connects or disconnects the identity provider as a sign-in method. */
export function ProviderConnection({ provider, security }: { provider: Connection; security: Security }) {
  return (
    <Card
      level={3}
      title={provider.name}
      help={`Sign in with your ${provider.name} account instead of a password.`}
    >
      {provider.connectedAt === null ? (
        <Connect provider={provider} />
      ) : (
        <Connected provider={provider} connectedAt={provider.connectedAt} security={security} />
      )}
    </Card>
  )
}

function Connect({ provider }: { provider: Connection }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()

  async function visit(ends: VisitEnds) {
    try {
      await fresh(() => connectProvider(provider, ends))
    } catch (error) {
      if (!(error instanceof NotConfirmed)) throw error
      ends.onQuiet()
    }
  }

  async function settle(error: string | null): Promise<ProviderRefusal | null> {
    const security = await queryClient
      .fetchQuery({ ...api.signIn.getSecurity.queryOptions(), staleTime: 0 })
      .catch(() => null)
    if (!security?.provider?.connectedAt) {
      const title = `${provider.name} was not connected.`
      if (error !== null) return { title, message: explainProviderCode(error, provider.name).title }
      return { title, message: 'Nothing was changed. Please try again.' }
    }
    toast({ title: `${provider.name} connected`, tone: 'success' })
    return null
  }

  return (
    <>
      <ProviderVisitButton provider={provider} visit={visit} settle={settle}>
        Connect {provider.name}
      </ProviderVisitButton>
      {identityWindow}
    </>
  )
}

type ConnectedProps = { provider: Connection; connectedAt: string; security: Security }

function Connected({ provider, connectedAt, security }: ConnectedProps) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const [isAsking, setAsking] = useState(false)
  const isOnlySignInMethod = !security.hasPassword && security.passkeys.length === 0
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="flex items-center gap-2.5 text-14 text-ink [&_svg]:size-4 [&_svg]:shrink-0">
        <ProviderMark id={provider.id} />
        <span>
          Connected since <time dateTime={connectedAt}>{formatDate(connectedAt)}</time>
        </span>
      </p>
      <Button
        onClick={() => setAsking(true)}
        disabledReason={isOnlySignInMethod ? signInRefusals.NO_OTHER_SIGN_IN_METHOD.message : null}
      >
        Disconnect
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Disconnect ${provider.name}?`}
        description={
          `You’ll sign in with ${security.hasPassword ? 'your password' : 'a passkey'}. ` +
          'You can reconnect it anytime.'
        }
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        onConfirm={async () => {
          await fresh(() => client.signIn.unlinkProvider())
          await queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
          toast({ title: `${provider.name} disconnected`, tone: 'success' })
        }}
      >
        {identityWindow}
      </ConfirmDialog>
    </div>
  )
}
