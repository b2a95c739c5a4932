// An upload is one multipart request with one file. It is counted while it arrives, kept in memory only
// (at most 2 MiB), and refused before anything of it touches a disk.

/**
 * Why a file was refused, and the status that says so. The code is stable; the sentence belongs to the
 * contract.
 */
const statuses = {
  bad_proportions: 400,
  locked_pdf: 400,
  malformed: 400,
  too_many_pages: 400,
  too_many_pixels: 400,
  unreadable: 400,
  timeout: 408,
  too_large: 413,
  unsupported: 415,
  busy: 503,
} as const

type UploadCode = keyof typeof statuses

export class UploadRefused extends Error {
  readonly code: UploadCode
  readonly status: number

  constructor(code: UploadCode) {
    super(`upload refused: ${code}`)
    this.name = 'UploadRefused'
    this.code = code
    this.status = statuses[code]
  }
}

/** The sentences of refusals that have more to say than that the file could not be read. */
export const uploadMessages: Partial<Record<UploadCode, string>> = {
  too_large: 'Please choose a file under 2 MB.',
  unsupported: 'Please choose a JPG, PNG or PDF.',
  too_many_pixels: 'This picture has too many pixels. Please make it smaller.',
  bad_proportions: 'This picture is more than 20 times as long as it is wide. Please crop it.',
  too_many_pages: 'This PDF has more than 20 pages. Please choose a shorter one.',
  locked_pdf: 'This PDF has a password. Please print it to a new PDF, or take a screenshot.',
  timeout: 'The upload took too long. Please try again.',
  busy: 'Many files are being uploaded right now. Please try again in 5 seconds.',
}

type Upload = {
  bytes: Buffer
  /** Text to show people, at most 100 characters; never part of a path or a header. */
  originalName: string
  /** The text parts beside the file, by name; keys and values are the sender's words. */
  fields: Record<string, string>
}

/**
 * Reads a multipart/form-data request with exactly one file part, named `file`, and at most 8 small text
 * parts. `maxBytes` is the largest file taken; the whole request may be 64 KiB larger. The bytes that arrive
 * are counted, whatever Content-Length says. Refusals: `unsupported`, `malformed`, `too_large`, `timeout`,
 * and `busy` when 8 uploads are being read and no place comes free in time, or `sender` has 2 under way.
 */
export async function receiveUpload(
  request: Request,
  {
    maxBytes = 2_097_151,
    timeoutMs = 30_000,
    sender = null,
  }: { maxBytes?: number; timeoutMs?: number; sender?: string | null } = {},
): Promise<Upload> {
  const limit = maxBytes + 1 + 65_536
  const boundary = boundaryOf(request)
  const declared = declaredLength(request, limit)
  if (!request.body) throw new UploadRefused('malformed')
  const late = AbortSignal.timeout(timeoutMs)
  const done = countFor(sender)
  try {
    await takePlace(late)
    try {
      const body = await readBody(request.body, limit, late)
      if (declared !== null && declared !== body.length) throw new UploadRefused('malformed')
      const upload = parseMultipart(body, boundary)
      if (upload.bytes.length > maxBytes) throw new UploadRefused('too_large')
      return upload
    } finally {
      leavePlace()
    }
  } finally {
    done()
  }
}

type FileType = 'jpeg' | 'png' | 'pdf'

/** What the bytes are, by their content alone; null for everything that is not taken. */
export function sniff(bytes: Uint8Array): FileType | null {
  if (startsWith(bytes, '%PDF-')) return 'pdf'
  return readPictureHeader(bytes)?.type ?? null
}

type PictureHeader = { type: 'jpeg' | 'png'; width: number; height: number; frames: number }

