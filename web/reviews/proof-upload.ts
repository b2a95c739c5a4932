import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'

type ProofUpload = { id: string; file: File; paidCents: number }

/**
 * Sends a proof of purchase and tells how far it is, from 0 to 1. The same call as `client.reviews.proveByFile`, sent by
 * XMLHttpRequest, since `fetch` does not tell about the progress of an upload.
 */
export function uploadProof(proof: ProofUpload, onProgress: (share: number) => void) {
  const idempotencyKey = crypto.randomUUID()
  const link = new OpenAPILink(contract, {
    url: () => new URL('/api', location.origin),
    headers: () => ({ 'idempotency-key': idempotencyKey }),
    fetch: (request) => send(request, onProgress),
  })
  const client: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(link)
  return client.reviews.proveByFile(proof)
}

async function send(request: Request, onProgress: (share: number) => void): Promise<Response> {
  const body = await request.blob()
  const upload = new XMLHttpRequest()
  upload.open(request.method, request.url)
  upload.responseType = 'blob'
  for (const [name, value] of request.headers) upload.setRequestHeader(name, value)
  upload.upload.onprogress = ({ loaded, total, lengthComputable }) => {
    if (lengthComputable && total > 0) onProgress(loaded / total)
  }
  return new Promise((resolve, reject) => {
    upload.onload = () =>
      resolve(new Response(upload.response, { status: upload.status, headers: headersOf(upload) }))
    // The same as a `fetch` without an answer, so that it is read the same.
    upload.onerror = () => reject(new TypeError('The upload did not reach the server.'))
    upload.send(body)
  })
}

function headersOf(upload: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of upload.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
