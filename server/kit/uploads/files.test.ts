// What both storages promise, on a disk and in a bucket of a server that checks signatures.
import { mkdtemp, rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startS3 } from '#server/testing/s3.ts'
import type { S3Server } from '#server/testing/s3.ts'
import { newFileKey, StorageDown, StorageFull } from './files.ts'
import { openS3Files } from './s3-files.ts'
import type { Files } from './files.ts'
import { openFiles } from './storage.ts'

let dataDir = ''
let s3: S3Server
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'files-test-'))
  s3 = await startS3()
})
afterAll(async () => {
  await s3.stop()
  await rm(dataDir, { recursive: true })
})

describe.each<[string, () => Files]>([
  ['on the disk', () => openFiles({ dataDir })],
  ['in a bucket', () => openFiles({ dataDir, s3: s3.config })],
])('%s', (_where, open) => {
  test('a kept file comes back byte for byte, and is gone once removed', async () => {
    const files = open()
    for (const bytes of [Buffer.from('a proof'), Buffer.alloc(0), Buffer.alloc(300_000, 'é')]) {
      const key = newFileKey()
      expect(await files.get(key)).toBeNull()
      await files.put(key, bytes)
      expect(await files.get(key)).toEqual(bytes)
      await files.remove(key)
      expect(await files.get(key)).toBeNull()
      await files.remove(key)
    }
  })

  test('a file given in parts is one file, and there only once it is whole', async () => {
    const files = open()
    const [key, broken] = [newFileKey(), newFileKey()]
    async function* parts(fault?: Error) {
      yield Buffer.alloc(200_000, 'one ')
      if (fault) throw fault
      yield Buffer.from('file')
    }
    await files.put(key, parts())
    expect(await files.get(key)).toEqual(Buffer.concat([Buffer.alloc(200_000, 'one '), Buffer.from('file')]))
    await expect(files.put(broken, parts(new Error('lost')))).rejects.toThrow('lost')
    expect(await files.get(broken)).toBeNull()
    await files.remove(key)
  })

  test('a file that is being read is read to its end, also when it is removed meanwhile', async () => {
    const files = open()
    const key = newFileKey()
    await files.put(key, Buffer.alloc(300_000, 'x'))
    const file = await files.open(key)
    expect(file?.size).toBe(300_000)
    await files.remove(key)
    const bytes = await new Response(file?.body).arrayBuffer()
    expect(Buffer.from(bytes)).toEqual(Buffer.alloc(300_000, 'x'))
    expect(await files.open(key)).toBeNull()
  })

  test('the list names files by prefix and in order, with size and time', async () => {
    const files = open()
    const keys = ['ab01', 'ab02', 'ac01'].map((start) => start + 'f'.repeat(28))
    for (const key of keys.toReversed()) await files.put(key, Buffer.from('12345'))
    const listed = await listOf(files, '')
    expect(listed.map(({ key, size }) => [key, size])).toEqual(keys.map((key) => [key, 5]))
    for (const { storedAt } of listed)
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(3_600_000)
    expect((await listOf(files, 'ab0')).map(({ key }) => key)).toEqual(keys.slice(0, 2))
    expect(await listOf(files, 'ab01e')).toEqual([])
    for (const key of keys) await files.remove(key)
  })

  test.each(['../../outside', '', 'a'.repeat(31), 'A'.repeat(32), `${'a'.repeat(31)}/`])(
    'nothing but a key leads to a path: %j',
    async (key) => {
      const files = open()
      for (const action of [
        () => files.put(key, Buffer.from('x')),
        () => files.get(key),
        () => files.remove(key),
      ])
        await expect(action()).rejects.toThrow(TypeError)
    },
  )

  test('what writers left half-way is cleared without a fault', async () => {
    await open().removeUnfinished(new Date())
  })
})

