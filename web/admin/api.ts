import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { staffContract } from '#contract/staff/index.ts'

type CallOptions = { idempotencyKey?: string }

const link = new OpenAPILink<CallOptions>(staffContract, {
  url: () => new URL('/api', location.origin),
  headers: ({ context }) => ({ 'idempotency-key': context.idempotencyKey ?? crypto.randomUUID() }),
  fetch: (request, init) => fetch(request, { ...init, credentials: 'same-origin' }),
})

/** The staff's calls, typed from the contract: `await staffClient.users.listUsers({})`. */
export const staffClient: JsonifiedClient<ContractRouterClient<typeof staffContract, CallOptions>> =
  createORPCClient(link)

/** The same calls for queries and mutations: `useQuery(staffApi.users.listUsers.queryOptions())`. */
export const staffApi = createTanstackQueryUtils(staffClient)
