import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventName, LiveMessage } from '#contract/live.ts'
import { refetchOn as accounts } from '#web/accounts/live.ts'
import { refetchOn as analytics } from '#web/analytics/live.ts'
import { startLive, useLive } from '#web/kit/live.ts'
import type { RefetchOn } from '#web/kit/live.ts'
import { refetchOn as matching } from '#web/matching/live.ts'
import { refetchOn as membership } from '#web/membership/live.ts'
import { refetchOn as moderation } from '#web/moderation/live.ts'
import { refetchOn as notifications } from '#web/notifications/live.ts'
import { refetchOn as organization } from '#web/organization/live.ts'
import { refetchOn as products } from '#web/products/live.ts'
import { refetchOn as reviews } from '#web/reviews/live.ts'
import { refetchOn as settings } from '#web/settings/live.ts'
import { refetchOn as support } from '#web/support/live.ts'

// Each module lists in its `live.ts` which queries an event makes out of date.
const modules: readonly RefetchOn[] = [
  accounts,
  settings,
  membership,
  products,
  organization,
  matching,
  reviews,
  notifications,
  support,
  moderation,
  analytics,
]

/** Listens to live events while a member is signed in and refetches the queries they make out of date. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  // The stream is outside React and stays open while a member is signed in.
  useEffect(() => startLive(), [])
  useLive((message) => renew(queryClient, message))
}

/**
 * Refetches what an event made out of date. A first request in progress may be older than the event, and a
 * refetch would only join it, so it is repeated once it is answered.
 */
export function renew(queryClient: QueryClient, message: LiveMessage): void {
  for (const queryKey of staleAfter(message)) {
    const inProgress = queryClient.getQueryCache().findAll({
      queryKey,
      fetchStatus: 'fetching',
      predicate: ({ state }) => state.data === undefined,
    })
    void queryClient.invalidateQueries({ queryKey }).then(() => {
      for (const { queryKey } of inProgress) void queryClient.invalidateQueries({ queryKey, exact: true })
    })
  }
}

/** The keys of the queries that an event makes out of date: after a gap in the stream, all of them. */
export function staleAfter<N extends EventName>({
  name,
  ids,
}: LiveMessage<N>): readonly (readonly unknown[])[] {
  return name === 'sync' ? [[]] : modules.flatMap((refetchOn) => refetchOn[name]?.(ids) ?? [])
}
