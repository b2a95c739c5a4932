// A PDF is kept as it came, so it may hold nothing that acts on the computer that opens it. Instead of
// following the file's own index, which may lie, this reads one object at every place where a reader could
// begin one: after each `obj` and `trailer`, wherever they stand. What is only text or picture is never taken
// for a name.
import { inflateSync } from 'node:zlib'

export type PdfFault =
  | 'not_pdf'
  | 'bad_end'
  | 'forbidden'
  | 'encrypted'
  | 'hidden_objects'
  | 'too_many_pages'
  | 'too_complex'
  | 'unreadable'

const mostPages = 20
const workBudget = 32 * 1024 * 1024

/**
 * True, or why the PDF is not taken: it must be whole, have 1 to 20 pages, no encryption and no name that
 * runs, opens or carries something else, also in escaped form and in compressed object streams. Reads and
 * inflates at most 32 MB; run it in the image worker, it does not yield.
 */
export function checkPdf(bytes: Uint8Array): true | PdfFault {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.toString('latin1', 0, 5) !== '%PDF-') return 'not_pdf'
  if (!endsOnce(file)) return 'bad_end'
  const search: Search = { left: workBudget, pages: 0, claimedPages: 0 }
  try {
    for (const start of objectStarts(file)) readIndirectObject(file, start, search)
  } catch (found) {
    if (found instanceof Found) return found.fault
    throw found
  }
  if (search.pages === 0) return 'unreadable'
  return Math.max(search.pages, search.claimedPages) > mostPages ? 'too_many_pages' : true
}

// The first eight are the rule; the others reach the same ends: the tree of attached files, a file pinned to
// a page, and forms that carry scripts of their own.
const forbidden = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'EmbeddedFile',
  'OpenAction',
  'AA',
  'RichMedia',
  'Encrypt',
  'EmbeddedFiles',
  'FileAttachment',
  'XFA',
])

const decoders = new Set(
  (
    'FlateDecode LZWDecode ASCIIHexDecode ASCII85Decode RunLengthDecode DCTDecode CCITTFaxDecode JBIG2Decode ' +
    'JPXDecode Crypt Fl LZW AHx A85 RL DCT CCF'
  ).split(' '),
)

type Search = { left: number; pages: number; claimedPages: number }
type Value = { end: number; names: string[] }
type Frame = { closes: '>>' | ']'; before: string; isPage: boolean; isPages: boolean; count: number }

class Found extends Error {
  readonly fault: PdfFault

  constructor(fault: PdfFault) {
    super(fault)
    this.fault = fault
  }
}

// One end mark in the last kilobyte and nothing but blanks after it: what is appended is another file.
function endsOnce(file: Buffer) {
  const tail = file.toString('latin1', Math.max(0, file.length - 1024))
  const end = tail.indexOf('%%EOF')
  return end >= 0 && /^[\s\0]*$/.test(tail.slice(end + 5))
}

function* objectStarts(file: Buffer) {
  for (const word of ['obj', 'trailer']) {
    for (let at = file.indexOf(word); at >= 0; at = file.indexOf(word, at + 1)) yield at + word.length
  }
}

function readIndirectObject(file: Buffer, start: number, search: Search) {
  const value = readValue(file, start, search)
  const names = new Set(value.names)
  const holdsObjects = names.has('ObjStm') || (names.has('N') && names.has('First'))
  const body = holdsObjects ? streamStart(file, value.end) : null
  if (body !== null) readObjectStream(file.subarray(body), value.names, search)
}

function streamStart(file: Buffer, from: number) {
  const at = skipBlank(file, from)
  if (file.toString('latin1', at, at + 6) !== 'stream') return null
  const lineEnd = /^[ \t]*(\r\n|\n|\r)/.exec(file.toString('latin1', at + 6, at + 70))
  return at + 6 + (lineEnd?.[0].length ?? 0)
}

// An object stream is read only in the one form that writers use: one Flate filter, no predictor. The data
// says itself where it ends, so neither /Length nor a false `endstream` can cut the search short.
function readObjectStream(body: Buffer, names: string[], search: Search) {
  const filters = names.filter((name) => decoders.has(name))
  const plain = filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl')
  if (!plain || names.includes('DecodeParms') || names.includes('DP')) throw new Found('hidden_objects')
  const content = inflate(body, search)
  // An index inside the stream may point into the middle of a string, so here every name counts.
  for (let at = content.indexOf('/'); at >= 0; at = content.indexOf('/', at + 1))
    refuseName(readName(content, at).name)
  for (let at = 0; at < content.length;) at = readValue(content, at, search).end
}

