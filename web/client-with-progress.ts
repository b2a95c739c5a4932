import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'
import { fetchWithProgress } from '#web/kit/upload.ts'

/**
 * A client for one upload that reports its progress from 0 to 1, with the same calls as `client`. All its
 * requests share one idempotency key, so create a client for each upload.
 */
export function clientWithProgress(
  onProgress: (share: number) => void,
): JsonifiedClient<ContractRouterClient<typeof contract>> {
  const idempotencyKey = crypto.randomUUID()
  const link = new OpenAPILink(contract, {
    url: () => new URL('/api', location.origin),
    headers: () => ({ 'idempotency-key': idempotencyKey }),
    fetch: (request) => fetchWithProgress(request, onProgress),
  })
  return createORPCClient(link)
}
