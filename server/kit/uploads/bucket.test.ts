// What is stored in parts and read piece by piece, against a server by others that checks signatures; and
// what that server cannot do or never does, against a small one of this test.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startS3 } from '#server/testing/s3.ts'
import type { S3Server } from '#server/testing/s3.ts'
import { openBucket } from './bucket.ts'
import type { Bucket } from './bucket.ts'

const partBytes = 64 * 1024
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

describe('what is stored in parts', () => {
  test.each([0, 1, partBytes - 1, partBytes, partBytes + 1, 5 * partBytes + 7])(
    'comes back byte for byte: %i bytes',
    async (size) => {
      const bucket = openBucket(s3.config)
      const bytes = randomBytes(size)
      const key = `parts-${size}`
      // Pieces that end within a part, and pieces that are longer than one.
      const pieces = [bytes.subarray(0, 1000), bytes.subarray(1000, 100_000), bytes.subarray(100_000)]
      expect(await bucket.putInParts(key, from(pieces), { partBytes })).toBe(size)
      expect(await namesOf(bucket, key)).toContain(key)
      expect(await bytesOf(bucket.read(key, size))).toEqual(bytes)
    },
  )

  test('is not there when its source fails', async () => {
    const bucket = openBucket(s3.config)
    async function* broken() {
      yield randomBytes(3 * partBytes)
      throw new Error('lost')
    }
    await expect(bucket.putInParts('broken', broken(), { partBytes })).rejects.toThrow('lost')
    expect(await namesOf(bucket, 'broken')).toEqual([])
  })

  test('is removed part by part when it fails', async () => {
    const asked = await askedBy(
      ({ method, url }) => {
        if (method === 'POST') return '<UploadId>7</UploadId>'
        return method === 'PUT' && url?.includes('partNumber=2') ? '403 <Code>AccessDenied</Code>' : ''
      },
      (bucket) =>
        expect(bucket.putInParts('a', from([Buffer.alloc(3 * partBytes)]), { partBytes })).rejects.toThrow(
          '403 AccessDenied',
        ),
    )
    expect(asked.at(-1)).toBe('DELETE /evenhand-files/a?uploadId=7')
  })

  test('goes on when one part has to be sent again', async () => {
    let refused = false
    const asked = await askedBy(
      ({ method, url }) => {
        if (url?.includes('list-type')) return `<Contents><Key>a</Key><Size>${partBytes}</Size></Contents>`
        if (method !== 'PUT' || refused) return '<UploadId>7</UploadId>'
        refused = true
        return '503 <Code>SlowDown</Code>'
      },
      async (bucket) =>
        expect(await bucket.putInParts('a', from([Buffer.alloc(partBytes)]), { partBytes })).toBe(partBytes),
    )
    expect(asked.filter((each) => each.includes('partNumber=1'))).toHaveLength(2)
  })

  test('is not stored when the storage says so after its good status', async () => {
    const says = ({ url }: IncomingMessage) =>
      url?.includes('uploadId=') ? '<Error><Code>InternalError</Code></Error>' : '<UploadId>7</UploadId>'
    await askedBy(says, (bucket) => expect(bucket.putInParts('a', from([]))).rejects.toThrow('InternalError'))
  })

  test('is not stored when less of it is there than was sent', async () => {
    const says = ({ url }: IncomingMessage) =>
      url?.includes('list-type')
        ? '<Contents><Key>a</Key><Size>2</Size></Contents>'
        : '<UploadId>7</UploadId>'
    await askedBy(says, (bucket) =>
      expect(bucket.putInParts('a', from([Buffer.from('abc')]))).rejects.toThrow('not whole'),
    )
  })
})

test.each([
  ['read', (bucket: Bucket, size: number) => bucket.read('a', size)],
  ['opened', async (bucket: Bucket) => (await bucket.open('a'))?.body],
])('a file that is %s goes on where the connection broke', async (_how, read) => {
  const bytes = randomBytes(300_000)
  const ranges: (string | undefined)[] = []
  const bucket = await serve(({ headers }, response) => {
    ranges.push(headers.range)
    const at = Number(/\d+/.exec(headers.range ?? '0')?.[0])
    response.writeHead(at > 0 ? 206 : 200, { 'content-length': bytes.length - at })
    const until = ranges.length === 3 ? bytes.length : at + 100_000
    response.write(bytes.subarray(at, until), () =>
      until === bytes.length ? response.end() : response.destroy(),
    )
  })
  expect(await bytesOf((await read(bucket, bytes.length)) ?? from([]))).toEqual(bytes)
  expect(ranges[0]).toBeUndefined()
  expect(ranges).toHaveLength(3)
})

test('reading ends when the storage always breaks off', async () => {
  const bucket = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('', () => response.destroy())
  })
  await expect(bytesOf(bucket.read('a', 10))).rejects.toThrow('storage down')
})

test('parts of what was never finished are removed, of the keys that are named', async () => {
  const uploads = ['mine', 'other'].map(
    (key) => `<Upload><Key>${key}</Key><UploadId>of-${key}</UploadId></Upload>`,
  )
  const asked = await askedBy(
    () => uploads.join(''),
    (bucket) => bucket.removeUnfinished((key) => key === 'mine'),
  )
  expect(asked).toEqual(['GET /evenhand-files?uploads=', 'DELETE /evenhand-files/mine?uploadId=of-mine'])
})

/** What the bucket was asked while `use` used it. Answers begin with their status, or are good. */
async function askedBy(
  says: (request: IncomingMessage) => string,
  use: (bucket: ReturnType<typeof openBucket>) => Promise<unknown>,
) {
  const asked: string[] = []
  const bucket = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const text = says(request)
    const status = Number(/^\d{3}/.exec(text)?.[0] ?? 200)
    request.resume().on('end', () => response.writeHead(status).end(text))
  })
  await use(bucket)
  return asked
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return openBucket({ ...s3.config, endpoint: `http://127.0.0.1:${port}` })
}

async function* from(pieces: Uint8Array[]) {
  yield* pieces
}

async function bytesOf(source: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function namesOf(bucket: ReturnType<typeof openBucket>, prefix: string) {
  const names: string[] = []
  for await (const { key } of bucket.list(prefix)) names.push(key)
  return names
}
