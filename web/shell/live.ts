import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventIds } from '#contract/live.ts'
import { refetchOn as accounts } from '#web/accounts/live.ts'
import { startLive, useLive } from '#web/kit/live.ts'
import type { LiveMessage } from '#web/kit/live.ts'
import { refetchOn as matching } from '#web/matching/live.ts'
import { refetchOn as notifications } from '#web/notifications/live.ts'
import { refetchOn as products } from '#web/products/live.ts'
import { refetchOn as reviews } from '#web/reviews/live.ts'

// Every room that shows what changes elsewhere says in its `live.ts` which answers an event makes old.
const rooms: readonly Partial<Record<string, (ids: EventIds) => readonly (readonly unknown[])[]>>[] = [
  accounts,
  products,
  matching,
  reviews,
  notifications,
]

/** Hears what changes elsewhere while a member is signed in, and renews what is on the screen. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  // The stream lives outside React, as long as somebody is signed in.
  useEffect(() => startLive(), [])
  useLive((message) => renew(queryClient, message))
}

function renew(queryClient: QueryClient, { name, ids }: LiveMessage): void {
  // After a gap nobody knows what was missed: everything shown is asked again.
  if (name === 'sync') return void queryClient.invalidateQueries()
  for (const refetchOn of rooms) {
    for (const queryKey of refetchOn[name]?.(ids) ?? []) void queryClient.invalidateQueries({ queryKey })
  }
}
