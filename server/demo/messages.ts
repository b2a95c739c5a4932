// What a simulated member writes about a product: one of the demo's texts for it while there are any,
// otherwise a text composed of sentences.
import type { Category } from '#contract/products.ts'
import { categories } from '#contract/products.ts'
import { hasPersonalData } from '#contract/review-text.ts'
import { products } from '#db/seed/products.ts'
import { reviewTexts } from '#db/seed/review-texts.ts'
import { asides, nameSlot, openings, sentences, verdicts } from './sentences.ts'

export type Words = { rating: number; text: string; usedFor: string; notFor: string }
type Reviewed = { title: string; category: string; couponLink: string }

/** One of the demo's texts for this product that is not among `written`, or null. */
export function findText({ couponLink }: Pick<Reviewed, 'couponLink'>, written: string[]): Words | null {
  const known = products.find((product) => product.couponLink === couponLink)
  const text = reviewTexts.find(({ product, text }) => product === known?.slug && !written.includes(text))
  return text ? { rating: text.rating, text: text.text, usedFor: text.usedFor, notFor: text.notFor } : null
}

/** A text of five or six sentences about this product. `random` gives numbers from 0 up to 1. */
export function composeText({ title, category }: Reviewed, random: () => number): Words {
  const bank = sentences[categoryOf(category)]
  const rating = ([3, 4, 4, 5, 5] as const)[Math.floor(random() * 5)] ?? 4
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? ''
  const opening = pick(openings).replace(nameSlot, nameOf(title, category))
  // Even a pleased reviewer finds a fault half of the time.
  const fault = rating < 5 || random() < 0.5 ? [pick(bank.weak)] : []
  const parts = [opening, pick(bank.used), pick(bank.good), pick(asides), ...fault, pick(verdicts[rating])]
  return { rating, text: parts.join(' '), usedFor: pick(bank.usedFor), notFor: pick(bank.notFor) }
}

function categoryOf(text: string): Category {
  return categories.find((category) => category === text) ?? 'other'
}

/**
 * The part of the title before a colon, in quotation marks. A title that is a link or an address is not
 * repeated.
 */
function nameOf(title: string, category: string) {
  const [name = ''] = title.split(': ')
  const short = name
    .replace(/[“”"]/g, '')
    .trim()
    .slice(0, 60)
    .trim()
  return short.length < 3 || hasPersonalData(short) ? `this ${nouns[categoryOf(category)]}` : `“${short}”`
}

const nouns: Record<Category, string> = {
  template: 'template',
  tool: 'tool',
  design: 'set',
  guide: 'guide',
  course: 'course',
  audio: 'collection',
  video: 'collection',
  other: 'thing',
}
