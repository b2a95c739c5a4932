// The front page as the server sends it: what it promises, and where its answers come from.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { PageGiven } from '#contract/pages.ts'
import type { ListedMarketplace } from '#contract/site.ts'
import { truthOf } from './claims.ts'
import { HomePage } from './home-page.tsx'

const given: PageGiven = { origin: 'https://club.example', demo: false, payments: 'live', signedIn: false }
const htmlOf = (facts: Partial<PageGiven> = {}) =>
  renderToStaticMarkup(createElement(HomePage, { ...given, ...facts }))
/** The text that a reader sees, without tags. */
const textOf = (facts: Partial<PageGiven> = {}) =>
  htmlOf(facts)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe('the front page promises only what is switched on', () => {
  test('a sentence about payments appears where membership can be bought', () => {
    const claims = [{ text: 'Always true.' }, { text: 'You can pause.', needs: 'payments' as const }]
    expect(truthOf(claims, 'closed')).toEqual(['Always true.'])
    expect(truthOf(claims, 'test')).toEqual(['Always true.', 'You can pause.'])
  })

  test('a demo club asks no one to pay', () => {
    expect(textOf({ demo: true })).toContain('Try the demo club')
    expect(textOf({ demo: true })).not.toMatch(/Join for/)
  })
})

describe('the question about marketplaces', () => {
  const lane: ListedMarketplace = {
    name: 'Maker Lane',
    host: 'makerlane.example',
    lane: 'public',
    policyUrl: 'https://makerlane.example/policies/reviews',
    policySentence: 'Each review says in its first line how it came about.',
    readOn: '2026-11-02',
    couponPrices: [0, 50],
  }

  test('is answered with the marketplaces that are open now', () => {
    const text = textOf({
      marketplaces: [
        lane,
        { ...lane, name: 'Quiet Lane', host: 'quiet.example', lane: 'private' },
        { ...lane, name: 'Shut Lane', host: 'shut.example', lane: 'closed' },
      ],
    })
    expect(text).toContain('Does it work on my marketplace, and can my shop be closed?')
    expect(text).toMatch(/Maker Lane Reviews are posted there/)
    expect(text).toMatch(/Quiet Lane Reviews stay private feedback/)
    expect(text).not.toContain('Shut Lane')
  })

  test('is answered honestly without a marketplace, and without an answer of the database', () => {
    expect(textOf({ marketplaces: [] })).toContain('No marketplace is listed yet')
    expect(htmlOf()).toContain('href="/rules#marketplaces"')
    expect(textOf()).toContain('or close your shop')
  })

  test('says in a demo that the marketplace is made up', () => {
    expect(textOf({ demo: true, marketplaces: [lane] })).toMatch(/Maker Lane Made up/)
    expect(textOf({ marketplaces: [lane] })).not.toContain('Made up')
  })
})

test('every picture keeps its place while it loads, and says what it shows', () => {
  const images = [...htmlOf().matchAll(/<img [^>]*>/g)].map(([tag]) => tag)
  expect(images.length).toBeGreaterThanOrEqual(8)
  // One loads at once: the first, in the system's color scheme.
  expect(images.filter((tag) => !tag.includes('loading="lazy"'))).toHaveLength(1)
  for (const tag of images) {
    expect(tag).toMatch(/ width="\d+" height="\d+" /)
    expect(tag).toMatch(/ alt="[^"]{20,}"/)
  }
})
