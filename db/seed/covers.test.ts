import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { coverLayouts } from './cover-brush.ts'
import { coverBytes, coverSvg, palettes } from './covers.ts'
import { products } from './products.ts'

describe('product covers', () => {
  test('are the same for the same product, and no two products share one', () => {
    const covers = products.map(coverSvg)
    expect(products.map(coverSvg)).toEqual(covers)
    expect(new Set(covers).size).toBe(products.length)
  })

  test('no two products of one layout have the same palette', () => {
    for (const layout of coverLayouts) {
      const same = products.filter((one) => one.layout === layout)
      expect(same.length, layout).toBeLessThanOrEqual(palettes.length)
      const grounds = same.map(
        (one) => /<rect width="1200" height="900" fill="(#\w+)"/.exec(coverSvg(one))?.[1],
      )
      expect(new Set(grounds).size, layout).toBe(same.length)
    }
  })

  test('hold every word of the title, escaped, and nothing from elsewhere', () => {
    const odd = { slug: 'odd', title: 'Salt & <Pepper>: this and that', layout: 'sheet', variant: 0 } as const
    expect(coverSvg(odd)).toContain('&amp;')
    expect(coverSvg(odd)).not.toContain('<Pepper>')
    for (const one of products) {
      const svg = coverSvg(one)
      for (const word of (one.title.split(': ')[0] ?? '').split(' ')) expect(svg, one.slug).toContain(word)
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
        /https?:|href|url\(|<image|<script/,
      )
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    }
  })

  test('each layout becomes a WebP of 1200×900, or narrower in the same ratio', async () => {
    for (const layout of coverLayouts) {
      const example = products.find((one) => one.layout === layout)
      if (!example) throw new Error(`no product has the layout ${layout}`)
      const { format, width, height } = await sharp(await coverBytes(example)).metadata()
      expect({ format, width, height }).toEqual({ format: 'webp', width: 1200, height: 900 })
    }
    const [first] = products
    if (!first) throw new Error('no products')
    const small = await sharp(await coverBytes(first, 400)).metadata()
    expect([small.width, small.height]).toEqual([400, 300])
  })

  test('lettering has a contrast of at least 4.5 on its ground, in every palette', () => {
    for (const { ground, text, paper, ink } of palettes) {
      expect(contrast(ground, text), ground).toBeGreaterThanOrEqual(4.5)
      expect(contrast(paper, ink), paper).toBeGreaterThanOrEqual(4.5)
    }
  })
})

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return red * 0.2126 + green * 0.7152 + blue * 0.0722
}
