// A backup is one file: a tar archive, compressed by gzip, and encrypted in the format of age when a
// recipient is given. Each layer can be opened with the ordinary tool of its name.
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { StartError } from '#server/kit/start-error.ts'
import type { StoredBackup } from './store.ts'

export type Archive = {
  add(name: string, bytes: Uint8Array): Promise<void>
  addStream(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Ends the archive. Returns its bytes once all of it is stored. */
  finish(): Promise<number>
  /** Stores nothing. */
  abandon(): Promise<void>
}

export type Entry = { name: string; size: number; body: AsyncIterable<Uint8Array> }

type Bytes = AsyncIterable<Uint8Array>

const begin = 'age-encryption.org/v1'

/**
 * A new archive, which `put` stores whole or not at all and whose bytes it counts.
 * @param recipient an age recipient, such as `age1…`; only the holder of its identity can read the archive
 */
export function createArchive(
  put: (source: Bytes) => Promise<number>,
  recipient: string | undefined,
): Archive {
  const { readable, controller } = createTarPacker()
  // Each write to the packer waits for the storage, and fails when it does.
  const written = pipeline(
    Readable.fromWeb(readable as WebStream<Uint8Array>),
    createGzip({ level: 4 }),
    (source: Bytes) => (recipient ? encrypt(source, recipient) : source),
    put,
  )
  written.catch(() => {})

  async function addStream(name: string, size: number, body: Bytes) {
    const writer = controller.add({ name, size, mode: 0o600, mtime: new Date() }).getWriter()
    for await (const bytes of body) await writer.write(bytes)
    await writer.close()
  }
  return {
    addStream,
    add: (name, bytes) => addStream(name, bytes.length, Readable.from([bytes])),
    async finish() {
      controller.finalize()
      return written
    },
    async abandon() {
      controller.error(new Error('The archive was abandoned.'))
      await written.catch(() => {})
    },
  }
}

/**
 * Every entry of an archive, in order. The body of each has to be read to its end before the next.
 * @param onBytes receives how many bytes of the file were read so far
 * @throws StartError when it is encrypted and `identity` is missing or another one, and when it is damaged
 */
export async function* readArchive(
  backup: StoredBackup,
  identity: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Entry> {
  const { where } = backup
  const { isEncrypted, source } = await peek(backup.read())
  if (isEncrypted && identity === undefined)
    throw new StartError(
      `${where} is encrypted: set BACKUP_IDENTITY to the file of the identity that opens it.`,
    )
  const plain = new PassThrough()
  const opened = (bytes: Bytes) => (identity && isEncrypted ? decrypt(bytes, identity, where) : bytes)
  let damage: unknown
  const read = pipeline(counted(source, onBytes), opened, createGunzip(), plain).catch((error: unknown) => {
    damage = error
  })
  // The layers fail first; what reads them meets it in words of its own.
  const explain = async (error: unknown) => {
    plain.destroy()
    await read
    if (damage instanceof StartError || !isDamage(damage))
      return damage instanceof StartError ? damage : error
    return new StartError(`${where} is damaged or cut off (${damage.message}): use another backup.`)
  }
  async function* explained(body: Bytes) {
    try {
      yield* body
    } catch (error) {
      throw await explain(error)
    }
  }
  const tar = Readable.toWeb(plain) as unknown as ReadableStream<Uint8Array>
  try {
    for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true })))
      yield { name: header.name, size: header.size, body: explained(body as unknown as Bytes) }
  } catch (error) {
    throw await explain(error)
  } finally {
    plain.destroy()
  }
}

/** What it is, by its first bytes, and all of it. */
async function peek(bytes: Bytes): Promise<{ isEncrypted: boolean; source: Bytes }> {
  const rest = bytes[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < begin.length) {
    const next = await rest.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  async function* source() {
    yield start
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { isEncrypted: start.subarray(0, begin.length).toString('latin1') === begin, source: source() }
}

async function* counted(source: Bytes, onBytes: (bytes: number) => void) {
  let total = 0
  for await (const bytes of source) {
    total += bytes.byteLength
    onBytes(total)
    yield bytes
  }
}

/** A new pair of keys: the identity opens what is encrypted for its recipient. */
export async function makeKeys(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Whether `text` can be a recipient. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

async function* encrypt(source: Bytes, recipient: string): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  yield* (await encrypter.encrypt(webStreamOf(source))) as unknown as Bytes
}

async function* decrypt(source: Bytes, identity: string, where: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  let plain: Bytes
  try {
    decrypter.addIdentity(identity)
    plain = (await decrypter.decrypt(webStreamOf(source))) as unknown as Bytes
  } catch (error) {
    throw new StartError(
      `${where} cannot be opened with the identity in BACKUP_IDENTITY (${(error as Error).message}).`,
    )
  }
  yield* plain
}

function webStreamOf(source: Bytes) {
  return Readable.toWeb(Readable.from(source)) as unknown as ReadableStream<Uint8Array>
}

/** Of a layer, rather than of one who stopped reading. */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE'
}
