import { useQueryClient } from '@tanstack/react-query'
import { safeReturnPath } from '#contract/return-path.ts'
import type { Provider } from '#contract/sign-in.ts'
import { arrive } from '#web/accounts/on-signed-in.ts'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { startProviderSignIn } from './better-auth.ts'
import { explainNoSession } from './provider-refusal.ts'
import type { ProviderRefusal } from './provider-refusal.ts'
import { ProviderVisitButton } from './provider-visit-button.tsx'
import { visitProvider } from './provider-visit.ts'
import { needsCode } from './sign-in-options.ts'

type ProviderButtonProps = {
  provider: Provider
  returnTo?: string
  /** The provider was content, and a code is needed too. */
  onCodeNeeded: () => void
}

/** Signs in, or signs up, by a provider. Where to go then is settled around it, as for whoever is signed in already. */
export function ProviderButton({ provider, returnTo, onCodeNeeded }: ProviderButtonProps) {
  const queryClient = useQueryClient()

  function start(nonce?: string) {
    return startProviderSignIn({
      provider: provider.id,
      nonce,
      returnTo: returnTo && safeReturnPath(returnTo, location.origin),
    })
  }

  async function settle(): Promise<ProviderRefusal | null> {
    try {
      await arrive(queryClient)
    } catch {
      if (!(await needsCode())) return explainNoSession(provider.name)
      onCodeNeeded()
    }
    return null
  }

  return (
    <ProviderVisitButton
      wide
      size="lg"
      provider={provider}
      visit={(ends) => visitProvider({ start, ...ends })}
      settle={settle}
    >
      {`Continue with ${provider.name}`}
    </ProviderVisitButton>
  )
}

/** Its place, until it is known whether this club offers one. */
export function ProviderSkeleton() {
  return (
    <Loading label="Looking for other ways to sign in">
      <Skeleton className="h-11 rounded-8" />
    </Loading>
  )
}
