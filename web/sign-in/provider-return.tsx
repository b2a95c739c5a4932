import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { safeReturnPath } from '#contract/return-path.ts'
import { greetNewcomer } from '#web/accounts/on-signed-in.ts'
import { Completing } from '#web/accounts/completing.tsx'
import { explainWorthlessLink } from '#web/accounts/link-refusal.ts'
import { isSignedOut } from '#web/accounts/session.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { explainProviderCode } from './provider-refusal.ts'
import { endVisit, takeLeftPath } from './provider-visit.ts'
import { findProvider } from './sign-in-options.ts'

type Return = {
  /** This window was opened for the visit, under this nonce. */
  nonce?: string
  error?: string
  /** The provider was content, and a code is needed too. */
  twoFactor?: '1'
  returnTo?: string
}

/** Back from the provider: the window that was opened for it closes, and a page that went there itself goes on. */
export function ProviderReturn(back: Return) {
  const queryClient = useQueryClient()
  const router = useRouter()
  useQuery({
    queryKey: ['accounts', 'provider return', back],
    queryFn: async () => {
      const next = await settle(queryClient, back)
      await router.navigate({ href: next, replace: true })
      return next
    },
    staleTime: Infinity,
    gcTime: 0,
  })
  return <Completing />
}

/** Where to go on, told about on the way. */
async function settle(
  queryClient: QueryClient,
  { nonce, error, twoFactor, returnTo }: Return,
): Promise<string> {
  if (nonce !== undefined) await endVisit(nonce, error === undefined)
  try {
    await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 })
  } catch (failure) {
    if (isSignedOut(failure)) return paths.signIn({ error, twoFactor, returnTo })
    explainWorthlessLink('failed')
    return paths.signIn()
  }
  const wasSignedIn = takeLeftPath()?.startsWith(paths.settings()) === true
  if (error === undefined && !wasSignedIn) greetNewcomer()
  if (error !== undefined)
    toast({ ...explainProviderCode(error, (await findProvider())?.name), tone: 'danger' })
  return safeReturnPath(returnTo, location.origin)
}
