// A bucket of a storage that speaks the protocol of S3. The only file that knows the protocol. Each request
// is signed with the hash of its body, so the storage refuses what was changed on the way.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Config } from '#server/kit/config.ts'
import { outcomeOfStatus, timePartner } from '#server/kit/observe/metrics.ts'
import { StorageDown, StorageFull } from './files.ts'
import type { OpenFile, StoredFile } from './files.ts'

/** Every call refuses with `StorageDown`, and those that write with `StorageFull`. */
export type Bucket = {
  /** Stores the body in one request. `hash` is its SHA-256 in hexadecimal digits. */
  put(key: string, body: Uint8Array | Blob, hash: string): Promise<void>
  /** Stores what `source` yields, which may be large. It is there once it is whole. Returns its bytes. */
  putInParts(key: string, source: AsyncIterable<Uint8Array>, options?: PartOptions): Promise<number>
  get(key: string): Promise<Buffer | null>
  open(key: string): Promise<OpenFile | null>
  /** All `size` bytes, going on where it was when the connection breaks. */
  read(key: string, size: number): AsyncIterable<Uint8Array>
  remove(key: string): Promise<void>
  /** Everything whose key starts with `prefix`, in the order of keys. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** Removes the parts of those that were never finished, of the keys that `isLeft` names. */
  removeUnfinished(isLeft: (key: string) => boolean): Promise<void>
}

/** `partBytes` are in memory at a time, and a storage takes at most 10,000 parts. */
type PartOptions = { partBytes?: number }

const patienceMs = 20_000
/** A file is stored while a transaction is open, which the database ends after 15 seconds of silence. */
const storingMs = 10_000
/** A storage may need minutes to put parts together. */
const joiningMs = 600_000
const tries = 3
/** A long upload is worth waiting a minute for. */
const partTries = 6
const usualPartBytes = 32 * 1024 * 1024
const mostParts = 10_000
/** Keys in one answer of a listing. */
const listed = '1000'

/**
 * Opens the bucket. Nothing is asked of it before the first call. A storage has `patience` milliseconds to
 * take bytes or to remove them, however often it is asked, and more for many; a file that a job hands over
 * has them for each try.
 */
export function openBucket(config: S3Config, { patience = storingMs } = {}): Bucket {
  const ask = asker(config)
  return {
    async put(key, body, hash) {
      const given = body as Body
      // A slow connection gets a second for each megabyte.
      const all = patience + Math.ceil(sizeOf(given) / 1000)
      const most = body instanceof Blob ? { patience: all } : { signal: AbortSignal.timeout(all) }
      await discard(wanted(await ask('PUT', key, { body: given, hash, ...most })))
    },
    putInParts: (key, source, options) => putInParts(ask, key, source, options),
    async get(key) {
      const answer = await ask('GET', key)
      return answer && Buffer.from(await read(answer.arrayBuffer()))
    },
    async open(key) {
      const answer = await ask('GET', key, { patience: null })
      const size = Number(answer?.headers.get('content-length'))
      return answer?.body ? { size, body: ReadableStream.from(readOn(ask, key, size, answer)) } : null
    },
    read: (key, size) => readOn(ask, key, size),
    async remove(key) {
      await discard(await ask('DELETE', key, { signal: AbortSignal.timeout(patience) }))
    },
    list: (prefix) => list(ask, prefix),
    removeUnfinished: (isLeft) => removeUnfinished(ask, isLeft),
  }
}

export function sha256(bytes: Uint8Array | string) {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The bytes are never shared between threads. */
type Body = Uint8Array<ArrayBuffer> | Blob
type Options = {
  query?: Record<string, string>
  body?: Body
  hash?: string
  headers?: Record<string, string>
  /** For each try; null for one that may take long. */
  patience?: number | null
  /** Ends all tries. */
  signal?: AbortSignal
  tries?: number
}
type Ask = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  key: string | null,
  options?: Options,
) => Promise<Response | null>

