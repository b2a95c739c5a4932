import { describe, expect, test } from 'vitest'
import { categories } from '#contract/products.ts'
import css from './tokens.css?raw'

const light = tokensOf(/:root,\n\[data-theme='light'\] \{([^}]*)\}/)
const system = tokensOf(/:root:not\(\[data-theme='light'\]\) \{([^}]*)\}/)
const dark = tokensOf(/\n\[data-theme='dark'\] \{([^}]*)\}/)

const places = ['canvas', 'surface', 'raised', 'sunken', 'pressed']
const tones = ['success', 'warning', 'danger', 'info', 'accent']

/** Every text colour with each ground it stands on. Grey texts stand on every plain ground, also the pressed one. */
const texts: [string, string][] = [
  ...pairs(['ink', 'ink-2'], [...places, ...tones.map((tone) => `${tone}-soft`)]),
  ...pairs(['ink-3'], ['canvas', 'surface', 'raised', 'sunken', 'accent-soft']),
  ...pairs(['on-ink'], ['ink']),
  ...pairs(['on-accent'], ['accent', 'accent-hover', 'accent-pressed']),
  ...pairs(['on-danger'], ['danger', 'danger-hover']),
  ...pairs(['accent-ink'], [...places, 'accent-soft']),
  ...tones.flatMap((tone) =>
    pairs([`${tone}-ink`], ['canvas', 'surface', 'raised', 'sunken', `${tone}-soft`]),
  ),
  ...categories.flatMap((category) => pairs([`${category}-ink`], [`${category}-soft`, 'surface', 'raised'])),
]

/** Edges and marks that tell a control or its state, with what they stand against. */
const marks: [string, string][] = [
  ...pairs(['line-strong', 'focus', 'accent', 'danger'], ['canvas', 'surface', 'raised', 'sunken']),
  ...pairs(['accent', 'focus'], ['pressed']),
  ...pairs(['star', 'star-empty'], ['canvas', 'surface', 'raised']),
  ...pairs(['success', 'warning', 'info'], ['surface', 'pressed']),
]

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s theme', (_, tokens) => {
  test.each(texts)('%s can be read on %s (WCAG AA, 4.5:1)', (text, ground) => {
    expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(marks)('%s can be told from %s (3:1)', (mark, ground) => {
    expect(contrast(tokens, mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('the dark theme is the same by choice as by the system', () => {
  expect(dark).toEqual(system)
})

test('both themes know the same colours', () => {
  expect(Object.keys(dark)).toEqual(Object.keys(light))
})

function pairs(texts: string[], grounds: string[]): [string, string][] {
  return texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground]))
}

function tokensOf(block: RegExp): Record<string, string> {
  const body = block.exec(css)?.[1] ?? ''
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  )
}

function contrast(tokens: Record<string, string>, one: string, other: string): number {
  const [a, b] = [luminance(tokens, one), luminance(tokens, other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminance(tokens: Record<string, string>, name: string): number {
  const hex = tokens[name]
  if (!hex) throw new Error(`There is no colour named ${name}.`)
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
