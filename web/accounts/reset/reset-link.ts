import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api.ts'

/** Whose password a link is for, asked once and without using it up. */
export function resetLinkOptions(token: string) {
  return queryOptions({
    queryKey: ['accounts', 'reset link', token],
    queryFn: () => client.accounts.readReset({ token }),
    staleTime: Infinity,
    // As long as it takes to go on from one screen to the next. The secret does not stay in the cache.
    gcTime: 10_000,
  })
}
