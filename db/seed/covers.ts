import sharp from 'sharp'

import { art } from './cover-art.ts'
import { coverLayouts } from './cover-brush.ts'
import type { Palette } from './cover-brush.ts'
import type { SeedProduct } from './products.ts'

// Draws the picture of a demo product: one of sixteen layouts, in a palette that no other product of the
// layout has, with details that follow from the slug.

/** What a cover is drawn from. */
export type CoverSource = Pick<SeedProduct, 'slug' | 'title' | 'layout' | 'variant'>

export const coverWidth = 1200
export const coverHeight = 900

/** The cover as a 1200×900 SVG without outside resources; the same product always gives the same text. */
export function coverSvg(product: CoverSource): string {
  const random = sequence(product.slug)
  const place = coverLayouts.indexOf(product.layout) * 3 + product.variant * 5
  const palette = palettes[place % palettes.length] ?? defaultPalette
  const [name = product.title, line = ''] = product.title.split(': ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${coverWidth} ${coverHeight}" width="${coverWidth}" height="${coverHeight}" font-family="Inter, sans-serif">`,
    `<rect width="${coverWidth}" height="${coverHeight}" fill="${palette.ground}"/>`,
    art[product.layout]({ palette, random, variant: product.variant, name, line }),
    '</svg>',
  ].join('')
}

/** The cover as WebP, `width` pixels wide, in the ratio 4:3. */
export function coverBytes(product: CoverSource, width: number = coverWidth): Promise<Buffer> {
  return sharp(Buffer.from(coverSvg(product)))
    .resize({ width })
    .webp({ quality: 88 })
    .toBuffer()
}

const defaultPalette: Palette = {
  ground: '#e6ede2',
  text: '#1d3a2d',
  paper: '#fbfcf7',
  ink: '#1d3a2d',
  one: '#3f7d58',
  two: '#e3a857',
  three: '#c65b4a',
}

export const palettes: Palette[] = [
  defaultPalette,
  // Dusk
  {
    ground: '#232946',
    text: '#f6f1e7',
    paper: '#f6f1e7',
    ink: '#232946',
    one: '#eebbc3',
    two: '#7f98ea',
    three: '#f2c14e',
  },
  // Clay
  {
    ground: '#f3dfd0',
    text: '#4a2419',
    paper: '#fff8f1',
    ink: '#4a2419',
    one: '#c8623c',
    two: '#2f6f73',
    three: '#e8a948',
  },
  // Harbour
  {
    ground: '#d9e7ee',
    text: '#12324a',
    paper: '#fafdff',
    ink: '#12324a',
    one: '#1f6f9c',
    two: '#f08a5d',
    three: '#f2c879',
  },
  // Pine
  {
    ground: '#14372f',
    text: '#f3eedd',
    paper: '#f3eedd',
    ink: '#14372f',
    one: '#e9b44c',
    two: '#6fae92',
    three: '#e4745a',
  },
  // Plum
  {
    ground: '#3b1f3b',
    text: '#fbeee6',
    paper: '#fbeee6',
    ink: '#3b1f3b',
    one: '#f39a7b',
    two: '#b88ad0',
    three: '#f4d06f',
  },
  // Lemon
  {
    ground: '#f6d860',
    text: '#2b2a26',
    paper: '#fffbea',
    ink: '#2b2a26',
    one: '#2b2a26',
    two: '#e4572e',
    three: '#2e86ab',
  },
  // Lilac
  {
    ground: '#e5def2',
    text: '#2f2452',
    paper: '#fdfbff',
    ink: '#2f2452',
    one: '#6750b5',
    two: '#ef7f8e',
    three: '#f3b95f',
  },
  // Brick
  {
    ground: '#b8472f',
    text: '#fff3e4',
    paper: '#fff3e4',
    ink: '#4b1a10',
    one: '#f7c66b',
    two: '#5b1f14',
    three: '#f09d7a',
  },
  // Sea glass
  {
    ground: '#bfe0d6',
    text: '#10403b',
    paper: '#f6fdfa',
    ink: '#10403b',
    one: '#1b7a70',
    two: '#f26d5b',
    three: '#f7d774',
  },
  // Oat
  {
    ground: '#efe8da',
    text: '#2d2a24',
    paper: '#fffdf7',
    ink: '#2d2a24',
    one: '#4d5f8a',
    two: '#cf7a4f',
    three: '#a9b58c',
  },
  // Petrol
  {
    ground: '#0f4c5c',
    text: '#fdf3e3',
    paper: '#fdf3e3',
    ink: '#0f3a46',
    one: '#f2a65a',
    two: '#66b2b2',
    three: '#e36b5d',
  },
  // Rose
  {
    ground: '#f7d4d3',
    text: '#51203a',
    paper: '#fff8f6',
    ink: '#51203a',
    one: '#b83b5e',
    two: '#3f6c8f',
    three: '#f0a868',
  },
  // Night
  {
    ground: '#17181f',
    text: '#f1efe9',
    paper: '#f1efe9',
    ink: '#17181f',
    one: '#7cc6b8',
    two: '#f4976c',
    three: '#8f8be8',
  },
]

/** A small generator (mulberry32 over an FNV hash), so that pictures do not depend on the machine or the order. */
function sequence(seed: string): () => number {
  let state = 2_166_136_261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
