import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { toast } from '#web/kit/ui/toast.tsx'
import { Completing } from '#web/accounts/completing.tsx'
import { explainWorthlessLink, isLinkExpired } from '#web/accounts/link-refusal.ts'
import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { resetLinkOptions } from '#web/accounts/reset/reset-link.ts'

/** The link for a new password. Opening it uses nothing up and signs nobody in: it leads on to the form. */
export function RecoveryLink({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const { data: worth } = useQuery({
    queryKey: ['accounts', 'recovery', token],
    queryFn: () => weigh(queryClient, token),
    staleTime: Infinity,
    // The secret leaves the cache together with this screen.
    gcTime: 0,
  })
  switch (worth) {
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

/** What the link is worth, told once and where it is found out. */
async function weigh(queryClient: QueryClient, token: string) {
  try {
    await queryClient.fetchQuery(resetLinkOptions(token))
  } catch (error) {
    const worth = isLinkExpired(error) ? 'expired' : 'failed'
    if (worth === 'expired') deleteLinkSecret()
    explainWorthlessLink(worth)
    return worth
  }
  toast({ title: 'Authenticated', description: "You're authenticated. Set a new password.", tone: 'success' })
  return 'good'
}
