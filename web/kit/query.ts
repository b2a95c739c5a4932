import { notifyManager, QueryClient } from '@tanstack/react-query'

// A pressed button must be busy before a second click of a double click arrives.
notifyManager.setScheduler(queueMicrotask)

/** For how long a member's own products are fresh. */
export const productsFreshMs = 5 * 60_000

/** The only cache of server data. Queries are retried as `shouldRetry` says; writes are never retried. */
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

/** Retries temporary failures three times: no answer, or 502, 503 and 504. Everything else is final. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 3) return false
  const status = statusOf(error)
  return status === undefined ? isNetworkError(error) : status === 502 || status === 503 || status === 504
}

/**
 * In milliseconds: 1, 2, 4 s and so on, at most 30 s. Where the answer says when to come back it is at least
 * that, and up to a second more by chance, since many were sent away together.
 */
export function retryDelay(failures: number, error?: unknown): number {
  const wait = waitOf(error)
  const growing = 1_000 * 2 ** failures
  return Math.min(30_000, wait === undefined ? growing : Math.max(growing, 1_000 * (wait + Math.random())))
}

/** The seconds of Retry-After, which the body of a refusal repeats. */
function waitOf(error: unknown): number | undefined {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined
  const wait = typeof data === 'object' && data !== null && 'wait' in data ? data.wait : undefined
  return typeof wait === 'number' ? wait : undefined
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  return typeof error.status === 'number' ? error.status : undefined
}

// `fetch` rejects with a TypeError when there is no answer.
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError
}