describe('a bucket', () => {
  test('is read where the web server has put a Response of its own in the place of Node’s', async () => {
    vi.stubGlobal('Response', class extends Response {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const files = openFiles({ dataDir, s3: s3.config })
    const key = newFileKey()
    await files.put(key, Buffer.from('a proof'))
    expect(await files.get(key)).toEqual(Buffer.from('a proof'))
    await files.remove(key)
    expect(await files.get(key)).toBeNull()
  })

  test('is listed to its end, however many files it holds', async () => {
    const keys = Array.from({ length: 2205 }, (_, n) => n.toString(16).padStart(32, '0'))
    const asked: (string | null)[] = []
    // The server of the other cases cannot page.
    const { endpoint, stop } = await serve((url) => {
      const { searchParams } = new URL(url, 'http://s3.example')
      const after = searchParams.get('start-after') ?? ''
      asked.push(after)
      const rest = keys.filter((key) => `files/${key}` > after)
      const page = rest.slice(0, Number(searchParams.get('max-keys')))
      const entries = page.map(
        (key) =>
          `<Contents><Key>files/${key}</Key><LastModified>2026-11-23T00:00:00.000Z</LastModified>` +
          '<Size>7</Size></Contents>',
      )
      const truncated = `<IsTruncated>${page.length < rest.length}</IsTruncated>`
      return `<ListBucketResult>${truncated}${entries.join('')}</ListBucketResult>`
    })
    const listed = await listOf(openFiles({ dataDir, s3: { ...s3.config, endpoint } }), '')
    stop()
    expect(listed.map(({ key }) => key)).toEqual(keys)
    expect(listed[0]).toMatchObject({ size: 7, storedAt: new Date('2026-11-23T00:00:00Z') })
    expect(asked).toHaveLength(3)
  })

  test('is given the hash of each body under the signature, so it can refuse a changed one', async () => {
    const seen: [string | undefined, string, string][] = []
    const { endpoint, stop } = await serve((_url, headers, body) => {
      const [given, signed] = [String(headers['x-amz-content-sha256']), String(headers.authorization)]
      seen.push([given, createHash('sha256').update(body).digest('hex'), signed])
      return ''
    })
    const files = openFiles({ dataDir, s3: { ...s3.config, endpoint } })
    async function* parts() {
      yield Buffer.from('in ')
      yield Buffer.from('parts')
    }
    await files.put(newFileKey(), Buffer.from('whole'))
    await files.put(newFileKey(), parts())
    stop()
    expect(seen).toHaveLength(2)
    for (const [given, hash, signed] of seen) {
      expect(given).toBe(hash)
      expect(signed).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/)
    }
  })

  test('refuses a wrong secret, and the message names neither address nor key', async () => {
    const files = openFiles({ dataDir, s3: { ...s3.config, secretAccessKey: 'not it' } })
    const fault = await files.put(newFileKey(), Buffer.from('x')).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(StorageDown)
    expect(String(fault)).toContain('403 SignatureDoesNotMatch')
    expect(String(fault)).not.toContain('127.0.0.1')
  })

  test('that is not there is a storage that is down, not an empty one', async () => {
    const files = openFiles({ dataDir, s3: { ...s3.config, bucket: 'another' } })
    await expect(files.get(newFileKey())).rejects.toThrow(StorageDown)
    await expect(listOf(files, '')).rejects.toThrow('404 NoSuchBucket')
    await expect(files.put(newFileKey(), Buffer.from('x'))).rejects.toThrow(StorageDown)
  })

  test.each([
    ['does not answer', null, StorageDown, 3],
    ['answers 503', '503 <Code>SlowDown</Code>', StorageDown, 3],
    ['is full', '507 <Code>XMinioStorageFull</Code>', StorageFull, 3],
    ['refuses', '403 <Code>AccessDenied</Code>', StorageDown, 1],
    ['lies elsewhere', '301 <Code>PermanentRedirect</Code>', StorageDown, 3],
  ])('that %s is asked again where that helps, then refuses', async (_what, says, refusal, asked) => {
    const request = vi.fn<() => void>()
    const server = createServer((incoming, response) => {
      request()
      incoming.resume()
      if (says === null) return response.destroy()
      response.writeHead(Number(says.slice(0, 3)), { location: 'http://127.0.0.1:1/' }).end(says.slice(4))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const files = openFiles({ dataDir, s3: { ...s3.config, endpoint: `http://127.0.0.1:${port}` } })
    await expect(files.put(newFileKey(), Buffer.from('x'))).rejects.toThrow(refusal)
    expect(request).toHaveBeenCalledTimes(asked)
    server.close()
  })

  test.each<[string, (files: Files) => Promise<void>]>([
    ['to keep a file', (files) => files.put(newFileKey(), Buffer.from('x'))],
    ['to remove one', (files) => files.remove(newFileKey())],
  ])('that says nothing is not asked again %s: a member waits for it', async (_what, act) => {
    const request = vi.fn<() => void>()
    const server = createServer(request).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const silent = { ...s3.config, endpoint: `http://127.0.0.1:${port}` }
    // Long enough that a busy machine reads the first request.
    await expect(act(openS3Files(silent, { patience: 2000 }))).rejects.toThrow(StorageDown)
    expect(request).toHaveBeenCalledTimes(1)
    server.closeAllConnections()
    server.close()
  })
})

test('a key is 128 random bits', () => {
  const keys = Array.from({ length: 1000 }, newFileKey)
  expect(new Set(keys).size).toBe(1000)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})

async function serve(answer: (url: string, headers: IncomingHttpHeaders, body: Buffer) => string) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => response.end(answer(request.url ?? '', request.headers, Buffer.concat(parts))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

async function listOf(files: Files, prefix: string) {
  const listed = []
  for await (const file of files.list(prefix)) listed.push(file)
  return listed
}
