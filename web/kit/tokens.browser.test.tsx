import { describe, expect, test } from 'vitest'
import { categories } from '#contract/products.ts'
import './tokens.css'
import css from './tokens.css?raw'

const colors = [...css.matchAll(/--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)]
const light = Object.fromEntries(colors.map(([, name = '', hex = '']) => [name, hex]))
const dark = Object.fromEntries(colors.map(([, name = '', hex = '', darkHex]) => [name, darkHex ?? hex]))

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'pressed']
const tones = ['success', 'warning', 'danger', 'info', 'accent']

/** Each text color with its backgrounds. `ink-2` is used on every plain background, also the pressed one. */
const texts: [string, string][] = [
  ...pairs(['ink', 'ink-2'], [...grounds, ...tones.map((tone) => `${tone}-soft`)]),
  ...pairs(['ink-3'], ['canvas', 'surface', 'raised', 'sunken', 'accent-soft']),
  ...pairs(['on-ink'], ['ink']),
  ...pairs(['on-accent'], ['accent', 'accent-hover', 'accent-pressed']),
  ...pairs(['on-danger'], ['danger', 'danger-hover']),
  ...pairs(['accent-ink'], [...grounds, 'accent-soft']),
  ...tones.flatMap((tone) =>
    pairs([`${tone}-ink`], ['canvas', 'surface', 'raised', 'sunken', `${tone}-soft`]),
  ),
  ...categories.flatMap((category) => pairs([`${category}-ink`], [`${category}-soft`, 'surface', 'raised'])),
]

/** Edges and marks that identify a control or its state, with their backgrounds. */
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
  test.each(texts)('%s is readable on %s (WCAG AA, 4.5:1)', (text, ground) => {
    expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(marks)('%s is distinguishable from %s (3:1)', (mark, ground) => {
    expect(contrast(tokens, mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('a chosen theme applies, and without one the system theme does', () => {
  expect(canvasIn('light')).toBe(light['canvas'])
  expect(canvasIn('dark')).toBe(dark['canvas'])
  expect(canvasIn(null)).toBe(
    matchMedia('(prefers-color-scheme: dark)').matches ? dark['canvas'] : light['canvas'],
  )
})

function canvasIn(theme: 'light' | 'dark' | null): string {
  const { dataset, style } = document.documentElement
  if (theme) dataset['theme'] = theme
  style.outlineColor = 'var(--canvas)'
  const shown = getComputedStyle(document.documentElement).outlineColor
  delete dataset['theme']
  style.outlineColor = ''
  return hexOf(shown)
}

/** '#0c100f' of 'rgb(12, 16, 15)' */
function hexOf(color: string): string {
  return `#${(color.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

function pairs(texts: string[], grounds: string[]): [string, string][] {
  return texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground]))
}

function contrast(tokens: Record<string, string>, one: string, other: string): number {
  const [a, b] = [luminance(tokens, one), luminance(tokens, other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminance(tokens: Record<string, string>, name: string): number {
  const hex = tokens[name]
  if (!hex) throw new Error(`There is no color named ${name}.`)
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
