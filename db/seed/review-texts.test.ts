import { describe, expect, test } from 'vitest'

import { marketplace, products } from './products.ts'
import { reviewTexts } from './review-texts.ts'

describe('the review texts of the demo', () => {
  test('are two for each product', () => {
    for (const one of products) {
      expect(
        reviewTexts.filter((text) => text.product === one.slug),
        one.slug,
      ).toHaveLength(2)
    }
    expect(reviewTexts).toHaveLength(products.length * 2)
  })

  test('have 45 to 90 words, which is more than the club asks for', () => {
    for (const one of reviewTexts) {
      const count = words(one.text).length
      expect(count, `${one.product}: ${one.text.slice(0, 40)}`).toBeGreaterThanOrEqual(45)
      expect(count, `${one.product}: ${one.text.slice(0, 40)}`).toBeLessThanOrEqual(90)
    }
  })

  test('are distinct from each other and from the listing: trigram similarity stays below 0.35', () => {
    const bags = [
      ...reviewTexts.map((one) => ({ from: one.text, bag: trigrams(one.text) })),
      ...products.map((one) => ({ from: one.description, bag: trigrams(one.description) })),
    ]
    let highest = { similarity: 0, pair: '' }
    bags.forEach((one, index) => {
      for (const other of bags.slice(index + 1)) {
        const similarity = jaccard(one.bag, other.bag)
        if (similarity > highest.similarity) {
          highest = { similarity, pair: `${one.from.slice(0, 60)} / ${other.from.slice(0, 60)}` }
        }
      }
    })
    expect(highest.similarity, highest.pair).toBeLessThan(0.35)
  })

  test('hold every opinion from 2 to 5 stars, with at least a tenth lukewarm and some critical', () => {
    const share = (rating: number) =>
      reviewTexts.filter((one) => one.rating === rating).length / reviewTexts.length
    expect(share(2)).toBeGreaterThanOrEqual(0.05)
    expect(share(3)).toBeGreaterThanOrEqual(0.1)
    expect(share(4)).toBeGreaterThanOrEqual(0.2)
    expect(share(5)).toBeLessThanOrEqual(0.5)
  })

  test('hold no link, address, phone number, name of the marketplace or disclosure', () => {
    for (const one of reviewTexts) {
      for (const text of [one.text, one.usedFor, one.notFor]) {
        expect(text).not.toMatch(/https?:|www\.|@|\.(com|org|net|example)\b/i)
        expect(text).not.toMatch(/\d{5,}|\d{3}[ -]\d{3}/)
        expect(text.toLowerCase()).not.toContain(marketplace.name.toLowerCase())
        expect(text.toLowerCase()).not.toContain('review exchange')
        expect(text).not.toMatch(/\b(boost|five[- ]stars?|5[- ]stars?|rating)\b/i)
      }
    }
  })

  test('answer both questions in one or two sentences, no answer twice', () => {
    const answers = reviewTexts.flatMap((one) => [one.usedFor, one.notFor])
    for (const answer of answers) {
      expect(answer).toMatch(/^[A-Z].*\.$/)
      expect((answer.match(/[.!?](?=\s|$)/g) ?? []).length, answer).toBeLessThanOrEqual(2)
      expect(answer.length, answer).toBeGreaterThanOrEqual(15)
    }
    expect(new Set(answers).size).toBe(answers.length)
  })
})

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}’]+/gu) ?? []
}

function trigrams(text: string): Set<string> {
  const all = words(text)
  return new Set(all.slice(2).map((word, index) => `${all[index]} ${all[index + 1]} ${word}`))
}

function jaccard(one: Set<string>, other: Set<string>): number {
  const shared = one.intersection(other).size
  return shared / (one.size + other.size - shared)
}
