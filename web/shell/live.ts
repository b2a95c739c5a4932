import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventName, LiveMessage } from '#contract/live.ts'
import { refetchOn as accounts } from '#web/accounts/live.ts'
import { startLive, useLive } from '#web/kit/live.ts'
import type { RefetchOn } from '#web/kit/live.ts'
import { refetchOn as matching } from '#web/matching/live.ts'
import { refetchOn as notifications } from '#web/notifications/live.ts'
import { refetchOn as products } from '#web/products/live.ts'
import { refetchOn as reviews } from '#web/reviews/live.ts'
import { refetchOn as settings } from '#web/settings/live.ts'

// Every module that shows what changes elsewhere says in its `live.ts` which answers an event makes old.
const modules: readonly RefetchOn[] = [accounts, settings, products, matching, reviews, notifications]

/** Listens to what changes elsewhere while a member is signed in, and renews what is on the screen. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  // The stream lives outside React, as long as a member is signed in.
  useEffect(() => startLive(), [])
  useLive((message) => renew(queryClient, message))
}

/**
 * Fetches again what an event made old. A first answer that is still under way may be older than the event, and fetching it
 * again only waits for it: it is fetched again once it is there.
 */
export function renew(queryClient: QueryClient, message: LiveMessage): void {
  for (const queryKey of staleAfter(message)) {
    const underWay = queryClient.getQueryCache().findAll({
      queryKey,
      fetchStatus: 'fetching',
      predicate: ({ state }) => state.data === undefined,
    })
    void queryClient.invalidateQueries({ queryKey }).then(() => {
      for (const { queryKey } of underWay) void queryClient.invalidateQueries({ queryKey, exact: true })
    })
  }
}

/** The keys of the answers that an event makes old. After a gap any answer may be old, so that is all of them. */
export function staleAfter<N extends EventName>({
  name,
  ids,
}: LiveMessage<N>): readonly (readonly unknown[])[] {
  return name === 'sync' ? [[]] : modules.flatMap((refetchOn) => refetchOn[name]?.(ids) ?? [])
}
