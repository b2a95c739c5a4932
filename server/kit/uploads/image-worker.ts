// The process in which strangers' files are opened. It holds no secret and writes nothing; its parent stops
// it when it takes too long, and it stops itself when it takes too much memory. Started by images.ts only.
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { drawPages } from './pdf.ts'
import type { PdfFault } from './pdf.ts'
import { hashPicture } from './perceptual-hash.ts'
import type { PictureHash } from './perceptual-hash.ts'

export type Job = { task: 'proof' | 'product' | 'avatar' | 'pdf'; bytes: Uint8Array }

export type Answer =
  | { task: 'ready' }
  | { task: 'proof' | 'pdf'; picture: ProofPicture }
  | { task: 'product'; pictures: SizedPicture[] }
  | { task: 'avatar'; pictures: SizedPicture[] }
  | { task: 'refused'; code: 'too_many_pixels' | PdfFault }

/** An answer, and whether this worker has grown so much that it should be the last one. */
export type Reply = { answer: Answer; tired: boolean }

type CleanPicture = { type: 'jpeg' | 'png'; bytes: Buffer; width: number; height: number }
export type ProofPicture = CleanPicture & { hash: PictureHash }
export type SizedPicture = { bytes: Buffer; width: number; height: number }

const mostPixels = 24e6
const productWidths = [320, 640, 1280]
const avatarWidths = [64, 256]
const mostProofBytes = 2_097_151
const memoryLimit = Number(process.argv[2])

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })

// Ctrl+C reaches every process of the terminal; work under way ends with the parent, not before it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (job: Job) => {
  void work(job).then((answer) => reply(answer, job))
})
reply({ task: 'ready' })

// A process that has opened a PDF opens no other file: the reader is too large to be trusted afterwards.
function reply(answer: Answer, job?: Job) {
  const tired = job?.task === 'pdf' || process.memoryUsage.rss() > memoryLimit / 2
  process.send?.({ answer, tired } satisfies Reply)
}

async function work(job: Job): Promise<Answer> {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryLimit) process.kill(process.pid, 'SIGKILL')
  }, 20)
  try {
    const bytes = Buffer.from(job.bytes)
    switch (job.task) {
      case 'proof':
        return { task: 'proof', picture: await proofOf(bytes) }
      case 'product':
        return { task: 'product', pictures: await productPictures(bytes) }
      case 'avatar':
        return { task: 'avatar', pictures: await avatarPictures(bytes) }
      case 'pdf':
        return await proofOfPdf(bytes)
    }
  } catch (fault) {
    const pixels = fault instanceof Error && fault.message.includes('pixel limit')
    return { task: 'refused', code: pixels ? 'too_many_pixels' : 'unreadable' }
  } finally {
    clearInterval(watch)
  }
}

async function proofOf(bytes: Buffer): Promise<ProofPicture> {
  const picture = await cleanPicture(bytes)
  return { ...picture, hash: await hashPicture(open(bytes)) }
}

async function proofOfPdf(bytes: Buffer): Promise<Answer> {
  const pages = await drawPages(bytes)
  if (typeof pages === 'string') return { task: 'refused', code: pages }
  const { data, width, height } = pages
  const picture = () => sharp(data, { raw: { width, height, channels: 4 } })
  const hash = await hashPicture(picture())
  return { task: 'pdf', picture: { ...(await asJpeg(picture)), hash } }
}

// Upright first, then encoded again from the pixels alone: nothing else of the file is carried over. Noise
// can make the new file larger than the old one, so quality, then size, gives way until it fits.
async function cleanPicture(bytes: Buffer): Promise<CleanPicture> {
  const { format } = await open(bytes).metadata()
  if (format === 'png') {
    const { data, info } = await open(bytes)
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= mostProofBytes)
      return { type: 'png', bytes: data, width: info.width, height: info.height }
  }
  return asJpeg(() => open(bytes))
}

async function asJpeg(picture: () => Sharp): Promise<CleanPicture> {
  for (const { quality, side } of jpegSteps) {
    const { data, info } = await picture()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality, chromaSubsampling: quality > 80 ? '4:4:4' : '4:2:0' })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= mostProofBytes)
      return { type: 'jpeg', bytes: data, width: info.width, height: info.height }
  }
  throw new Error('no size fits')
}

const jpegSteps = [
  { quality: 88, side: 65_535 },
  { quality: 70, side: 65_535 },
  { quality: 70, side: 2_560 },
  { quality: 60, side: 1_600 },
]

async function productPictures(bytes: Buffer): Promise<SizedPicture[]> {
  const pictures: SizedPicture[] = []
  for (const width of productWidths) {
    const { data, info } = await open(bytes)
      // A height is set too: a strip one pixel wide would be higher than WebP can be.
      .resize({ width, height: width * 2, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true })
    pictures.push({ bytes: data, width: info.width, height: info.height })
  }
  return pictures
}

async function avatarPictures(bytes: Buffer): Promise<SizedPicture[]> {
  const pictures: SizedPicture[] = []
  for (const width of avatarWidths) {
    const { data, info } = await open(bytes)
      .resize({ width, height: width, fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    pictures.push({ bytes: data, width: info.width, height: info.height })
  }
  return pictures
}

function open(bytes: Buffer) {
  return sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' }).rotate()
}
