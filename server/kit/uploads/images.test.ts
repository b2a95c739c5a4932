import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { build } from 'esbuild'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { avatarImage, cleanProof, openImageWorkers, productImage, reencodeProof } from './images.ts'
import { UploadRefused } from './upload.ts'

// For work that a busy machine may not finish within the product's limit.
const patient = openImageWorkers({ limitMs: 100_000 })
afterAll(() => patient.close())

const red = { r: 200, g: 10, b: 10 }
const blue = { r: 10, g: 10, b: 200 }

test('nothing but the upright picture is left of a photograph', async () => {
  const photograph = await photographOf6()
  const before = await sharp(photograph).metadata()
  expect([before.orientation, before.exif !== undefined, before.xmp !== undefined]).toEqual([6, true, true])
  expect(before.icc?.length).toBeGreaterThan(1_000_000)
  const clean = await reencodeProof(photograph)
  const after = await sharp(clean.bytes).metadata()
  expect(after).toMatchObject({ format: 'jpeg', width: 40, height: 80 })
  expect([after.orientation, after.exif, after.xmp, after.iptc, after.icc]).toEqual(Array(5).fill(undefined))
  for (const trace of ['Exif', 'GPS', 'Evenhand Phone', 'the owner', 'xmpmeta', 'ICC_PROFILE', 'appended']) {
    expect(clean.bytes.includes(trace)).toBe(false)
  }
  expect([clean.type, clean.width, clean.height]).toEqual(['jpeg', 40, 80])
  // Orientation 6: what the camera wrote at the left is the top of the picture.
  expect(await colourAt(clean.bytes, 20, 10)).toBe('red')
  expect(await colourAt(clean.bytes, 20, 70)).toBe('blue')
})

test('a PNG loses its text, its profile and what was appended', async () => {
  const plain = await sharp({
    create: { width: 30, height: 20, channels: 4, background: { ...red, alpha: 0.5 } },
  })
    .withExif({ IFD0: { Copyright: 'a name' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const commented = withChunk(plain, 'tEXt', Buffer.from('Comment\0<script>1</script>'))
  const clean = await reencodeProof(Buffer.concat([commented, Buffer.from('PK\x03\x04 an archive')]))
  const after = await sharp(clean.bytes).metadata()
  expect(after).toMatchObject({ format: 'png', width: 30, height: 20, channels: 4 })
  expect([after.exif, after.icc, after.comments]).toEqual([undefined, undefined, undefined])
  for (const trace of ['script', 'an archive', 'a name']) expect(clean.bytes.includes(trace)).toBe(false)
})

test('a picture that is also a page is only a picture afterwards', async () => {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>*/=1;')
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), page])
  const picture = await jpeg(16, 16)
  const both = Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2), page])
  const clean = await cleanProof(both)
  expect(clean.type).toBe('jpeg')
  expect(clean.bytes.includes('script')).toBe(false)
})

test('a proof never grows beyond its limit, however noisy the picture', async () => {
  const noise = await sharp({
    create: {
      width: 1300,
      height: 1300,
      channels: 3,
      background: red,
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer()
  expect(noise.length).toBeGreaterThan(2_097_151)
  const clean = await reencodeProof(noise, patient)
  expect(clean.bytes.length).toBeLessThanOrEqual(2_097_151)
  expect(clean).toMatchObject({ type: 'jpeg', width: 1300, height: 1300 })
})

test('a product picture comes in three widths with dimensions, upright and without traces', async () => {
  const pictures = await productImage(await withOrientation(await jpeg(3000, 2000)), patient)
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([
    [320, 480],
    [640, 960],
    [1280, 1920],
  ])
  for (const { bytes, width, height } of pictures) {
    const found = await sharp(bytes).metadata()
    expect(found).toMatchObject({ format: 'webp', width, height })
    expect([found.exif, found.orientation]).toEqual([undefined, undefined])
  }
})

test('a small or thin product picture is neither enlarged nor refused', async () => {
  const small = await productImage(await jpeg(500, 100), patient)
  expect(small.map(({ width, height }) => [width, height])).toEqual([
    [320, 64],
    [500, 100],
    [500, 100],
  ])
  const thin = await productImage(await jpeg(1000, 20_000), patient)
  expect(thin.every(({ height }) => height <= 2560)).toBe(true)
})

test('over 24 million pixels are refused before anything is decoded', async () => {
  await expectRefusal(reencodeProof(hollowPng(6000, 4001), noWorkers), 'too_many_pixels', 400)
  await expectRefusal(productImage(hollowPng(0xffffffff, 0xffffffff), noWorkers), 'too_many_pixels', 400)
  await expectRefusal(reencodeProof(hollowJpeg(65_000, 65_000), noWorkers), 'too_many_pixels', 400)
  await expectRefusal(cleanProof(hollowPng(50_000, 50_000), noWorkers), 'too_many_pixels', 400)
})

test('the worker keeps to the same limit when a header lies', async () => {
  const workers = openImageWorkers({ size: 1 })
  await expect(workers.run('proof', hollowPng(6000, 4001))).rejects.toMatchObject({ code: 'too_many_pixels' })
  await expect(workers.run('product', hollowJpeg(65_000, 65_000))).rejects.toMatchObject({
    code: 'too_many_pixels',
  })
  workers.close()
})

test('24 million pixels are taken', async () => {
  const large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: red } })
    .png()
    .toBuffer()
  expect(await reencodeProof(large, patient)).toMatchObject({ type: 'png', width: 6000, height: 4000 })
})

