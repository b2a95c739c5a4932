import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api.ts'

/** Reads which account a reset link is for, once and without using it up. */
export function resetLinkOptions(token: string) {
  return queryOptions({
    queryKey: ['accounts', 'reset link', token],
    queryFn: () => client.accounts.readReset({ token }),
    staleTime: Infinity,
    // Long enough to move to the next screen, short enough that the secret does not stay in the cache.
    gcTime: 10_000,
  })
}
