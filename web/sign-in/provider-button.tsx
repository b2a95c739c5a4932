import { useQueryClient } from '@tanstack/react-query'
import { safeReturnPath } from '#contract/return-path.ts'
import type { Provider } from '#contract/sign-in.ts'
import { onSignedIn } from '#web/accounts/on-signed-in.ts'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { startProviderSignIn } from './better-auth.ts'
import { explainNoSession, explainProviderCode } from './provider-refusal.ts'
import type { ProviderRefusal } from './provider-refusal.ts'
import { ProviderVisitButton } from './provider-visit-button.tsx'
import { visitProvider } from './provider-visit.ts'
import { needsCode } from './sign-in-options.ts'

type ProviderButtonProps = {
  provider: Provider
  returnTo?: string
  /** Called when the provider accepted the sign-in and a code is needed as well. */
  onCodeNeeded: () => void
}

/** Signs in or signs up with a provider. The surrounding layout redirects once a user is signed in. */
export function ProviderButton({ provider, returnTo, onCodeNeeded }: ProviderButtonProps) {
  const queryClient = useQueryClient()

  function start(nonce?: string) {
    return startProviderSignIn({
      provider: provider.id,
      nonce,
      returnTo: returnTo && safeReturnPath(returnTo, location.origin),
    })
  }

  async function settle(error: string | null): Promise<ProviderRefusal | null> {
    try {
      await onSignedIn(queryClient)
    } catch {
      if (error !== null) return explainProviderCode(error, provider.name)
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

/** The button's placeholder until the server has said whether there is a provider. */
export function ProviderSkeleton() {
  return (
    <Loading label="Looking for other ways to sign in">
      <Skeleton className="h-11 rounded-8" />
    </Loading>
  )
}