/** The size that a JPEG or PNG claims, without decoding it; null when the bytes are neither. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return readPngHeader(bytes, view)
  if (startsWith(bytes, '\xff\xd8\xff')) return readJpegHeader(view)
  return null
}

function boundaryOf(request: Request) {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity')
    throw new UploadRefused('unsupported')
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) throw new UploadRefused('unsupported')
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(type)
  const boundary = found?.[1] ?? found?.[2]
  if (!boundary) throw new UploadRefused('malformed')
  return boundary
}

function declaredLength(request: Request, limit: number) {
  const header = request.headers.get('content-length')
  if (header === null) return null
  if (!/^\d{1,15}$/.test(header)) throw new UploadRefused('malformed')
  if (Number(header) > limit) throw new UploadRefused('too_large')
  return Number(header)
}

const mostPerSender = 2
const underWay = new Map<string, number>()

// A slow sender with many connections cannot take the places of others.
function countFor(sender: string | null) {
  if (sender === null) return () => {}
  const before = underWay.get(sender) ?? 0
  if (before >= mostPerSender) throw new UploadRefused('busy')
  underWay.set(sender, before + 1)
  return () => {
    const left = (underWay.get(sender) ?? 1) - 1
    if (left > 0) underWay.set(sender, left)
    else underWay.delete(sender)
  }
}

const places = 8
const mostWaiting = 32
let taken = 0
const waiting: (() => void)[] = []

// Waiting costs nothing but the open connection: an unread body stays with its sender. So a short burst waits
// its turn, and only a long one is turned away.
async function takePlace(late: AbortSignal) {
  if (taken < places) {
    taken++
    return
  }
  if (waiting.length >= mostWaiting) throw new UploadRefused('busy')
  await new Promise<void>((resolve, reject) => {
    function enter() {
      late.removeEventListener('abort', giveUp)
      resolve()
    }
    function giveUp() {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(new UploadRefused('busy'))
    }
    late.addEventListener('abort', giveUp, { once: true })
    waiting.push(enter)
  })
}

function leavePlace() {
  const next = waiting.shift()
  if (next) next()
  else taken--
}

// The bytes are copied into one growing buffer: kept as they came, a body of one-byte chunks would cost a
// hundred times its size.
async function readBody(body: ReadableStream<Uint8Array>, limit: number, late: AbortSignal) {
  const reader = body.getReader()
  // Cancelling ends a read that is under way, so a sender that falls silent cannot hold its place.
  const stop = () => void reader.cancel().catch(() => {})
  late.addEventListener('abort', stop, { once: true })
  let held = Buffer.alloc(Math.min(limit, 65_536))
  let size = 0
  try {
    for (;;) {
      if (late.aborted) throw new UploadRefused('timeout')
      const { done, value } = await reader.read().catch(() => {
        throw new UploadRefused('malformed')
      })
      if (late.aborted) throw new UploadRefused('timeout')
      if (done) return held.subarray(0, size)
      if (size + value.length > limit) throw new UploadRefused('too_large')
      if (size + value.length > held.length) {
        const larger = Buffer.alloc(Math.min(limit, Math.max(held.length * 2, size + value.length)))
        held.copy(larger, 0, 0, size)
        held = larger
      }
      held.set(value, size)
      size += value.length
    }
  } catch (fault) {
    stop()
    throw fault
  } finally {
    late.removeEventListener('abort', stop)
  }
}

const mostFields = 8
const longestField = 4_096
const longestPartHead = 8_192

function parseMultipart(body: Buffer, boundary: string): Upload {
  let file: { bytes: Buffer; originalName: string } | null = null
  const fields = new Map<string, string>()
  for (const part of partsOf(body, boundary)) {
    const { name, filename } = readPartHead(part.head)
    if (filename !== null) {
      if (file || name !== 'file') throw new UploadRefused('malformed')
      file = { bytes: part.content, originalName: cleanName(filename) }
    } else {
      if (fields.size >= mostFields || fields.has(name)) throw new UploadRefused('malformed')
      fields.set(name, readField(part.content))
    }
  }
  if (!file) throw new UploadRefused('malformed')
  return { ...file, fields: Object.fromEntries(fields) }
}

function* partsOf(body: Buffer, boundary: string) {
  const divider = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const opening = divider.subarray(2)
  if (body.indexOf(opening) !== 0) throw new UploadRefused('malformed')
  let at = opening.length
  while (body.toString('latin1', at, at + 2) !== '--') {
    if (body.toString('latin1', at, at + 2) !== '\r\n') throw new UploadRefused('malformed')
    const headEnd = body.subarray(0, at + longestPartHead).indexOf('\r\n\r\n', at)
    const end = headEnd < 0 ? -1 : body.indexOf(divider, headEnd + 2)
    if (end < headEnd + 4) throw new UploadRefused('malformed')
    yield { head: body.toString('utf8', at + 2, headEnd), content: body.subarray(headEnd + 4, end) }
    at = end + divider.length
  }
  if (!['', '\r\n'].includes(body.toString('latin1', at + 2, at + 6))) throw new UploadRefused('malformed')
}

function readPartHead(head: string) {
  const lines = head.split('\r\n')
  const dispositions = lines.filter((line) => /^content-disposition:/i.test(line))
  if (!lines.every((line) => /^[a-z-]+:[^\r\n]*$/i.test(line))) throw new UploadRefused('malformed')
  if (lines.some((line) => /^content-(transfer-)?encoding:(?!\s*(binary|7bit|8bit)\s*$)/i.test(line))) {
    throw new UploadRefused('unsupported')
  }
  const value = /^content-disposition:\s*form-data(?=\s*;)(.*)$/is.exec(dispositions[0] ?? '')?.[1]
  if (dispositions.length !== 1 || value === undefined) throw new UploadRefused('malformed')
  const parameters = readParameters(value)
  const name = parameters.get('name')
  if (name === undefined || !/^[a-z][\w-]{0,39}$/i.test(name)) throw new UploadRefused('malformed')
  return { name, filename: parameters.get('filename') ?? null }
}

function readParameters(text: string) {
  const parameter = /\s*;\s*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/isy
  const found = new Map<string, string>()
  while (parameter.lastIndex < text.length) {
    const [, key, quoted, bare] = parameter.exec(text) ?? []
    if (key === undefined || found.has(key.toLowerCase())) throw new UploadRefused('malformed')
    found.set(key.toLowerCase(), bare ?? unquote(quoted ?? ''))
  }
  return found
}

// Browsers write a quote and a line break as %22, %0D and %0A and leave every other percent sign as it is;
// command-line senders write \" instead.
function unquote(text: string) {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0d|0a)/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
}

function readField(content: Buffer) {
  if (content.length > longestField || content.includes(0)) throw new UploadRefused('malformed')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw new UploadRefused('malformed')
  }
}

// Controls and format characters (all bidi marks are among them) could make the name look like another one.
function cleanName(name: string) {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  return plain.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '')
}

function startsWith(bytes: Uint8Array, latin1: string) {
  return (
    bytes.length >= latin1.length &&
    Buffer.from(bytes.subarray(0, latin1.length)).equals(Buffer.from(latin1, 'latin1'))
  )
}

function readPngHeader(bytes: Uint8Array, view: DataView): PictureHeader | null {
  if (bytes.length < 33 || view.getUint32(8) !== 13 || !startsWith(bytes.subarray(12), 'IHDR')) return null
  let frames = 1
  for (let at = 33; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (startsWith(bytes.subarray(at + 4), 'IDAT')) break
    if (startsWith(bytes.subarray(at + 4), 'acTL')) frames = view.getUint32(at + 8)
  }
  return { type: 'png', width: view.getUint32(16), height: view.getUint32(20), frames }
}

// Reads the segments up to the first scan. A picture without a frame header before its scan is no JPEG.
function readJpegHeader(view: DataView): PictureHeader | null {
  let size: { width: number; height: number } | null = null
  let at = 2
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
    } else if (marker === 0xda) {
      return size && { type: 'jpeg', ...size, frames: 1 }
    } else {
      const length = view.getUint16(at + 2)
      if (isFrameHeader(marker)) {
        if (length < 8 || at + 9 > view.byteLength) return null
        size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
      }
      at += 2 + length
    }
  }
  return null
}

function isFrameHeader(marker: number) {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
