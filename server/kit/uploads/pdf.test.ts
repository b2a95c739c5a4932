import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPdf } from './pdf.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const page = '3 0 obj <</Type/Page/Parent 2 0 R>> endobj'

test('an ordinary document is taken', () => {
  expect(checkPdf(pdf())).toBe(true)
  expect(checkPdf(pdf([], { pages: 20 }))).toBe(true)
})

test('a document whose pages lie in an object stream is taken', () => {
  expect(checkPdf(packed(['<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page>>']))).toBe(true)
})

test.each([
  ['JavaScript', 'forbidden'],
  ['JS', 'forbidden'],
  ['Launch', 'forbidden'],
  ['EmbeddedFile', 'forbidden'],
  ['EmbeddedFiles', 'forbidden'],
  ['FileAttachment', 'forbidden'],
  ['OpenAction', 'forbidden'],
  ['AA', 'forbidden'],
  ['RichMedia', 'forbidden'],
  ['XFA', 'forbidden'],
  ['Encrypt', 'encrypted'],
])('/%s is refused wherever a reader could find it', (name, fault) => {
  const escaped = `#${name.charCodeAt(0).toString(16)}${name.slice(1, -1)}#${name
    .charCodeAt(name.length - 1)
    .toString(16)
    .toUpperCase()}`
  for (const written of [name, escaped]) {
    const object = `<</Type/Annot/X [1 (text \\) >>) <41> /${written} 9 0 R]>>`
    expect(checkPdf(pdf([`5 0 obj ${object} endobj`]))).toBe(fault)
    expect(checkPdf(pdf([`5 0 obj /${written} endobj`]))).toBe(fault)
    expect(checkPdf(pdf([`5 0 obj\n% (a comment\n${object}`]))).toBe(fault)
    expect(checkPdf(pdf([`5 0%\nobj${object}`]))).toBe(fault)
    expect(checkPdf(pdf([], { trailer: `/Root 1 0 R/${written}<<>>` }))).toBe(fault)
    expect(checkPdf(packed(['<</Type/Page>>', object]))).toBe(fault)
    expect(checkPdf(packed(['<</Type/Page>>', object], '/#4e 2/Firs#74 8'))).toBe(fault)
    expect(checkPdf(packed(['<</Type/Page>>', object], '/Type/Obj#53tm'))).toBe(fault)
    expect(checkPdf(packed(['<</Type/Page>>', `(${object})`]))).toBe(fault)
  }
})

test.each([
  ['inside the text of another object', `5 0 obj (6 0 obj <</JS 1>> endobj) endobj`],
  ['inside a picture', `5 0 obj <</Length 99>> stream\n6 0 obj <</JS 1>> endobj\nendstream endobj`],
  ['after brackets that do not fit', `5 0 obj <</A ] >> 6 0 obj <</A [ >> ) } > /JS 1>>`],
  ['after a bracket that closes too early', `5 0 obj <</A [ >> ] /JS 1>>`],
  ['after a false end of the object', `5 0 obj <</A endobj /JS 1>>`],
  ['after a false beginning of a stream', `5 0 obj <</A (stream) /B stream /JS 1>>`],
  ['in an object without an end', `5 0 obj <</A <</JS 1`],
])('a name cannot hide %s', (_, object) => {
  expect(checkPdf(pdf([object]))).toBe('forbidden')
})

test.each([
  ['words in a text', '5 0 obj (see /JavaScript and /AA) endobj'],
  ['words after a bracket in a text', '5 0 obj <</A (a \\) /JS) /B (a (b) /JS)>> endobj'],
  ['longer names', '5 0 obj <</JSmith 1/AAAAAB+Sans 2/BaseFont/AAAAAA+Sans/Launcher 1>> endobj'],
  ['comments', '5 0 obj <<%/JS\n/A 1>> endobj'],
  [
    'a picture that happens to hold the letters',
    '5 0 obj <</Length 9>> stream\n\x01/JS /AA /Launch\nendstream endobj',
  ],
])('%s are no reason to refuse', (_, object) => {
  expect(checkPdf(pdf([object]))).toBe(true)
})

test('a compressed page text is no object stream', () => {
  const text = deflateSync('1 0 0 1 72 720 cm (/JavaScript) Tj')
  expect(checkPdf(pdf([stream('/Filter/FlateDecode', text)]))).toBe(true)
  expect(checkPdf(pdf([stream('/N 3/Filter/FlateDecode/DecodeParms<</Predictor 15>>', text)]))).toBe(true)
})

test('an object stream that says less than it holds is read to its own end', () => {
  const content = deflateSync(`1 0 2 9 <</A 1>> (${'endstream endobj '.repeat(50)}) <</JS 1>>`, { level: 0 })
  expect(checkPdf(pdf([stream('/Type/ObjStm/N 2/First 8/Length 3/Filter/FlateDecode', content)]))).toBe(
    'forbidden',
  )
  expect(checkPdf(pdf([stream('/Type/ObjStm/N 2/First 8/Filter[/Fl]', content)]))).toBe('forbidden')
})

test.each([
  '',
  '/Filter/LZWDecode',
  '/Filter 9 0 R',
  '/Filter[/ASCIIHexDecode/FlateDecode]',
  '/Filter[/FlateDecode/FlateDecode]',
  '/Filter/FlateDecode/DecodeParms<</Predictor 12>>',
  '/Filter/FlateDecode/DP 7 0 R',
])('an object stream in a form that writers do not use is refused: %s', (filter) => {
  const content = deflateSync('1 0 <</A 1>>')
  expect(checkPdf(pdf([stream(`/Type/ObjStm/N 1/First 4${filter}`, content)]))).toBe('hidden_objects')
})

