import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { receiveUpload, sniff, UploadRefused } from './upload.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const most = 2_097_151

test('a file and the text beside it arrive as they were sent', async () => {
  const form = new FormData()
  form.set('file', new File(['\r\n--half a boundary\0\xff'], 'order.png', { type: 'image/png' }))
  form.set('orderId', '1234567890')
  form.set('__proto__', 'own')
  const request = new Request('http://here/', { method: 'POST', body: form })
  await expect(receiveUpload(request)).rejects.toMatchObject({ code: 'malformed' })
  form.delete('__proto__')
  const upload = await receiveUpload(new Request('http://here/', { method: 'POST', body: form }))
  expect(upload.bytes).toEqual(Buffer.from('\r\n--half a boundary\0\xff'))
  expect(upload.originalName).toBe('order.png')
  expect(upload.fields).toEqual({ orderId: '1234567890' })
})

test('any bytes survive, in whatever pieces they come', async () => {
  const anyFile = fc.tuple(
    fc.uint8Array({ maxLength: 400 }),
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
  )
  await fc.assert(
    fc.asyncProperty(anyFile, async ([bytes, cuts]) => {
      const upload = await receiveUpload(send(multipart([filePart(Buffer.from(bytes))]), { cuts }))
      expect(upload.bytes.equals(bytes)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('broken requests are refused with a reason, never with a fault of ours', async () => {
  const whole = multipart([filePart(Buffer.from('12345')), fieldPart('orderId', '42')])
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    drop: fc.nat(40),
    insert: fc.uint8Array({ maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, drop, insert }) => {
      const body = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + drop)])
      const fault = await receiveUpload(send(body)).then(
        () => null,
        (found: unknown) => found,
      )
      expect(fault === null || fault instanceof UploadRefused).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('2,097,151 bytes are taken and one more is too large', async () => {
  const fits = await receiveUpload(send(multipart([filePart(Buffer.alloc(most))])))
  expect(fits.bytes.length).toBe(most)
  await expectRefusal(send(multipart([filePart(Buffer.alloc(most + 1))])), 'too_large', 413)
})

test('a body is counted while it arrives, and no more of it is read once it is too large', async () => {
  const endless = endlessBody()
  await expectRefusal(streamed(endless.stream), 'too_large', 413)
  expect(endless.sent()).toBeLessThan(3_000_000)
  expect(endless.cancelled()).toBe(true)
})

test('a Content-Length is never believed', async () => {
  const body = multipart([filePart(Buffer.from('12345'))])
  await expectRefusal(send(body, { length: String(body.length - 1) }), 'malformed', 400)
  await expectRefusal(send(body, { length: String(body.length + 1) }), 'malformed', 400)
  await expectRefusal(send(body, { length: '99999999' }), 'too_large', 413)
  await expectRefusal(send(body, { length: '1e3' }), 'malformed', 400)
  const endless = endlessBody()
  await expectRefusal(streamed(endless.stream, { length: '100' }), 'too_large', 413)
  expect((await receiveUpload(send(body, { length: String(body.length) }))).bytes.length).toBe(5)
})

test('20 huge uploads at once are each refused as too large, and the places are free again', async () => {
  const bodies = Array.from({ length: 20 }, endlessBody)
  const refusals = await Promise.all(bodies.map(({ stream }) => codeOf(receiveUpload(streamed(stream)))))
  expect(refusals).toEqual(Array.from({ length: 20 }, () => 'too_large'))
  expect((await receiveUpload(send(multipart([filePart(Buffer.from('x'))])))).bytes.length).toBe(1)
})

test('of one sender two bodies are read at a time, so that no sender takes all the places', async () => {
  const slow = () => codeOf(receiveUpload(streamed(silentBody().stream), { sender: 'anna', timeoutMs: 100 }))
  const held = [slow(), slow()]
  expect(await slow()).toBe('busy')
  const other = await receiveUpload(send(multipart([filePart(Buffer.from('x'))])), { sender: 'ben' })
  expect(other.bytes.length).toBe(1)
  expect(await Promise.all(held)).toEqual(['timeout', 'timeout'])
  const again = await receiveUpload(send(multipart([filePart(Buffer.from('x'))])), { sender: 'anna' })
  expect(again.bytes.length).toBe(1)
})

test('at most 8 bodies are read at a time', async () => {
  const silent = Array.from({ length: 8 }, silentBody)
  const held = silent.map((body) => codeOf(receiveUpload(streamed(body.stream), { timeoutMs: 400 })))
  const ninth = silentBody()
  expect(await codeOf(receiveUpload(streamed(ninth.stream), { timeoutMs: 20 }))).toBe('busy')
  expect(ninth.read()).toBe(false)
  expect(await Promise.all(held)).toEqual(Array.from({ length: 8 }, () => 'timeout'))
  // All 8 places must be free again: the last of them is given up long before another could pass its own on.
  const again = Array.from({ length: 8 }, (_, at) =>
    codeOf(receiveUpload(streamed(silentBody().stream), { timeoutMs: at === 7 ? 20 : 400 })),
  )
  expect(await Promise.all(again)).toEqual(Array.from({ length: 8 }, () => 'timeout'))
})

test('only so many wait for a place', async () => {
  const held = Array.from({ length: 8 + 32 }, () =>
    codeOf(receiveUpload(streamed(silentBody().stream), { timeoutMs: 100 })),
  )
  await expectRefusal(streamed(silentBody().stream), 'busy', 503)
  await Promise.all(held)
  expect((await receiveUpload(send(multipart([filePart(Buffer.from('x'))])))).bytes.length).toBe(1)
})

test('a sender that falls silent is cut off', async () => {
  const silent = silentBody()
  await expectRefusal(streamed(silent.stream), 'timeout', 408, 20)
  expect(silent.cancelled()).toBe(true)
})

test('a sender that hangs up gets a refusal', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
  await expectRefusal(streamed(broken), 'malformed', 400)
})

const tooMany = Array.from({ length: 10_000 }, (_, at) => fieldPart(`f${at}`, ''))
const file = () => filePart(Buffer.from('12345'))

test.each<[string, Buffer]>([
  ['two files', multipart([file(), file()])],
  ['no file', multipart([fieldPart('orderId', '1')])],
  ['a file under another name', multipart([part('name="image"; filename="a.png"', 'x')])],
  ['a part without a name', multipart([part('filename="a.png"', 'x')])],
  ['a name given twice', multipart([part('name="other"; name="file"; filename="a"', 'x')])],
  [
    'two dispositions',
    multipart([part('name="file"; filename="a"\r\nContent-Disposition: form-data; name="b"', 'x')]),
  ],
  ['a field given twice', multipart([file(), fieldPart('a', '1'), fieldPart('a', '2')])],
  ['nine fields', multipart([...tooMany.slice(0, 9), file()])],
  ['a long field', multipart([file(), fieldPart('a', 'x'.repeat(4097))])],
  ['a NUL in a field', multipart([file(), fieldPart('a', 'x\0')])],
  ['text that is not UTF-8', multipart([file(), Buffer.concat([fieldPart('a', ''), Buffer.from([0xff])])])],
  ['a raw line break in the name', multipart([part('name="file"; filename="a\r\nSet-Cookie: x"', 'x')])],
  ['no end', multipart([file()]).subarray(0, -6)],
  ['something after the end', Buffer.concat([multipart([file()]), Buffer.from('more')])],
  ['something before the beginning', Buffer.concat([Buffer.from('hello\r\n'), multipart([file()])])],
  ['an empty body', Buffer.alloc(0)],
])('a request with %s is malformed', async (_, body) => {
  await expectRefusal(send(body), 'malformed', 400)
})

test('10,000 fields are refused', async () => {
  expect(['malformed', 'too_large']).toContain(
    await codeOf(receiveUpload(send(multipart([...tooMany, file()])))),
  )
})

test('only plain multipart/form-data is read', async () => {
  const body = multipart([file()])
  await expectRefusal(send(body, { type: 'application/json' }), 'unsupported', 415)
  await expectRefusal(send(body, { type: 'multipart/form-datax; boundary=edge' }), 'unsupported', 415)
  await expectRefusal(send(body, { type: 'multipart/form-data' }), 'malformed', 400)
  await expectRefusal(send(deflateSync(body), { encoding: 'deflate' }), 'unsupported', 415)
  await expectRefusal(send(body, { encoding: 'gzip' }), 'unsupported', 415)
  const base64 = Buffer.from('Content-Transfer-Encoding: base64\r\n')
  await expectRefusal(send(multipart([Buffer.concat([base64, file()])])), 'unsupported', 415)
})

test.each([
  ['a path', '../../etc/passwd', '../../etc/passwd'],
  ['line breaks', 'a%0D%0ASet-Cookie: x', 'aSet-Cookie: x'],
  ['quotes of a browser', 'say %22hi%22 100%25.png', 'say "hi" 100%25.png'],
  ['quotes of a command line', 'say \\"hi\\".png', 'say "hi".png'],
  ['marks that turn the writing round', 'gpj\u202Egnp.exe\u2066\u200F\u061C', 'gpjgnp.exe'],
  ['controls', '\u0000\u0007\u009fé\u2028.png', 'é.png'],
  ['5,000 characters', 'x'.repeat(5000), 'x'.repeat(100)],
  ['half a character at the end', 'x'.repeat(99) + '😀', 'x'.repeat(99)],
  ['nothing', '', ''],
])('a name with %s is kept as harmless text', async (_, sent, kept) => {
  const upload = await receiveUpload(send(multipart([part(`name="file"; filename="${sent}"`, 'x')])))
  expect(upload.originalName).toBe(kept)
})

const pngStart = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x02\0\0\0', 'latin1'),
  Buffer.alloc(4),
])
const jpegStart = Buffer.from('ffd8ffe000084a4649460001ffc0000b080010001001011100ffda', 'hex')

test.each<[string, string | null, Buffer]>([
  ['a PNG', 'png', pngStart],
  ['a JPEG', 'jpeg', Buffer.concat([jpegStart, Buffer.from([0, 8])])],
  ['a PDF', 'pdf', Buffer.from('%PDF-1.7\n')],
  ['a GIF', null, Buffer.from('GIF89a\x01\0\x01\0')],
  ['an SVG', null, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', null, Buffer.from('<!doctype html><script>1</script>')],
  [
    'a program with the magic of a PNG',
    null,
    Buffer.from('\x89PNG\r\n\x1a\nMZ\x90\0' + 'program'.repeat(20), 'latin1'),
  ],
  [
    'a program with the magic of a JPEG',
    null,
    Buffer.from('\xff\xd8\xffMZ' + 'program'.repeat(20), 'latin1'),
  ],
  ['a PNG whose first chunk has the wrong length', null, Buffer.from(pngStart).fill(9, 11, 12)],
  ['a JPEG without a frame', null, Buffer.from('ffd8ffda00080000', 'hex')],
  ['an empty file', null, Buffer.alloc(0)],
  ['three bytes', null, Buffer.from([0xff, 0xd8, 0xff])],
  ['a ZIP', null, Buffer.from('PK\x03\x04\x14\0')],
  ['an HEIC', null, Buffer.from('\0\0\0\x18ftypheic\0\0\0\0')],
  ['a WebP', null, Buffer.from('RIFF\x24\0\0\0WEBPVP8 ')],
  ['an MP4', null, Buffer.from('\0\0\0\x18ftypisom\0\0\0\0')],
  ['a PDF behind something else', null, Buffer.from('GIF89a%PDF-1.7\n')],
])('by its content, %s is %s', (_, type, bytes) => {
  expect(sniff(bytes)).toBe(type)
})

test('any bytes can be looked at', () => {
  const starts = fc.constantFrom(pngStart, jpegStart, jpegStart.subarray(0, 3), Buffer.from('%PDF'))
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      expect([null, 'png', 'jpeg', 'pdf']).toContain(sniff(Buffer.concat([start, rest])))
    }),
  )
})

async function expectRefusal(request: Request, code: string, status: number, timeoutMs?: number) {
  const fault = await receiveUpload(request, { timeoutMs }).catch((found: unknown) => found)
  expect(fault).toBeInstanceOf(UploadRefused)
  expect(fault).toMatchObject({ code, status })
}

async function codeOf(upload: Promise<unknown>) {
  return upload.then(
    () => 'taken',
    (fault: unknown) => (fault instanceof UploadRefused ? fault.code : fault),
  )
}

function part(disposition: string, content: string) {
  return Buffer.from(`Content-Disposition: form-data; ${disposition}\r\n\r\n${content}`)
}

function fieldPart(name: string, value: string) {
  return part(`name="${name}"`, value)
}

function filePart(bytes: Buffer) {
  return Buffer.concat([part('name="file"; filename="proof.gif"\r\nContent-Type: text/html', ''), bytes])
}

function multipart(parts: Buffer[]) {
  const pieces = parts.flatMap((content) => [Buffer.from('\r\n--edge\r\n'), content])
  return Buffer.concat([...pieces, Buffer.from('\r\n--edge--\r\n')]).subarray(2)
}

type Sending = { type?: string; length?: string; encoding?: string; cuts?: number[] }

function send(body: Buffer, sending: Sending = {}) {
  const pieces: Buffer[] = []
  for (let at = 0, n = 0; at < body.length; n++) {
    const size = sending.cuts ? (sending.cuts[n % sending.cuts.length] ?? 1) : 65_536
    pieces.push(body.subarray(at, at + size))
    at += size
  }
  return streamed(ReadableStream.from(pieces), sending)
}

function streamed(stream: ReadableStream, { type, length, encoding }: Sending = {}) {
  const headers = new Headers({ 'content-type': type ?? 'multipart/form-data; boundary=edge' })
  if (length !== undefined) headers.set('content-length', length)
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  return new Request('http://here/', { method: 'POST', headers, body: stream, duplex: 'half' })
}

function endlessBody() {
  let sent = 0
  let cancelled = false
  const stream = new ReadableStream({
    pull(controller) {
      sent += 65_536
      if (sent > 300_000_000) controller.close()
      else controller.enqueue(new Uint8Array(65_536))
    },
    cancel() {
      cancelled = true
    },
  })
  return { stream, sent: () => sent, cancelled: () => cancelled }
}

function silentBody() {
  let read = false
  let cancelled = false
  const stream = new ReadableStream(
    {
      pull() {
        read = true
        return new Promise(() => {})
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, read: () => read, cancelled: () => cancelled }
}
