import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'
import { fetchWithProgress } from '#web/kit/upload.ts'

type ProofUpload = { id: string; file: File; paidCents: number }

/**
 * Sends a proof of purchase and tells how far it is, from 0 to 1. The same call as `client.reviews.proveByFile`.
 */
export function uploadProof(proof: ProofUpload, onProgress: (share: number) => void) {
  const idempotencyKey = crypto.randomUUID()
  const link = new OpenAPILink(contract, {
    url: () => new URL('/api', location.origin),
    headers: () => ({ 'idempotency-key': idempotencyKey }),
    fetch: (request) => fetchWithProgress(request, onProgress),
  })
  const client: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(link)
  return client.reviews.proveByFile(proof)
}
