// Files in a bucket of a storage that speaks the protocol of S3, under `files/`. The only file that knows the
// protocol. Each request is signed with the hash of its body, so the storage refuses what was changed on the
// way.
import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Config } from '#server/kit/config.ts'
import { outcomeOfStatus, timePartner } from '#server/kit/observe/metrics.ts'
import { keyForm, requireKey, StorageDown, StorageFull } from './files.ts'
import type { Files, StoredFile } from './files.ts'

const folder = 'files/'
const patienceMs = 20_000
const tries = 3
/** Files in one answer of a listing. */
const listed = '1000'

/** Opens the bucket. Nothing is asked of it before the first file. */
export function openS3Files(config: S3Config): Files {
  const ask = asker(config)
  const pathOf = (key: string) => {
    requireKey(key)
    return `/${folder}${key}`
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      if (bytes instanceof Uint8Array) return putWhole(ask, path, bytes, sha256(bytes))
      await withSpooled(bytes, (file, hash) => putWhole(ask, path, file, hash))
    },
    async get(key) {
      const answer = await ask('GET', pathOf(key))
      return answer && Buffer.from(await read(answer.arrayBuffer()))
    },
    async open(key) {
      const answer = await ask('GET', pathOf(key), { patience: null })
      const size = Number(answer?.headers.get('content-length'))
      return answer?.body ? { size, body: answer.body } : null
    },
    async remove(key) {
      await discard(await ask('DELETE', pathOf(key)))
    },
    list: (prefix) => listKept(ask, prefix),
    space: async () => null,
    // A file appears in a bucket once it is whole.
    removeUnfinished: async () => {},
  }
}

type Body = Uint8Array<ArrayBuffer> | Blob
type Ask = (
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  options?: { query?: Record<string, string>; body?: Body; hash?: string; patience?: number | null },
) => Promise<Response | null>

/** Signs and sends, again when the storage is busy; null where nothing is there. */
function asker({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config): Ask {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  return async (method, path, { query = {}, body, hash = emptyHash, patience = patienceMs } = {}) => {
    const url = new URL(`${endpoint}/${bucket}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    for (let attempt = 1; ; attempt += 1) {
      const headers = { 'x-amz-content-sha256': hash }
      const { headers: signed } = await client.sign(url, { method, headers })
      const signal = patience === null ? null : AbortSignal.timeout(patience)
      const send = () =>
        fetch(url, { method, headers: signed, signal, redirect: 'error', ...(body && { body }) })
      const { answer, fault } = await timePartner('storage', send, {
        ofAnswer: ({ status }) => (status === 404 ? 'done' : outcomeOfStatus(status)),
      }).then(
        (answer) => ({ answer, fault: undefined }),
        (fault: unknown) => ({ answer: null, fault }),
      )
      const isOver = attempt === tries
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
  const code = /<Code>(\w{1,60})<\/Code>/.exec(await read(answer.text()))?.[1] ?? ''
  const cause = `${answer.status} ${code}`.trim()
  return answer.status === 507 || /Quota|StorageFull/.test(code)
    ? new StorageFull(`storage full (${cause})`, { cause })
    : new StorageDown(`storage down (${cause})`, { cause })
}

async function putWhole(ask: Ask, path: string, body: Uint8Array | Blob, hash: string) {
  const patience = patienceMs + Math.ceil(('size' in body ? body.size : body.byteLength) / 1000)
  // The bytes are never shared between threads.
  const given = body as Body
  const answer = await ask('PUT', path, { body: given, hash, patience })
  if (!answer) throw new StorageDown('storage down (404)', { cause: '404' })
  await discard(answer)
}

/** The parts as a file, since the storage wants its length and hash first. */
async function withSpooled(
  parts: AsyncIterable<Uint8Array>,
  use: (file: Blob, hash: string) => Promise<void>,
) {
  const spool = await mkdtemp(join(tmpdir(), 'evenhand-upload-'))
  try {
    const path = join(spool, 'file')
    const hash = createHash('sha256')
    const counted = new Transform({
      transform(part: Buffer, _encoding, done) {
        hash.update(part)
        done(null, part)
      },
    })
    await pipeline(Readable.from(parts), counted, createWriteStream(path, { mode: 0o600 }))
    await use(await openAsBlob(path), hash.digest('hex'))
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
}

/** Each answer goes on after the last key of the one before: some storages have no other way that works. */
async function* listKept(ask: Ask, prefix: string): AsyncIterable<StoredFile> {
  let after = ''
  let more = true
  while (more) {
    const query = { 'list-type': '2', 'max-keys': listed, prefix: folder + prefix, 'start-after': after }
    const answer = await ask('GET', '', { query })
    const text = answer ? await read(answer.text()) : ''
    const last = after
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      after = fieldOf(entry, 'Key') ?? after
      const key = after.slice(folder.length)
      const [size, storedAt] = [Number(fieldOf(entry, 'Size')), fieldOf(entry, 'LastModified') ?? '']
      if (keyForm.test(key)) yield { key, size, storedAt: new Date(storedAt) }
    }
    more = fieldOf(text, 'IsTruncated') === 'true' && after !== last
  }
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

function sha256(bytes: Uint8Array) {
  return createHash('sha256').update(bytes).digest('hex')
}

const emptyHash = sha256(new Uint8Array())
