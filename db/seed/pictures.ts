import sharp from 'sharp'
import type { Files } from '#server/kit/uploads/files.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { imageWidths } from '#server/products/images.ts'
import { coverHeight, coverSvg, coverWidth } from './covers.ts'
import { products } from './products.ts'

export type StoredPicture = { slug: string; fileKey: string; width: number; height: number; bytes: number }

/** Draws every cover and keeps it as a product's picture is kept: about 60 ms of processor time each. */
export async function storePictures(files: Files): Promise<StoredPicture[]> {
  const waiting = products.values()
  const stored: StoredPicture[] = []
  const painter = async () => {
    for (const product of waiting) {
      const file = pack(await versionsOf(coverSvg(product)))
      const fileKey = newFileKey()
      await files.put(fileKey, file)
      stored.push({ slug: product.slug, fileKey, width: coverWidth, height: coverHeight, bytes: file.length })
    }
  }
  await Promise.all([painter(), painter(), painter()])
  return stored
}

/** Drawn once and made smaller from the pixels, since drawing is what takes the time. */
async function versionsOf(svg: string): Promise<Buffer[]> {
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  return Promise.all(
    imageWidths.map((width) =>
      sharp(data, { raw })
        .resize({ width: Math.min(width, coverWidth) })
        .webp({ quality: 84, effort: 2 })
        .toBuffer(),
    ),
  )
}

// The form in which products/images.ts keeps them: the length of each version in four bytes, then the
// versions.
function pack(versions: Buffer[]) {
  const lengths = Buffer.alloc(4 * versions.length)
  for (const [place, bytes] of versions.entries()) lengths.writeUInt32BE(bytes.length, 4 * place)
  return Buffer.concat([lengths, ...versions])
}