test('a picture of many frames is refused', async () => {
  const frames = Buffer.alloc(8)
  frames.writeUInt32BE(10_000)
  const moving = withChunk(
    await sharp(await jpeg(8, 8))
      .png()
      .toBuffer(),
    'acTL',
    frames,
  )
  await expectRefusal(reencodeProof(moving, noWorkers), 'too_many_pixels', 400)
})

test('broken pictures are unreadable, and other kinds never reach a decoder', async () => {
  const whole = await jpeg(400, 400)
  await expectRefusal(reencodeProof(whole.subarray(0, whole.length - 200)), 'unreadable', 400)
  await expectRefusal(reencodeProof(hollowPng(10, 10)), 'unreadable', 400)
  await expectRefusal(productImage(hollowJpeg(10, 10)), 'unreadable', 400)
  const gif = await sharp(whole).gif().toBuffer()
  const webp = await sharp(whole).webp().toBuffer()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  for (const other of [gif, webp, svg, Buffer.alloc(0)]) {
    await expectRefusal(cleanProof(other, noWorkers), 'unsupported', 415)
    await expectRefusal(productImage(other, noWorkers), 'unsupported', 415)
  }
  const workers = openImageWorkers({ size: 1 })
  for (const other of [gif, webp, svg]) {
    await expect(workers.run('proof', other)).rejects.toMatchObject({ code: 'unreadable' })
  }
  workers.close()
})

test('a picture more than 20 times as long as it is wide is refused before anything is decoded', async () => {
  for (const [width, height] of [
    [65_535, 1],
    [1, 65_535],
    [2001, 100],
  ] as const) {
    for (const make of [cleanProof, productImage, avatarImage]) {
      await expectRefusal(make(hollowPng(width, height), noWorkers), 'bad_proportions', 400)
      await expectRefusal(make(hollowJpeg(width, height), noWorkers), 'bad_proportions', 400)
    }
  }
  expect(await cleanProof(await jpeg(2000, 100))).toMatchObject({ width: 2000, height: 100 })
})

test.skipIf(process.platform !== 'linux')('a worker that gets no time makes its file no worse', async () => {
  const memoryBytes = 512 * 1024 * 1024 + 7
  const stopped = openImageWorkers({ size: 1, limitMs: 500, memoryBytes })
  const picture = await jpeg(8, 8)
  expect(await reencodeProof(picture, stopped)).toMatchObject({ width: 8 })
  const pid = execFileSync('pgrep', ['-f', `image-worker.* ${memoryBytes}$`], { encoding: 'utf8' }).trim()
  process.kill(Number(pid), 'SIGSTOP')
  await expectRefusal(reencodeProof(picture, stopped), 'busy', 503)
  expect(await reencodeProof(picture, stopped)).toMatchObject({ width: 8 })
  stopped.close()
})

test('a file that takes too long or too much costs its worker, and the next one is served', async () => {
  const picture = await jpeg(3000, 3000)
  const hasty = openImageWorkers({ size: 1, limitMs: 0 })
  await expectRefusal(reencodeProof(picture, hasty), 'unreadable', 400)
  await expectRefusal(reencodeProof(picture, hasty), 'unreadable', 400)
  hasty.close()
  const narrow = openImageWorkers({ size: 1, memoryBytes: 150e6 })
  const greedy = await sharp({
    create: { width: 6000, height: 4000, channels: 4, background: { ...red, alpha: 0.5 } },
  })
    .png({ progressive: true })
    .toBuffer()
  await expectRefusal(reencodeProof(greedy, narrow), 'unreadable', 400)
  expect(await reencodeProof(await jpeg(8, 8), narrow)).toMatchObject({ width: 8 })
  narrow.close()
  await expect(patient.run('proof', Buffer.from('nothing'))).rejects.toThrow(UploadRefused)
  expect(await reencodeProof(picture, patient)).toMatchObject({ width: 3000 })
})

test('two work, sixteen wait, and the rest is turned away', async () => {
  const picture = await jpeg(20, 20)
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => reencodeProof(picture)))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(18)
  const turnedAway = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.code)
  expect(turnedAway).toEqual(['busy', 'busy'])
})

