import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { facts } from '#contract/facts.ts'
import { usualCouponPrices, usualDisclosure } from '#contract/products.ts'
import { marketplace } from '#db/seed/products.ts'
import { marketplaceList } from '#web/marketing/rules/rules.ts'

type Content = { path: string; head: Map<string, string>; body: string }

const contents = globSync('content/**/*.md').toSorted().map(read)
const slugs = (folder: string) =>
  globSync(`content/${folder}/*.md`).map((path) => path.replaceAll('\\', '/').split('/').at(-1)?.slice(0, -3))

function read(path: string): Content {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path, 'utf8')) ?? []
  const fields = head.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { path: path.replaceAll('\\', '/'), head: new Map(fields), body }
}

test('every text has a head with a title, and the five articles are there', () => {
  expect(contents.length).toBeGreaterThan(20)
  expect(
    contents.filter(({ head, body }) => !head.get('title') || !body.trim()).map(({ path }) => path),
  ).toEqual([])
  expect(new Set(slugs('articles'))).toEqual(
    new Set(['authentic-review-policy', 'faq', 'getting-started', 'how-it-works', 'review-guidelines']),
  )
})

test('an article has the day of its last change, and a description that fits search results', () => {
  for (const { path, head } of contents.filter(({ path }) => /^content\/(articles|legal)\//.test(path))) {
    expect(head.get('updated'), path).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect((head.get('summary') ?? head.get('lead') ?? '').length, path).toBeGreaterThan(20)
    expect((head.get('summary') ?? head.get('lead') ?? '').length, path).toBeLessThanOrEqual(160)
  }
})

test('every figure that a text names exists', () => {
  const unknown = contents.flatMap(({ path, body }) =>
    [...body.matchAll(/\{\{(.*?)\}\}/g)]
      .map(([, name = '']) => name.trim())
      .filter((name) => !Object.hasOwn(facts, name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(Object.values(facts).filter((fact) => /undefined|NaN|null/.test(fact) || fact === '')).toEqual([])
})

// Digits in a text belong to a named figure. `argon2id` is itself a name.
test('no text holds a bare number', () => {
  const bare = contents.flatMap(({ path, body }) =>
    [
      ...body
        .replace(/\{\{.*?\}\}/g, '')
        .matchAll(/^(?!\d+\. ).*?((?<![\w-])\d[\d.,]*).*$|^\d+\. .*?(\d[\d.,]*).*$/gm),
    ].map(([line]) => `${path}: ${line.slice(0, 80)}`),
  )
  expect(bare, 'name the figure in contract/facts.ts').toEqual([])
})

test('no text spells out a figure either', () => {
  const number =
    'two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|' +
    'thirty|forty|sixty|seventy-two|ninety'
  const unit =
    'minutes?|hours?|days?|weeks?|months?|words?|sentences?|' +
    'products?|reviews?|declines?|strikes?|tags?|files?|dollars?'
  const spelled = new RegExp(String.raw`\b(${number}) (${unit})\b`, 'gi')
  const found = contents.flatMap(({ path, body }) =>
    [...body.matchAll(spelled)].map(([words]) => `${path}: ${words}`),
  )
  expect(found).toEqual([])
})

describe('links', () => {
  const names = [
    '|features|pricing|privacy|terms|security|contact|status|help|rules|fairness(/check|/draws)?',
    String.raw`articles|signin|signup|reset-password|\.well-known/security\.txt`,
  ]
  const pages = new RegExp(`^/(${names.join('|')})$`)

  test('lead to pages, articles, topics and headings that exist', () => {
    const broken = contents.flatMap(({ path, body }) =>
      [...body.matchAll(/\]\(([^)]+)\)/g)]
        .map(([, href = '']) => href)
        .filter((href) => !leadsSomewhere(href))
        .map((href) => `${path}: ${href}`),
    )
    expect(broken).toEqual([])
  })

  function leadsSomewhere(href: string) {
    const [address = '', anchor] = href.split('#')
    if (address.startsWith('https://')) return true
    if (address === '/help') return anchor === undefined || slugs('help').includes(anchor)
    if (address === '/rules' && anchor === marketplaceList) return true
    const slug = /^\/articles\/([\w-]+)$/.exec(address)?.[1]
    if (!slug) return pages.test(address) && anchor === undefined
    const article = contents.find(({ path }) => path === `content/articles/${slug}.md`)
    return article !== undefined && (anchor === undefined || anchorsOf(article).includes(anchor))
  }

  function anchorsOf({ body }: Content) {
    return [...body.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    )
  }
})

test('the front page has ten questions, and the pricing page four', () => {
  const questions = (name: string) =>
    contents.find(({ path }) => path === `content/${name}.md`)?.body.match(/^## .+\?$/gm)
  expect(questions('faq')).toHaveLength(10)
  expect(questions('pricing-faq')).toHaveLength(4)
})

test('the texts are calm: no exclamation marks, and headings in sentence case', () => {
  expect(contents.filter(({ body }) => /(?<!\[)!(?!\[)/.test(body)).map(({ path }) => path)).toEqual([])
  const shouted = contents.flatMap(({ path, head, body }) =>
    [head.get('title') ?? '', ...[...body.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)]
      .filter((title) =>
        title
          .split(' ')
          .slice(1)
          .some((word) => /^[A-Z][a-z]/.test(word) && !names.has(word)),
      )
      .map((title) => `${path}: ${title}`),
  )
  expect(shouted).toEqual([])
})

const names = new Set(['Evenhand?', 'AI'])

test('the texts contain the figures that they must state', () => {
  const everything = (path: string) => contents.find((content) => content.path === path)?.body ?? ''
  const policy = everything('content/articles/authentic-review-policy.md')
  for (const name of ['disclosure', 'exposure', 'confirmTime']) expect(policy).toContain(`{{${name}}}`)
  const howItWorks = everything('content/articles/how-it-works.md')
  for (const name of [
    'purchaseTime',
    'reviewTime',
    'secondDecline',
    'thirdDecline',
    'fourthDecline',
    'confirmTime',
    'returnTime',
    'creditLine',
    'givingCap',
  ])
    expect(howItWorks).toContain(`{{${name}}}`)
  for (const tag of ['Pending', 'Purchased', 'Reviewed', 'Verified'])
    expect(howItWorks).toContain(`| ${tag} `)
  const terms = everything('content/legal/terms.md')
  for (const name of ['pricePerMonth', 'refundHours', 'pauseLongest', 'strikes'])
    expect(terms).toContain(`{{${name}}}`)
  const privacy = everything('content/legal/privacy.md')
  for (const cookie of ['evenhand.session_token', 'evenhand.pending', 'theme'])
    expect(privacy).toContain(`\`${cookie}\``)
})

test('the disclosure and coupon prices in the texts are a marketplace’s defaults', () => {
  expect(marketplace.disclosure).toBe(usualDisclosure)
  expect([...marketplace.allowedCouponPricesCents]).toEqual([...usualCouponPrices])
  expect(readFileSync('db/schema.sql', 'utf8')).toContain(
    `coupon_prices integer[] not null default '{${usualCouponPrices.join(',')}}'`,
  )
})

test('no page or text claims a figure of the club that was not measured', () => {
  const claims = /over 100 sellers|\+\s?27\s?%|rating of 4[.,]9|4[.,]9 (out of|stars)/i
  const pages = globSync('web/{marketing,articles}/**/*.{ts,tsx}').map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))
  const texts = contents.map(({ path, body }) => ({ path, text: body }))
  expect([...pages, ...texts].filter(({ text }) => claims.test(text)).map(({ path }) => path)).toEqual([])
})
