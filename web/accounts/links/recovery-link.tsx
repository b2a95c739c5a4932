import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { toast } from '#web/kit/ui/toast.tsx'
import { Completing } from '#web/accounts/completing.tsx'
import { explainInvalidLink, isLinkExpired } from '#web/accounts/link-refusal.ts'
import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { resetLinkOptions } from '#web/accounts/reset/reset-link.ts'

/** The page for a password reset link. Opening it does not use it up or sign in; it leads to the form. */
export function RecoveryLink({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const { data: validity } = useQuery({
    queryKey: ['accounts', 'recovery', token],
    queryFn: () => checkLink(queryClient, token),
    staleTime: Infinity,
    // Removes the secret from the cache when this screen closes.
    gcTime: 0,
  })
  switch (validity) {
    case undefined:
      return <Completing />
    case 'good':
      return <Navigate to="/reset-password/confirm" replace />
    case 'expired':
      return <Navigate to="/signin" search={{ reason: 'link_expired' }} replace />
    case 'failed':
      return <Navigate to="/signin" replace />
  }
}

/** Checks the link and shows the toast for the result, once. */
async function checkLink(queryClient: QueryClient, token: string) {
  try {
    await queryClient.fetchQuery(resetLinkOptions(token))
  } catch (error) {
    const validity = isLinkExpired(error) ? 'expired' : 'failed'
    if (validity === 'expired') deleteLinkSecret()
    explainInvalidLink(validity)
    return validity
  }
  toast({ title: 'Authenticated', description: "You're authenticated. Set a new password.", tone: 'success' })
  return 'good'
}
