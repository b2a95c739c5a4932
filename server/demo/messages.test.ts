import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categories } from '#contract/products.ts'
import { countText, hasPersonalData, isLongEnough, reviewLength } from '#contract/review-text.ts'
import { makeRandom } from '#db/seed/random.ts'
import { products } from '#db/seed/products.ts'
import { asides, openings, sentences, verdicts } from './sentences.ts'
import { composeText, findText } from './messages.ts'

const composed = fc
  .record({
    title: fc.oneof(
      fc.string({ maxLength: 140 }),
      fc.constantFrom('Tide Tables: a planner', 'www.shop.example'),
    ),
    category: fc.constantFrom(...categories),
    seed: fc.nat(),
  })
  .map(({ title, category, seed }) => composeText({ title, category, couponLink: '' }, makeRandom(seed)))

describe('what simulated members write', () => {
  test('is long enough, has no personal data and answers both questions, whatever the product’s name', () => {
    fc.assert(
      fc.property(composed, ({ text, usedFor, notFor, rating }) => {
        expect(isLongEnough(text)).toBe(true)
        expect(hasPersonalData(text)).toBe(false)
        expect(usedFor.length).toBeGreaterThanOrEqual(10)
        expect(notFor.length).toBeGreaterThanOrEqual(10)
        expect([3, 4, 5]).toContain(rating)
      }),
    )
  })

  test('names the product by the part of its title before the colon', () => {
    const { text } = composeText(
      { title: 'Tide Tables: a planner', category: 'template', couponLink: '' },
      makeRandom(1),
    )
    expect(text).toContain('“Tide Tables”')
  })

  test('has enough words without counting on the number of sentences', () => {
    for (const category of categories) {
      for (let seed = 0; seed < 50; seed += 1) {
        const { text } = composeText({ title: 'Tide', category, couponLink: '' }, makeRandom(seed))
        expect(countText(text).words).toBeGreaterThanOrEqual(reviewLength.words)
      }
    }
  })

  test('takes a text that the demo has for the product, as long as there is one', () => {
    const [product] = products
    const first = findText({ couponLink: product?.couponLink ?? '' }, [])
    const second = findText({ couponLink: product?.couponLink ?? '' }, [first?.text ?? ''])
    expect(second?.text).not.toBe(first?.text)
    expect(
      findText({ couponLink: product?.couponLink ?? '' }, [first?.text ?? '', second?.text ?? '']),
    ).toBeNull()
    expect(findText({ couponLink: 'https://makerlane.example/listing/unknown' }, [])).toBeNull()
  })

  test('chooses each sentence from at least eight, no two of them alike', () => {
    for (const bank of [openings, asides, ...Object.values(verdicts)]) {
      expect(new Set(bank).size).toBeGreaterThanOrEqual(8)
    }
    for (const { used, good, weak } of Object.values(sentences)) {
      for (const bank of [used, good, weak]) expect(new Set(bank).size).toBeGreaterThanOrEqual(8)
    }
  })
})
