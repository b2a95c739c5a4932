import { createHash } from 'node:crypto'
import { refuse } from '#server/kit/refusal.ts'
import { receiveUpload } from '#server/kit/uploads/upload.ts'

const jsonLimit = 64 * 1024
// A body that is somewhat too large is read to its end, though not kept: else the server closes the
// connection shortly after the refusal, under whatever the sender asks next on it.
const passedOverLimit = 4 * 1024 * 1024

export type ReadRequest = { request: Request; hash: Buffer; originalName?: string }

/** Thrown for a body of a kind the call does not take. */
export class UnsupportedBody extends Error {}

/**
 * Reads a JSON body within 64 KiB, counted while it arrives. Anything but JSON, or a compressed body, is
 * UnsupportedBody.
 */
export async function readJsonBody(request: Request): Promise<ReadRequest> {
  if (!request.body) return { request, hash: hashOf(request, new Uint8Array()) }
  const body = await readCounted(request.body)
  if (body.length > 0) {
    const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/json' || request.headers.has('content-encoding')) throw new UnsupportedBody()
  }
  const { url, method, headers } = request
  return { request: new Request(url, { method, headers, body }), hash: hashOf(request, body) }
}

/**
 * Reads the fields of a page's own form within 64 KiB. Another kind of body, or one that is no UTF-8, is
 * UnsupportedBody.
 */
export async function readFormBody(request: Request): Promise<URLSearchParams> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || request.headers.has('content-encoding'))
    throw new UnsupportedBody()
  const body = request.body ? await readCounted(request.body) : new Uint8Array()
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new UnsupportedBody()
  }
}

/** Reads a body as it came, within so many bytes; null for a compressed one. */
export async function readRawBody(request: Request, limit: number): Promise<Uint8Array | null> {
  if (request.headers.has('content-encoding')) return null
  return request.body ? readCounted(request.body, limit) : new Uint8Array()
}

/** Reads an upload of `sender` within its limits and hands the same call on with one clean file part. */
export async function readUploadBody(request: Request, sender: string | null = null): Promise<ReadRequest> {
  const { bytes, originalName, fields } = await receiveUpload(request, { sender })
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new File([new Uint8Array(bytes)], originalName || 'file'))
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) headers.delete(name)
  const { url, method } = request
  // The fields are part of what was asked; the name of the file is not.
  const asked = Buffer.concat([Buffer.from(`${JSON.stringify(fields)}\n`), bytes])
  return { request: new Request(url, { method, headers, body: form }), hash: hashOf(request, asked) }
}

async function readCounted(stream: ReadableStream<Uint8Array>, limit = jsonLimit) {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size <= limit) parts.push(value)
    else if (size > passedOverLimit) break
  }
  reader.releaseLock()
  if (size > limit) throw refuse('TOO_LARGE')
  return new Uint8Array(Buffer.concat(parts))
}

function hashOf(request: Request, body: Uint8Array) {
  return createHash('sha256').update(`${request.method} ${request.url}\n`).update(body).digest()
}
