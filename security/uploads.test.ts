// Hostile uploads: only pictures are accepted, each is encoded again, and no member can block the others.
import { connect } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearSharedLimits, useProduct } from './product.ts'
import type { Browser } from '#server/testing/browser.ts'

const product = useProduct()
const path = '/api/settings/avatar'

beforeEach(() => clearSharedLimits(product))

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = [data.length, crc32(body)].map((number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(number)
    return bytes
  })
  return Buffer.concat([ends[0] ?? body, body, ends[1] ?? body])
}

type Png = { height?: number; claims?: number[]; more?: Buffer[] }

/** A gray PNG. Its header may claim another size. */
function png(width: number, { height = width, claims = [width, height], more = [] }: Png = {}) {
  const header = Buffer.alloc(13)
  for (const [at, length] of claims.entries()) header.writeUInt32BE(length, at * 4)
  header[8] = 8
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const head = (name: string) =>
  `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`

function send(browser: Browser, bytes: Buffer, name = 'me.png') {
  const body = Buffer.concat([Buffer.from(head(name)), bytes, Buffer.from('\r\n--x--\r\n')])
  return browser.send('POST', path, { body, headers: { 'content-type': 'multipart/form-data; boundary=x' } })
}

describe('an avatar', () => {
  test.each<[string, Buffer, number]>([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 415],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 415],
    ['a page that begins like a PNG', Buffer.from('\x89PNG\r\n\x1a\n<html>'.padEnd(200, 'x'), 'latin1'), 415],
    ['a picture that claims 900 million pixels', png(10, { claims: [30_000, 30_000] }), 400],
    ['a picture of 65,535 × 1 pixels', png(65_535, { height: 1 }), 400],
    ['a picture of 1 × 65,535 pixels', png(1, { height: 65_535 }), 400],
    ['nothing', Buffer.alloc(0), 415],
  ])('that is %s is refused', async (_, bytes, status) => {
    const person = await product.join()
    expect((await send(person.browser, bytes)).status).toBe(status)
    expect((await person.browser.get('/api/me')).json?.avatar).toBeNull()
  })

  test('is encoded again from its pixels, so nothing else in the file is served', async () => {
    const person = await product.join()
    const note = chunk('tEXt', Buffer.from('Comment\0a-secret-place'))
    const packed = chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(2e8))]))
    const tail = Buffer.from('<script>alert(1)</script>PK\x03\x04')
    const given = Buffer.concat([png(300, { more: [packed, note] }), tail])
    const answer = await send(person.browser, given, '../../x.svg')
    expect(answer.status).toBe(201)
    const served = await product.visitor().get(`/avatars/${String(answer.json?.avatar)}-256.webp`)
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
    })
    expect(served.text.startsWith('RIFF')).toBe(true)
    expect(served.text).not.toMatch(/script|secret|PK/)
  })

  test('is refused to visitors before it is sent', async () => {
    const visitor = product.visitor()
    const socket = begin(visitor)
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test('is accepted, however many slow uploads another member started', async () => {
    const [slow, quick] = [await product.join(), await product.join()]
    const sockets = Array.from({ length: 45 }, () => begin(slow.browser))
    // An upload without a free slot is refused at once, so by then the server has started with all the
    // others.
    const refused = sockets.map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
    )
    expect(await Promise.race(refused)).toMatch(/^HTTP\/1\.1 503 /)
    expect((await send(quick.browser, png(100))).status).toBe(201)
    for (const socket of sockets) socket.destroy()
  })
})

/** Starts an upload and does not continue it. */
function begin(browser: Browser) {
  const socket = connect(product.port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = {
    ...browser.headers,
    cookie: browser.cookie,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '100000',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`POST ${path} HTTP/1.1`, ...lines, '', head('me.png')].join('\r\n'))
  return socket
}