function inflate(body: Buffer, search: Search) {
  try {
    // With `info` the call answers the buffer and its engine; the types know the buffer only.
    const { buffer, engine } = inflateSync(body, { maxOutputLength: search.left, info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    spend(search, buffer.length + engine.bytesWritten)
    return buffer
  } catch (fault) {
    if (fault instanceof Found) throw fault
    const tooLong = fault instanceof RangeError && 'code' in fault && fault.code === 'ERR_BUFFER_TOO_LARGE'
    throw new Found(tooLong ? 'too_complex' : 'unreadable')
  }
}

// Reads one value. A bracket that does not fit is passed over, as lenient readers do: reading on too far
// finds more names, stopping too early would miss some.
function readValue(bytes: Buffer, from: number, search: Search): Value {
  const open: Frame[] = []
  const names: string[] = []
  let at = from
  do {
    at = skipBlank(bytes, at)
    const byte = bytes[at]
    const frame = open.at(-1)
    if (byte === undefined) break
    const pair = String.fromCharCode(byte, bytes[at + 1] ?? 0)
    if (byte === slash) {
      const { name, end } = readName(bytes, at)
      refuseName(name)
      names.push(name)
      if (frame) noteName(frame, name)
      at = end
    } else if (pair === '<<' || byte === openArray) {
      if (frame) frame.before = ''
      const closes = pair === '<<' ? '>>' : ']'
      open.push({ closes, before: '', isPage: false, isPages: false, count: 0 })
      at += closes.length
    } else if (pair === '>>' || byte === closeArray) {
      const closed = pair === '>>' ? '>>' : ']'
      if (frame?.closes === closed) countPages(open.pop() ?? frame, search)
      at += closed.length
    } else if (byte === openText) {
      at = skipText(bytes, at)
    } else if (pair[0] === '<') {
      const end = bytes.indexOf('>', at)
      at = end < 0 ? bytes.length : end + 1
    } else {
      const end = Math.max(at + 1, wordEnd(bytes, at))
      if (frame?.before === 'Count') frame.count = Number(bytes.toString('latin1', at, end)) || 0
      if (frame) frame.before = ''
      at = end
    }
  } while (open.length > 0)
  spend(search, at - from + 16)
  return { end: at, names }
}

function spend(search: Search, work: number) {
  search.left -= work
  if (search.left <= 0) throw new Found('too_complex')
}

function refuseName(name: string) {
  if (forbidden.has(name)) throw new Found(name === 'Encrypt' ? 'encrypted' : 'forbidden')
}

function noteName(frame: Frame, name: string) {
  if (frame.before === 'Type' && name === 'Page') frame.isPage = true
  if (frame.before === 'Type' && name === 'Pages') frame.isPages = true
  frame.before = name
}

function countPages(frame: Frame, search: Search) {
  if (frame.isPage) search.pages += 1
  if (frame.isPages) search.claimedPages = Math.max(search.claimedPages, frame.count)
}

const slash = 0x2f
const openArray = 0x5b
const closeArray = 0x5d
const openText = 0x28
const closeText = 0x29
const backslash = 0x5c
const percent = 0x25
const blanks = new Set([0, 9, 10, 12, 13, 32])
const delimiters = new Set([...'()<>[]{}/%'].map((sign) => sign.charCodeAt(0)))

function skipBlank(bytes: Buffer, from: number) {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined) return at
    if (byte === percent) {
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
    } else if (blanks.has(byte)) {
      at++
    } else {
      return at
    }
  }
}

function skipText(bytes: Buffer, from: number) {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === openText) depth++
    else if (byte === closeText && --depth === 0) return at + 1
  }
  return bytes.length
}

function readName(bytes: Buffer, from: number) {
  const end = wordEnd(bytes, from + 1)
  const written = bytes.toString('latin1', from + 1, end)
  return {
    end,
    name: written.replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
  }
}

function wordEnd(bytes: Buffer, from: number) {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (blanks.has(byte) || delimiters.has(byte)) return at
  }
  return bytes.length
}