/** Signs and sends, again when the storage is busy; null where nothing is there. */
function asker({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config): Ask {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  return async (method, key, options = {}) => {
    const { query = {}, body, hash = emptyHash, patience = patienceMs, tries: most = tries } = options
    const url = new URL(`${endpoint}/${bucket}${key === null ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    for (let attempt = 1; ; attempt += 1) {
      const headers = { 'x-amz-content-sha256': hash, ...options.headers }
      const { headers: signed } = await client.sign(url, { method, headers })
      const signal = options.signal ?? (patience === null ? null : AbortSignal.timeout(patience))
      const send = () =>
        fetch(url, { method, headers: signed, signal, redirect: 'error', ...(body && { body }) })
      const { answer, fault } = await timePartner('storage', send, {
        ofAnswer: ({ status }) => (status === 404 ? 'done' : outcomeOfStatus(status)),
      }).then(
        (answer) => ({ answer, fault: undefined }),
        (fault: unknown) => ({ answer: null, fault }),
      )
      const isOver = attempt === most || options.signal?.aborted
      if (answer?.ok) return answer
      if (answer?.status === 404 && !isBucketMissing(await answer.clone().text())) return discard(answer)
      const passing = !answer || answer.status >= 500 || answer.status === 429
      if (!passing || isOver) throw answer ? await refusalOf(answer) : unreachable(fault)
      await discard(answer)
      await sleep(40 * 4 ** attempt)
    }
  }
}

function isBucketMissing(text: string) {
  return text.includes('<Code>NoSuchBucket</Code>')
}

/** The message names a code only: an address would reach the log. */
function unreachable(fault: unknown) {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer'
  return new StorageDown(`storage down (${code})`, { cause: code })
}

async function refusalOf(answer: Response) {
  return refusalFor(answer.status, await read(answer.text()))
}

function refusalFor(status: number, text: string) {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? ''
  const cause = `${status} ${code}`.trim()
  return status === 507 || /Quota|StorageFull/.test(code)
    ? new StorageFull(`storage full (${cause})`, { cause })
    : new StorageDown(`storage down (${cause})`, { cause })
}

function wanted(answer: Response | null): Response {
  if (!answer) throw new StorageDown('storage down (404)', { cause: '404' })
  return answer
}

async function putInParts(
  ask: Ask,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { partBytes = usualPartBytes }: PartOptions = {},
): Promise<number> {
  const begun = wanted(await ask('POST', key, { query: { uploads: '' } }))
  const uploadId = fieldOf(await read(begun.text()), 'UploadId') ?? ''
  try {
    const tags: string[] = []
    let total = 0
    for await (const part of partsOf(source, partBytes)) {
      if (tags.length === mostParts) throw new StorageFull('storage full (10,000 parts)')
      tags.push(await putPart(ask, key, { uploadId, partNumber: String(tags.length + 1) }, part))
      total += part.byteLength
    }
    await joinParts(ask, key, uploadId, tags)
    await requireWhole(ask, key, total)
    return total
  } catch (error) {
    // What cannot be removed now is removed by the next one.
    await ask('DELETE', key, { query: { uploadId } }).then(discard, () => {})
    throw error
  }
}

async function putPart(ask: Ask, key: string, query: Record<string, string>, body: Body): Promise<string> {
  const patience = patienceMs + Math.ceil(sizeOf(body) / 100)
  const hash = sha256(body as Uint8Array)
  const answer = wanted(await ask('PUT', key, { query, body, hash, patience, tries: partTries }))
  await discard(answer)
  return answer.headers.get('etag') ?? ''
}

async function joinParts(ask: Ask, key: string, uploadId: string, tags: string[]) {
  const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const answer = await ask('POST', key, {
    query: { uploadId },
    body,
    hash: sha256(body),
    patience: joiningMs,
  })
  // The status is sent before the parts are put together. Nothing is there the second time we ask, when the
  // first answer was lost.
  const text = answer ? await read(answer.text()) : ''
  if (text.includes('<Error>')) throw refusalFor(500, text)
}

async function requireWhole(ask: Ask, key: string, size: number) {
  for await (const stored of list(ask, key)) if (stored.key === key && stored.size === size) return
  throw new StorageDown('storage down (not whole)', { cause: 'not whole' })
}

/** All that `source` yields in parts of this size, but for the last one. Each is good until the next. */
async function* partsOf(source: AsyncIterable<Uint8Array>, partBytes: number) {
  const part = Buffer.allocUnsafeSlow(partBytes)
  let [filled, count] = [0, 0]
  for await (const bytes of source)
    for (let at = 0; at < bytes.byteLength;) {
      const piece = bytes.subarray(at, at + partBytes - filled)
      part.set(piece, filled)
      at += piece.byteLength
      filled += piece.byteLength
      if (filled < partBytes) continue
      yield part
      count += 1
      filled = 0
    }
  // A storage wants one part of what is empty, and no empty one else.
  if (filled > 0 || count === 0) yield part.subarray(0, filled)
}

async function* readOn(
  ask: Ask,
  key: string,
  size: number,
  first: Response | null = null,
): AsyncGenerator<Uint8Array> {
  let at = 0
  let opened = first
  for (let breaks = 0; at < size;) {
    const headers: Record<string, string> = at > 0 ? { range: `bytes=${at}-` } : {}
    const answer = opened ?? wanted(await ask('GET', key, { headers, patience: null, tries: partTries }))
    opened = null
    try {
      if (at > 0 && answer.status !== 206) throw new Error('The storage reads only from the beginning.')
      for await (const bytes of answer.body ?? []) {
        at += bytes.byteLength
        breaks = 0
        yield bytes
      }
      if (at < size) throw new Error('The answer ended early.')
    } catch (fault) {
      breaks += 1
      if (breaks === tries) throw unreachable(fault)
    }
  }
}

/** Each answer goes on after the last key of the one before: some storages have no other way that works. */
async function* list(ask: Ask, prefix: string): AsyncIterable<StoredFile> {
  let after = ''
  let more = true
  while (more) {
    const query = { 'list-type': '2', 'max-keys': listed, prefix, 'start-after': after }
    const answer = await ask('GET', null, { query })
    const text = answer ? await read(answer.text()) : ''
    const last = after
    for (const entry of entriesOf(text, 'Contents')) {
      after = fieldOf(entry, 'Key') ?? after
      const [size, storedAt] = [Number(fieldOf(entry, 'Size')), fieldOf(entry, 'LastModified') ?? '']
      yield { key: after, size, storedAt: new Date(storedAt) }
    }
    more = fieldOf(text, 'IsTruncated') === 'true' && after !== last
  }
}

async function removeUnfinished(ask: Ask, isLeft: (key: string) => boolean) {
  const answer = wanted(await ask('GET', null, { query: { uploads: '' } }))
  for (const entry of entriesOf(await read(answer.text()), 'Upload')) {
    const [key = '', uploadId = ''] = [fieldOf(entry, 'Key'), fieldOf(entry, 'UploadId')]
    if (isLeft(key)) await discard(await ask('DELETE', key, { query: { uploadId } }))
  }
}

function entriesOf(xml: string, name: string) {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, entry = '']) => entry)
}

function fieldOf(xml: string, name: string) {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text
    ?.replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** A connection that breaks while an answer is read is a storage that is down. */
async function read<T>(answer: Promise<T>) {
  try {
    return await answer
  } catch (fault) {
    throw unreachable(fault)
  }
}

/** Frees the connection. */
async function discard(answer: Response | null) {
  await answer?.body?.cancel()
  return null
}

function sizeOf(body: Body) {
  return 'size' in body ? body.size : body.byteLength
}

const emptyHash = sha256('')
