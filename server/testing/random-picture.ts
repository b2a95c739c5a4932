// Pictures like no other, and which pixels a picture shows.
import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'

const fields = 12
const side = 480

/** A PNG of random fields. */
export function drawRandomPicture(): Promise<Buffer> {
  const raw = { width: fields, height: fields, channels: 3 } as const
  return sharp(randomBytes(fields * fields * 3), { raw })
    .resize(side, side, { kernel: 'nearest' })
    .png()
    .toBuffer()
}

/** Names what a picture shows: a PNG that the club encoded again shows the same. */
export async function digestPixels(bytes: Buffer): Promise<string> {
  const pixels = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer()
    .catch(() => Buffer.from('not a picture'))
  return createHash('sha256').update(pixels).digest('hex')
}
