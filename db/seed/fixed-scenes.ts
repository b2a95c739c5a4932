// What anna, ben and the others of the named cast have under way when the demo begins. It is written down,
// not left to chance: documents and journeys name it.
import { day, hour } from './past.ts'
import type { Steps } from './past.ts'

/** From here on chance leaves those alone whose standing at the end is written down. */
const heldFrom = -16 * day
export const settledAt = -7 * day

/**
 * The balances that the named cast, and those who have something under way with them, have before the last
 * days.
 */
export const endBalances: Record<string, number> = {
  anna: 1,
  ben: 0,
  clara: -1,
  dario: 0,
  elif: 0,
  finn: 0,
  mireille: 0,
  'priya-draws': 0,
  hugo: 0,
  vilde: 0,
}

/** Whether chance leaves this member alone by then. */
export function isHeld(username: string, at: number) {
  return username in endBalances && at > heldFrom
}

/** What is under way with anna and ben when the demo begins. Documents and journeys name these. */
export const underWay: {
  product: string
  reviewer: string
  askedAt: number
  steps: Partial<Steps>
  draft?: string
}[] = [
  {
    product: 'pressed-meadow',
    reviewer: 'anna',
    askedAt: -43 * hour,
    steps: { acceptedAt: -40 * hour, purchasedAt: -31 * hour },
    draft:
      'I printed four of the sheets as cards for my aunt, who knows her wildflowers and found nothing ' +
      'to correct. The paper colour is part of the file,',
  },
  { product: 'monsoon-patterns', reviewer: 'ben', askedAt: -23 * hour, steps: { acceptedAt: -21 * hour } },
  {
    product: 'wedding-budget',
    reviewer: 'hugo',
    askedAt: -54 * hour,
    steps: { acceptedAt: -50 * hour, purchasedAt: -41 * hour, submittedAt: -5 * hour },
  },
  {
    product: 'price-it',
    reviewer: 'vilde',
    askedAt: -61 * hour,
    steps: { acceptedAt: -58 * hour, purchasedAt: -33 * hour, submittedAt: -9 * hour },
  },
]

export function isUnderWay(slug: string) {
  return underWay.some(({ product }) => product === slug)
}

/** Anna has never asked for a review of this one, so that its card offers it. */
export const neverAsked = 'price-your-work'

/** Texts that chance leaves for what is written down. */
export const keptTexts: Record<string, number> = {
  ...Object.fromEntries(underWay.map(({ product }) => [product, 1])),
  'stitch-count': 1,
  'quiet-inbox': 1,
  'five-stitched-books': 1,
  'window-loops': 1,
}

/** Pairs that meet in what is written down, and so not before. */
export const promised = [
  ['anna', 'mireille'],
  ['ben', 'priya-draws'],
  ['hugo', 'anna'],
  ['vilde', 'ben'],
] as const
