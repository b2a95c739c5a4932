// A backup is one file: a tar archive, compressed by gzip, and encrypted in the format of age when a
// recipient is given. Each layer can be opened with the ordinary tool of its name.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { StartError } from '#server/kit/start-error.ts'

export type Archive = {
  add(name: string, bytes: Uint8Array): Promise<void>
  addStream(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Puts the file to its place, whole and on the disk itself. */
  finish(): Promise<void>
  /** Removes what was written so far. */
  abandon(): Promise<void>
}

export type Entry = { name: string; size: number; body: AsyncIterable<Uint8Array> }

type Bytes = AsyncIterable<Uint8Array>

const begin = 'age-encryption.org/v1'

/**
 * A new archive at `path`, for its owner alone to read. It appears there when it is finished.
 * @param recipient an age recipient, such as `age1…`; only the holder of its identity can read the archive
 */
export function createArchive(path: string, recipient: string | undefined): Archive {
  const { readable, controller } = createTarPacker()
  const part = `${path}.part`
  // Each write to the packer waits for the disk, and fails when the disk does.
  const written = pipeline(
    Readable.fromWeb(readable as WebStream<Uint8Array>),
    createGzip({ level: 4 }),
    (source: Bytes) => (recipient ? encrypt(source, recipient) : source),
    createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }),
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
      await written
      await rename(part, path)
      await syncFolder(dirname(path))
    },
    async abandon() {
      controller.error(new Error('The archive was abandoned.'))
      await written.catch(() => {})
      await rm(part, { force: true })
    },
  }
}

/**
 * Every entry of an archive, in order. The body of each has to be read to its end before the next.
 * @param onBytes receives how many bytes of the file were read so far
 * @throws StartError when it is encrypted and `identity` is missing or another one, and when it is damaged
 */
export async function* readArchive(
  path: string,
  identity: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Entry> {
  const encrypted = await isEncrypted(path)
  if (encrypted && identity === undefined)
    throw new StartError(
      `${path} is encrypted: set BACKUP_IDENTITY to the file of the identity that opens it.`,
    )
  const source = createReadStream(path)
  source.on('data', () => onBytes(source.bytesRead))
  const plain = new PassThrough()
  const opened = (bytes: Bytes) => (identity && encrypted ? decrypt(bytes, identity, path) : bytes)
  let damage: unknown
  const read = pipeline(source, opened, createGunzip(), plain).catch((error: unknown) => {
    damage = error
  })
  // The layers fail first; what reads them meets it in words of its own.
  const explain = async (error: unknown) => {
    plain.destroy()
    await read
    if (damage instanceof StartError || !isDamage(damage))
      return damage instanceof StartError ? damage : error
    return new StartError(`${path} is damaged or cut off (${damage.message}): use another backup.`)
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
    source.destroy()
    plain.destroy()
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

async function* decrypt(source: Bytes, identity: string, path: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  let plain: Bytes
  try {
    decrypter.addIdentity(identity)
    plain = (await decrypter.decrypt(webStreamOf(source))) as unknown as Bytes
  } catch (error) {
    throw new StartError(
      `${path} cannot be opened with the identity in BACKUP_IDENTITY (${(error as Error).message}).`,
    )
  }
  yield* plain
}

function webStreamOf(source: Bytes) {
  return Readable.toWeb(Readable.from(source)) as unknown as ReadableStream<Uint8Array>
}

async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(begin.length), 0, begin.length, 0)
    return buffer.toString('latin1') === begin
  } finally {
    await file.close()
  }
}

/** Of a layer, rather than of one who stopped reading. */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE'
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
