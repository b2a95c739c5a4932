import { notifyManager, QueryClient } from '@tanstack/react-query'

// A button is busy before its next press can come: the second click of a double click does nothing.
notifyManager.setScheduler(queueMicrotask)

/** How long a member's own products are taken as fresh. */
export const productsFreshMs = 5 * 60_000

/** The one cache of server data. Its retries follow `shouldRetry`; writes are never sent twice by themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        networkMode: 'online',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Three more tries for what may pass by itself: no answer at all, or 502, 503 and 504. A refusal (4xx) is final. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 3) return false
  const status = statusOf(error)
  return status === undefined ? isNetworkError(error) : status === 502 || status === 503 || status === 504
}

/** 1, 2, 4 s and so on, at most 30 s. */
export function retryDelay(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** failures)
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  return typeof error.status === 'number' ? error.status : undefined
}

// `fetch` rejects with a TypeError when it got no answer.
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError
}
