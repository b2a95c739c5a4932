import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { drawReceipt } from '#server/testing/receipt.ts'
import { comparePictures, hashPicture, mostBitsApart } from './perceptual-hash.ts'

const order = { order: '3041728817', title: 'Weekly planner' }
const receipt = sharp(await drawReceipt(order).png().toBuffer())

test.each<[string, (picture: Sharp) => Sharp]>([
  ['as a JPEG', (picture) => picture.jpeg({ quality: 90 })],
  ['as a small JPEG', (picture) => picture.jpeg({ quality: 40 })],
  ['in a smaller size', (picture) => picture.resize(400).png()],
  ['as a smaller JPEG', (picture) => picture.resize(400).jpeg({ quality: 80 })],
  ['in a larger size', (picture) => picture.resize(1080).png()],
])('a picture saved again %s is the same', async (_, save) => {
  expect(await compare(save(receipt.clone()))).toBe('same')
})

test.each<[string, Sharp]>([
  ['in one digit', drawReceipt({ ...order, order: '3041728818' })],
  ['in two digits', drawReceipt({ ...order, order: '3041728893' })],
  ['in its number and date', drawReceipt({ ...order, order: '3099120354', day: 21 })],
  ['by a stamp', receipt.clone().composite([{ input: stamp(30), left: 450, top: 950 }])],
])('a picture edited %s is similar, never the same', async (_, edited) => {
  expect(await compare(edited.png())).toBe('similar')
})

test.each<[string, Sharp]>([
  ['of another order', drawReceipt({ order: '3099120354', title: 'Lo-fi beats', day: 23, cents: 2400 })],
  ['of a blank page', stampAlone('#fff')],
  ['of a dark page', stampAlone('#111')],
])('a picture %s is different', async (_, other) => {
  expect(await compare(other.png())).toBe('different')
})

test('a picture smaller than its fields has a hash', async () => {
  const { tones, bits } = await hashPicture(sharp(await stampAlone('#777').resize(3, 50).png().toBuffer()))
  expect([tones.length, bits]).toEqual([4096, '0'.repeat(992)])
})

async function compare(other: Sharp) {
  const [one, two] = [await hashPicture(receipt.clone()), await hashPicture(sharp(await other.toBuffer()))]
  const apart = [...one.bits].filter((bit, at) => bit !== two.bits[at]).length
  return apart > mostBitsApart ? 'different' : comparePictures(one.tones, two.tones, apart)
}

function stamp(side: number) {
  return { create: { width: side, height: side, channels: 3 as const, background: '#c00' } }
}

function stampAlone(background: string) {
  return sharp({ create: { width: 540, height: 1100, channels: 3, background } })
}
