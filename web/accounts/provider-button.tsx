import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { safeReturnPath } from '#contract/return-path.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { arrive } from './arrival.ts'
import { startProviderSignIn } from './better-auth.ts'
import { ProviderMark } from './provider-mark.tsx'
import { explainNoSession, explainProvider } from './provider-refusal.ts'
import type { ProviderRefusal } from './provider-refusal.ts'
import { visitProvider } from './provider-visit.ts'
import { needsCode } from './sign-in-options.ts'

export type Provider = { id: string; name: string }

type ProviderButtonProps = {
  provider: Provider
  returnTo?: string
  /** The provider was content, and a code is needed too. */
  onCodeNeeded: () => void
}

/** Signs in, or signs up, by a provider. Where to go then is settled around it, as for whoever is signed in already. */
export function ProviderButton({ provider, returnTo, onCodeNeeded }: ProviderButtonProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<ProviderRefusal | null>(null)

  async function connect() {
    setBusy(true)
    setRefusal(null)
    try {
      await visitProvider({
        start: (nonce) =>
          startProviderSignIn({
            provider: provider.id,
            nonce,
            returnTo: returnTo && safeReturnPath(returnTo, location.origin),
          }),
        onReturned: () => void settle(),
        onQuiet: () => setBusy(false),
      })
    } catch (error) {
      setRefusal(explainProvider(error, provider.name))
      setBusy(false)
    }
  }

  /** Whatever the window said: whether somebody is signed in, the server knows. */
  async function settle() {
    try {
      await arrive(queryClient)
    } catch {
      if (await needsCode()) return onCodeNeeded()
      setRefusal(explainNoSession(provider.name))
    }
    setBusy(false)
  }

  return (
    <>
      {refusal ? (
        <Alert tone="danger" title={refusal.title} className="mb-3">
          {refusal.message}
        </Alert>
      ) : null}
      <Button
        wide
        size="lg"
        icon={<ProviderMark id={provider.id} />}
        busy={isBusy}
        busyLabel="Connecting…"
        onClick={() => void connect()}
      >
        {`Continue with ${provider.name}`}
      </Button>
    </>
  )
}
