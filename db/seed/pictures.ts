import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Files } from '#server/kit/uploads/files.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { imageWidths } from '#server/products/images.ts'
import { products } from './products.ts'

// The covers of the demo's products: one WebP each in covers/, named by the product's slug.

export type StoredPicture = { slug: string; fileKey: string; width: number; height: number; bytes: number }

/** The cover of a product, whole. */
export function readCover(slug: string): Promise<Buffer> {
  return readFile(join(import.meta.dirname, 'covers', `${slug}.webp`))
}

/** Stores every cover in the widths in which a product's picture is stored. */
export async function storePictures(files: Files): Promise<StoredPicture[]> {
  const waiting = products.values()
  const stored: StoredPicture[] = []
  const worker = async () => {
    for (const { slug } of waiting) {
      const versions = await versionsOf(await readCover(slug))
      const file = pack(versions.map(({ data }) => data))
      const fileKey = newFileKey()
      await files.put(fileKey, file)
      const { width = 0, height = 0 } = versions.at(-1)?.info ?? {}
      stored.push({ slug, fileKey, width, height, bytes: file.length })
    }
  }
  await Promise.all([worker(), worker(), worker()])
  return stored
}

/** A cover is already encoded as it should be: only its narrower versions are made. */
async function versionsOf(cover: Buffer) {
  const { width, height } = await sharp(cover).metadata()
  const whole = { data: cover, info: { width, height } }
  return Promise.all(
    imageWidths.map(async (wanted) =>
      wanted >= width
        ? whole
        : sharp(cover)
            .resize({ width: wanted })
            .webp({ quality: 84, effort: 0 })
            .toBuffer({ resolveWithObject: true }),
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
