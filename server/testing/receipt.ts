import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Sharp } from 'sharp'

type Receipt = { order: string; title: string; day?: number; cents?: number }

/** A made-up receipt on a phone's screen. Its letters are patterns of bars, so it needs no fonts. */
export function drawReceipt({ order, title, day = 20, cents = 1200 }: Receipt): Sharp {
  const [width, height] = [540, 1100]
  const color = createHash('sha256').update(title).digest('hex').slice(0, 6)
  const parts = [
    `<rect width="${width}" height="75" fill="#f56400"/>`,
    write('Makerlane', { left: 20, top: 20, size: 30 }),
    write('Thanks for your purchase', { left: 20, top: 110, size: 24 }),
    write(`Order number ${order}`, { left: 20, top: 160, size: 18 }),
    write(`Nov ${day} 2026`, { left: 20, top: 190, size: 18 }),
    `<rect x="20" y="240" width="200" height="200" fill="#${color}"/>`,
    write(title, { left: 240, top: 260, size: 20 }),
    write(`Item total ${cents}`, { left: 20, top: 480, size: 18 }),
    write('Coupon EVEN', { left: 20, top: 510, size: 18 }),
    write('Order total 50', { left: 20, top: 540, size: 20 }),
    ...Array.from({ length: 10 }, (_, at) =>
      write('Help about purchases and refunds', { left: 20, top: 620 + at * 30, size: 15 }),
    ),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>`
  return sharp(Buffer.from(svg))
}

type Place = { left: number; top: number; size: number }

/** Each letter is three columns and five rows of which some are black. */
function write(text: string, { left, top, size }: Place) {
  const cell = size / 5
  const bars = [...text].flatMap((letter, at) => {
    const pattern = createHash('sha256').update(letter).digest()
    return letter === ' '
      ? []
      : Array.from({ length: 15 }, (_, bit) =>
          (pattern[bit] ?? 0) % 2
            ? `<rect x="${left + (at * 4 + (bit % 3)) * cell * 0.75}" y="${top + Math.floor(bit / 3) * cell}"
                width="${cell * 0.75}" height="${cell}"/>`
            : '',
        )
  })
  return bars.join('')
}
