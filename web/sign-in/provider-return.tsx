import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Me } from '#contract/members.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import { firstPageOf, greetNewcomer } from '#web/accounts/on-signed-in.ts'
import { Completing } from '#web/accounts/completing.tsx'
import { explainInvalidLink } from '#web/accounts/link-refusal.ts'
import { isSignedOut } from '#web/members/me.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { explainProviderCode } from './provider-refusal.ts'
import { endVisit, takeLeftPath } from './provider-visit.ts'
import { findProvider } from './sign-in-options.ts'

type Return = {
  /** The visit's nonce, when this window was opened for it. */
  nonce?: string
  error?: string
  /** The provider accepted the sign-in and a code is needed as well. */
  twoFactor?: '1'
  returnTo?: string
}

/** The return from the provider. A window opened for it closes; a whole page continues to its target. */
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

/** Shows the result as a toast and returns the address to open next. */
async function settle(
  queryClient: QueryClient,
  { nonce, error, twoFactor, returnTo }: Return,
): Promise<string> {
  if (nonce !== undefined) await endVisit(nonce, error ?? null)
  let me: Me
  try {
    me = await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 })
  } catch (failure) {
    if (isSignedOut(failure)) return paths.signIn({ error, twoFactor, returnTo })
    explainInvalidLink('failed')
    return paths.signIn()
  }
  const wasSignedIn = takeLeftPath()?.startsWith(paths.settings()) === true
  const next = wasSignedIn ? safeReturnPath(returnTo, location.origin) : firstPageOf(me, returnTo)
  if (error === undefined && !wasSignedIn) greetNewcomer(next)
  if (error !== undefined)
    toast({ ...explainProviderCode(error, (await findProvider())?.name), tone: 'danger' })
  return next
}