test('closing refuses what is under way and what comes later', async () => {
  const workers = openImageWorkers({ size: 1 })
  const underWay = reencodeProof(await jpeg(3000, 3000), workers)
  workers.close()
  await expectRefusal(underWay, 'busy', 503)
  await expectRefusal(reencodeProof(await jpeg(8, 8), workers), 'busy', 503)
})

test('the built server finds its worker beside it', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../../../node_modules/.images-test-'))
  try {
    await build({
      entryPoints: {
        main: join(import.meta.dirname, 'images.ts'),
        'image-worker': join(import.meta.dirname, 'image-worker.ts'),
      },
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    })
    const script = `
      const { reencodeProof, closeImages } = await import(${JSON.stringify(join(folder, 'main.js'))})
      const bytes = Buffer.from(process.argv[1], 'base64')
      console.log((await reencodeProof(bytes)).width)
      closeImages()`
    const picture = (await jpeg(24, 16)).toString('base64')
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, picture], {
      encoding: 'utf8',
    })
    expect(said.trim()).toBe('24')
  } finally {
    await rm(folder, { recursive: true })
  }
})

const noWorkers = {
  run: () => Promise.reject(new Error('a worker was asked')),
  close: () => {},
}

async function expectRefusal(refused: Promise<unknown>, code: string, status: number) {
  const fault = await refused.catch((found: unknown) => found)
  expect(fault).toBeInstanceOf(UploadRefused)
  expect(fault).toMatchObject({ code, status })
}

function jpeg(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: red } })
    .jpeg()
    .toBuffer()
}

function withOrientation(bytes: Buffer) {
  return sharp(bytes).withMetadata({ orientation: 6 }).toBuffer()
}

/** A lying photograph, red at the left and blue at the right, with all that phones and editors add. */
async function photographOf6() {
  const right = await sharp({ create: { width: 40, height: 40, channels: 3, background: blue } })
    .png()
    .toBuffer()
  const plain = await sharp({ create: { width: 80, height: 40, channels: 3, background: red } })
    .composite([{ input: right, left: 40, top: 0 }])
    .jpeg({ quality: 95 })
    .withExif({
      IFD0: { Make: 'Evenhand Phone' },
      IFD2: { CameraOwnerName: 'the owner' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100', GPSLongitudeRef: 'W' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><name>a name</name></x:xmpmeta>')
    .toBuffer()
  for (const trace of ['Evenhand Phone', 'the owner', 'xmpmeta']) expect(plain.includes(trace)).toBe(true)
  // The encoder always writes "upright": tag 0x0112, one short, value 1.
  plain[plain.indexOf(Buffer.from('120103000100000001', 'hex')) + 8] = 6
  return Buffer.concat([
    plain.subarray(0, 2),
    ...profileSegments(1_100_000),
    plain.subarray(2),
    Buffer.from('appended'),
  ])
}

/** A colour profile of the given size, as the segments in which a JPEG carries it. */
function profileSegments(size: number) {
  const head = Buffer.alloc(132)
  head.writeUInt32BE(size)
  head.write('mntrRGB XYZ ', 12, 'latin1')
  head.write('acsp', 36, 'latin1')
  const profile = Buffer.concat([head, Buffer.alloc(size - head.length)])
  const count = Math.ceil(size / 65_000)
  return Array.from({ length: count }, (_, at) => {
    const piece = profile.subarray(at * 65_000, (at + 1) * 65_000)
    const start = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\0\0', 'latin1')
    start.writeUInt16BE(piece.length + 16, 2)
    start[16] = at + 1
    start[17] = count
    return Buffer.concat([start, piece])
  })
}

async function colourAt(bytes: Buffer, left: number, top: number) {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  return (pixel[0] ?? 0) > (pixel[2] ?? 0) ? 'red' : 'blue'
}

function chunk(type: string, content: Buffer) {
  const body = Buffer.concat([Buffer.from(type), content])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(content.length)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), whole.length - 4)
  return whole
}

function withChunk(png: Buffer, type: string, content: Buffer) {
  return Buffer.concat([png.subarray(0, 33), chunk(type, content), png.subarray(33)])
}

/** A PNG that claims a size and holds next to nothing. */
function hollowPng(width: number, height: number) {
  const size = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const end = [chunk('IDAT', deflateSync(Buffer.alloc(4))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([start, chunk('IHDR', size), ...end])
}

function hollowJpeg(width: number, height: number) {
  const bytes = Buffer.from('ffd8ffc0000b080000000001011100ffda0008010100003f00ffd9', 'hex')
  bytes.writeUInt16BE(height, 7)
  bytes.writeUInt16BE(width, 9)
  return bytes
}
