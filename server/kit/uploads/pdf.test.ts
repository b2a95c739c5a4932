import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawPdf } from '#server/testing/pdf.ts'
import { cleanProof } from './images.ts'
import { drawPages } from './pdf.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

test('a PDF becomes a picture of its pages, and nothing else of it is kept', async () => {
  const clean = await cleanProof(drawPdf({ pages: ['Order 3141592653', 'Thank you'] }))
  expect(clean).toMatchObject({ type: 'jpeg', width: 1240, height: 2 * 1755 })
  expect(await sharp(clean.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1240, height: 2 * 1755 })
  for (const trace of ['%PDF', 'Order', 'xref']) expect(clean.bytes.includes(trace)).toBe(false)
  expect(await inkIn(clean.bytes, { top: 0, height: 400 })).toBeGreaterThan(1000)
  expect(await inkIn(clean.bytes, { top: 400, height: 1300 })).toBe(0)
  expect(await inkIn(clean.bytes, { top: 1755, height: 400 })).toBeGreaterThan(500)
})

test.each([
  ['a script that runs at once', { catalog: '/OpenAction<</S/JavaScript/JS(app.alert(1))>>' }],
  ['a program to launch', { catalog: '/OpenAction<</S/Launch/F(/bin/sh)>>' }],
  ['a form', { catalog: '/AcroForm<</Fields[]/XFA(<xdp/>)>>' }],
  ['a form that is sent elsewhere', { catalog: '/OpenAction<</S/SubmitForm/F(https://spy.example/)>>' }],
  ['a remote target', { catalog: '/OpenAction<</S/GoToR/F(//spy.example/share)/D[0]>>' }],
  [
    'a link',
    { page: '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://spy.example)>>>>]' },
  ],
  ['an attachment', { catalog: '/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a.exe)>>]>>>>' }],
  ['another file behind its end', { behind: 'PK\x03\x04<script>alert(1)</script>' }],
])('a PDF with %s is only its picture', async (_, extra) => {
  const plain = await drawn(drawPdf({ pages: ['Order 3141592653'] }))
  const rich = await drawn(drawPdf({ pages: ['Order 3141592653'], ...extra }))
  expect(rich.data.equals(plain.data)).toBe(true)
})

test('of more than five pages the first five are kept, and more than 20 are refused', async () => {
  const pages = Array.from({ length: 21 }, (_, at) => `Page ${at + 1}`)
  expect((await drawn(drawPdf({ pages: pages.slice(0, 20) }))).height).toBe(5 * 1755)
  expect(await drawPages(drawPdf({ pages }))).toBe('too_many_pages')
  await expect(cleanProof(drawPdf({ pages }))).rejects.toMatchObject({ code: 'too_many_pages', status: 400 })
})

test.each([
  ['14400 14400', 1240, 1240],
  ['200 2000', 1240, 3508],
  ['2000 200', 1240, 124],
])('a page of %s points is shown on %i × %i pixels', async (size, width, height) => {
  expect(await drawn(drawPdf({ pages: ['Order'], size }))).toMatchObject({ width, height })
})

test.each([
  ['a page one point high', drawPdf({ pages: ['Order'], size: '14400 1' })],
  ['no pages', drawPdf({ pages: [] })],
  ['nothing after its first line', Buffer.from('%PDF-1.7 and then nothing')],
])('a PDF with %s is unreadable', async (_, file) => {
  expect(await drawPages(file)).toBe('unreadable')
})

test('a PDF with a password says so', async () => {
  const key = '<0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef>'
  const trailer = `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/O ${key}/U ${key}/P -4>>`
  expect(await drawPages(drawPdf({ pages: ['Order'], trailer }))).toBe('locked_pdf')
})

test('any damage ends in a picture or a refusal', async () => {
  const whole = drawPdf({ pages: ['Order 3141592653'] })
  const damage = fc.record({
    at: fc.integer({ min: 5, max: whole.length - 1 }),
    drop: fc.nat(60),
    insert: fc.uint8Array({ maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, drop, insert }) => {
      const damaged = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + drop)])
      const pages = await drawPages(damaged)
      if (typeof pages !== 'string') expect(pages.data.length).toBe(pages.width * pages.height * 4)
    }),
    { numRuns: 20 },
  )
})

async function drawn(file: Buffer) {
  const pages = await drawPages(file)
  if (typeof pages === 'string') throw new Error(pages)
  return pages
}

/** How many dark pixels a part of a picture has. */
async function inkIn(bytes: Buffer, { top, height }: { top: number; height: number }) {
  const pixels = await sharp(bytes)
    .extract({ left: 0, top, width: 1240, height })
    .greyscale()
    .raw()
    .toBuffer()
  return pixels.filter((value) => value < 100).length
}
