import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readCover } from './pictures.ts'
import { products } from './products.ts'

test('each product has a cover of its own, and no cover is without a product', async () => {
  const files = readdirSync(new URL('covers', import.meta.url))
  expect(files.toSorted()).toEqual(products.map(({ slug }) => `${slug}.webp`).toSorted())
  const covers = await Promise.all(products.map(({ slug }) => readCover(slug)))
  expect(new Set(covers.map((bytes) => bytes.toString('base64'))).size).toBe(products.length)
})

test('each cover is a whole WebP in the ratio 4:3', async () => {
  for (const { slug } of products) {
    const { data, info } = await sharp(await readCover(slug), { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data.length, slug).toBe(info.width * info.height * info.channels)
    expect(info.width * 3, slug).toBe(info.height * 4)
    expect((await sharp(await readCover(slug)).metadata()).format, slug).toBe('webp')
  }
})