test('an object stream that is damaged is refused, whatever it shows before the damage', () => {
  const content = deflateSync('1 0 <</JS 1>>')
  const damaged = Buffer.concat([content.subarray(0, -4), Buffer.from('....')])
  const dictionary = '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'
  expect(checkPdf(pdf([stream(dictionary, damaged)]))).toBe('unreadable')
})

test('a bomb is not inflated beyond the limit', () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 32))
  const dictionary = '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'
  expect(checkPdf(pdf([stream(dictionary, bomb)]))).toBe('too_complex')
  const small = deflateSync(Buffer.alloc(2 * 1024 * 1024, 32))
  expect(checkPdf(pdf(Array.from({ length: 40 }, () => stream(dictionary, small))))).toBe('too_complex')
})

test('a file that would be read over and over is given up', () => {
  expect(checkPdf(pdf(['1 0 obj<<'.repeat(100_000)]))).toBe('too_complex')
  expect(checkPdf(pdf(['1 0 obj('.repeat(100_000)]))).toBe('too_complex')
})

test('more than 20 pages are refused, by the pages or by their count', () => {
  expect(checkPdf(pdf([], { pages: 21 }))).toBe('too_many_pages')
  expect(checkPdf(pdf(['2 0 obj <</Type/Pages/Kids[]/Count 21>> endobj']))).toBe('too_many_pages')
  expect(checkPdf(pdf(['2 0 obj <</Type/Outlines/Count 500>> endobj']))).toBe(true)
  expect(checkPdf(packed(Array.from({ length: 21 }, () => '<</Type /Page /A <</B [1]>> >>')))).toBe(
    'too_many_pages',
  )
})

test('what is not a whole PDF is refused', () => {
  expect(checkPdf(Buffer.alloc(0))).toBe('not_pdf')
  expect(checkPdf(Buffer.from(` ${pdf().toString('latin1')}`))).toBe('not_pdf')
  expect(checkPdf(Buffer.concat([Buffer.from('GIF89a'), pdf()]))).toBe('not_pdf')
  expect(checkPdf(pdf().subarray(0, -6))).toBe('bad_end')
  expect(checkPdf(Buffer.concat([pdf(), Buffer.from('\r\n \0')]))).toBe(true)
  expect(checkPdf(Buffer.concat([pdf(), Buffer.from('PK\x03\x04 an archive')]))).toBe('bad_end')
  expect(checkPdf(Buffer.concat([pdf(), Buffer.alloc(2000, 'x')]))).toBe('bad_end')
  expect(checkPdf(Buffer.concat([pdf(), Buffer.from('%%EOF\n')]))).toBe('bad_end')
  expect(checkPdf(Buffer.from('%PDF-1.7\nnothing at all\n%%EOF\n'))).toBe('unreadable')
})

test('a forbidden name is found however it is written', () => {
  const letters = [...'JavaScript']
  const writing = fc.array(fc.boolean(), { minLength: letters.length, maxLength: letters.length })
  const blank = fc.constantFrom('', ' ', '\r\n', '\0', '\t%)>>/\n', '\f')
  fc.assert(
    fc.property(writing, blank, blank, (hidden, before, after) => {
      const name = letters
        .map((letter, at) => (hidden[at] ? `#${letter.charCodeAt(0).toString(16)}` : letter))
        .join('')
      expect(checkPdf(pdf([`5 0 obj${before}<<${after}/S${before}/${name}${after}>>endobj`]))).toBe(
        'forbidden',
      )
    }),
  )
})

test('any damage ends in an answer', () => {
  const whole = packed(['<</Type/Page>>', '<</A [1 2] /B (text)>>'])
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    drop: fc.nat(30),
    insert: fc.uint8Array({ maxLength: 9 }),
  })
  fc.assert(
    fc.property(damage, ({ at, drop, insert }) => {
      const verdict = checkPdf(Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + drop)]))
      expect(verdict === true || typeof verdict === 'string').toBe(true)
    }),
    { numRuns: 1000 },
  )
})

function pdf(objects: (string | Buffer)[] = [], { pages = 1, trailer = '/Root 1 0 R' } = {}) {
  const all = [
    '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    ...Array.from({ length: pages }, () => page),
    ...objects,
    `xref\n0 1\ntrailer <<${trailer}>>\nstartxref\n9\n%%EOF\n`,
  ]
  return Buffer.concat(all.map((part) => Buffer.from(`${part.toString('latin1')}\n`, 'latin1')))
}

/** A document all of whose objects lie in one object stream. */
function packed(objects: string[], keys = `/Type/ObjStm/N ${objects.length}/First 8`) {
  const index = objects.map((_, at) => `${at + 10} ${objects.slice(0, at).join(' ').length}`).join(' ')
  const content = deflateSync(`${index} ${objects.join(' ')}`)
  return pdf([stream(`${keys}/Filter/FlateDecode/Length ${content.length}`, content)], { pages: 0 })
}

function stream(dictionary: string, content: Buffer) {
  return Buffer.concat([
    Buffer.from(`7 0 obj <<${dictionary}>> stream\r\n`),
    content,
    Buffer.from('\nendstream endobj'),
  ])
}
