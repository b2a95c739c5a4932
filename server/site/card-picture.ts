// Draws the review cards of a product as one picture in SVG. Text in SVG does not wrap by itself, so lines
// are broken by an estimate of their width that is rather too wide. The disclosure is never shortened.
import { date, count } from '#contract/format.ts'
import { cardsWidth } from '#contract/receipts.ts'
import type { ReviewCard, ReviewCards } from '#contract/receipts.ts'

const margin = 24
const padding = 20
/** A text is cut after so many lines, each one at the same place; the page has all of it. */
const textLines = 7

type Look = 'title' | 'small' | 'mark' | 'said' | 'text'
type Drawn = { svg: string; height: number }

/** `signed` is what the picture says, with the club's signature, as JSON. */
export function drawCards(
  cards: ReviewCards,
  { origin, signed }: { origin: string; signed: string },
): string {
  const inner = cardsWidth - 2 * margin
  const address = `${origin.replace(/^https?:\/\//, '')}/cards/${cards.key}`
  const parts: Drawn[] = [
    lines(wrap(cards.productTitle, inner, 18).slice(0, 2), { look: 'title', size: 18, x: margin }),
    lines(wrap(introOf(cards), inner, 13), { look: 'small', size: 13, x: margin }),
    ...cards.cards.map((card) => drawCard(card, cards)),
    lines(wrap(`All reviews, each with its receipt: ${address}`, inner, 13), {
      look: 'small',
      size: 13,
      x: margin,
    }),
  ]
  let y = margin
  const body = parts.map(({ svg, height }) => {
    const placed = `<g transform="translate(0 ${y})">${svg}</g>`
    y += height + 12
    return placed
  })
  const height = y - 12 + margin
  const name = `${count(cards.reviews, 'review')} of ${cards.productTitle}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${cardsWidth}" height="${height}"`,
    ` viewBox="0 0 ${cardsWidth} ${height}" role="img" aria-label="${escapeXml(name)}">`,
    `<title>${escapeXml(name)}</title><desc>${escapeXml(cards.cards.map(spoken).join(' '))}</desc>`,
    `<metadata>${escapeXml(signed)}</metadata><style>${style}</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${cardsWidth - 1}" height="${height - 1}" rx="12"/>`,
    ...body,
    '</svg>',
  ].join('')
}

function introOf({ reviews, cards, marketplace }: ReviewCards) {
  if (reviews === 0) return 'No reviews yet.'
  const all = `${count(reviews, 'review')} on ${marketplace} through Evenhand, a review exchange.`
  return cards.length < reviews
    ? `${all} Here are the newest ${cards.length}.`
    : `${all} All are shown, newest first.`
}

function drawCard(card: ReviewCard, { verifiedPurchaseWord }: ReviewCards): Drawn {
  const inner = cardsWidth - 2 * margin - 2 * padding
  const at = { x: margin + padding }
  const assisted = card.aiAssisted ? wrap(aiLine, inner, 13) : []
  const parts = [
    lines([`✓ ${verifiedPurchaseWord} · ${date(card.verifiedOn)}`], { ...at, look: 'mark', size: 13 }),
    lines([...wrap(card.disclosure, inner, 13), ...assisted], { ...at, look: 'said', size: 13 }),
    lines(cut(wrap(card.text, inner, 15)), { ...at, look: 'text', size: 15 }),
    lines([`Receipt ${card.receipt}`], { ...at, look: 'small', size: 12 }),
  ]
  let y = padding
  const body = parts.map(({ svg, height }) => {
    const placed = `<g transform="translate(0 ${y})">${svg}</g>`
    y += height + 8
    return placed
  })
  const height = y - 8 + padding
  const width = cardsWidth - 2 * margin
  const frame = `<rect class="card" x="${margin}" y="0" width="${width}" height="${height}" rx="10"/>`
  return { svg: frame + body.join(''), height }
}

const aiLine = 'The reviewer used AI for grammar and clarity.'

const spoken = ({ disclosure, text, aiAssisted }: ReviewCard) =>
  [disclosure, text, aiAssisted ? aiLine : ''].join(' ').trim()

function cut(all: string[]): string[] {
  if (all.length <= textLines) return all
  return [...all.slice(0, textLines - 1), `${(all[textLines - 1] ?? '').slice(0, -2).trimEnd()}…`]
}

function lines(texts: string[], { look, size, x }: { look: Look; size: number; x: number }): Drawn {
  const leading = Math.round(size * 1.45)
  const svg = texts.map(
    (text, at) =>
      `<text class="${look}" x="${x}" y="${at * leading + Math.round(size * 1.05)}">` +
      `${escapeXml(text)}</text>`,
  )
  return { svg: svg.join(''), height: texts.length * leading }
}

/** Breaks a text into lines of at most `width` pixels at this size. A longer word is broken within. */
export function wrap(text: string, width: number, size: number): string[] {
  const broken: string[] = []
  for (const paragraph of text.replace(unseen, '').split(/\s*\n\s*/)) {
    let line = ''
    for (const word of paragraph.split(/\s+/).flatMap((word) => pieces(word, width, size))) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && widthOf(longer, size) > width) {
        broken.push(line)
        line = word
      } else line = longer
    }
    if (line !== '') broken.push(line)
  }
  return broken
}

function pieces(word: string, width: number, size: number): string[] {
  if (widthOf(word, size) <= width) return [word]
  const found: string[] = []
  let piece = ''
  for (const character of word) {
    if (widthOf(piece + character, size) > width) {
      found.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...found, piece]
}

const narrow = /[iIjltfr.,:;'’|!()[\]{} -]/
const wide = /[mwMW@%&—…]|[\u2e80-\u{10ffff}]/u

function widthOf(text: string, size: number): number {
  let ems = 0
  for (const character of text)
    ems += narrow.test(character)
      ? 0.36
      : wide.test(character)
        ? 1.04
        : /\p{Lu}/u.test(character)
          ? 0.74
          : 0.6
  return ems * size
}

// Control characters other than line breaks, marks of direction, and what XML does not allow.
const unseen = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

function escapeXml(text: string): string {
  return text.replace(unseen, '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const style = [
  'text{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.title{font-size:18px;font-weight:600}.small{font-size:13px}.mark{font-size:13px;font-weight:600}',
  '.said{font-size:13px;font-style:italic}.text{font-size:15px}',
  '.ground{fill:#f8faf9;stroke:#e2e7e5}.card{fill:#fff;stroke:#e2e7e5}',
  '.title,.text{fill:#131a19}.small{fill:#5b6764}.said{fill:#46524f}.mark{fill:#14623a}',
  '@media(prefers-color-scheme:dark){.ground{fill:#0c100f;stroke:#242c2a}.card{fill:#121716;stroke:#242c2a}',
  '.title,.text{fill:#edf1f0}.small{fill:#939f9c}.said{fill:#b2bdba}.mark{fill:#6fcf93}}',
].join('')
