import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { contract } from '#contract/index.ts'

/**
 * Each write sends its own key, so that repeating it after a lost answer has no second effect. One with
 * `keepalive` is sent even when the page is left at that moment.
 */
type CallOptions = { idempotencyKey?: string; keepalive?: boolean }

const link = new OpenAPILink<CallOptions>(contract, {
  url: () => new URL('/api', location.origin),
  headers: ({ context }) => ({ 'idempotency-key': context.idempotencyKey ?? crypto.randomUUID() }),
  fetch: (request, init, { context }) =>
    fetch(request, { ...init, credentials: 'same-origin', keepalive: context.keepalive ?? false }),
})

/** The server's calls, typed from the contract: `await client.matching.getRequest({ id })`. */
export const client: JsonifiedClient<ContractRouterClient<typeof contract, CallOptions>> =
  createORPCClient(link)

/** The same calls for queries and mutations: `useQuery(api.products.listProducts.queryOptions())`. */
export const api = createTanstackQueryUtils(client)
