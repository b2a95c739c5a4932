// What public pages say about membership where it can be bought, where payments are tests, and where neither.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { PageGiven } from '#contract/pages.ts'
import { PaymentsContext } from '#web/articles/payments.tsx'
import { SiteFrame } from './frame/site-frame.tsx'
import { pages } from './pages.tsx'
import type { Page } from './page.ts'

const given: PageGiven = { origin: 'https://club.example', demo: false, payments: 'live', signedIn: false }

/** A page with its frame and its structured data, as text. */
function textOf({ path, Content, structured, title, description }: Page, facts: Partial<PageGiven> = {}) {
  const all = { ...given, ...facts }
  const frame = SiteFrame({ path, given: all, children: createElement(Content, all) })
  const html = renderToStaticMarkup(createElement(PaymentsContext, { value: all.payments }, frame))
  const seen = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  return [title, description, seen, JSON.stringify(structured?.(all) ?? [])].join('\n')
}

const pageAt = (path: string) => pages.filter((page) => page.path === path)

describe('where membership can’t be bought', () => {
  test.each(pages.map((page) => [page.path, page] as const))('%s says so and claims nothing', (_, page) => {
    for (const signedIn of [false, true]) {
      const text = textOf(page, { payments: 'closed', signedIn })
      expect(text).toContain('Paid membership is not open yet.')
      const claims = new RegExp(
        [
          String.raw`\$8|8\.00|first payment|money back|cancel anytime|renews?\b|you cancel\b`,
          String.raw`Stripe|Join for|billing page|\binvoices`,
        ].join('|'),
        'i',
      )
      expect(claims.exec(text)?.[0]).toBeUndefined()
    }
  })
})

describe('where membership can be bought', () => {
  test('the prices, the terms and the help say how', () => {
    for (const path of ['/pricing', '/terms', '/help', '/', '/features']) {
      const [text] = pageAt(path).map((page) => textOf(page))
      expect(text, path).toMatch(/\$8 (a|per) month/)
      expect(text, path).not.toContain('not open yet')
    }
  })

  test('the button leads a visitor to sign up, and a member to the billing page', () => {
    const hrefs = (signedIn: boolean) =>
      pageAt('/pricing').map(({ Content }) =>
        renderToStaticMarkup(createElement(Content, { ...given, signedIn })),
      )
    expect(hrefs(false).join('')).toContain('href="/signup"')
    expect(hrefs(true).join('')).toContain('href="/billing"')
  })

  test('test payments are labeled on every page', () => {
    for (const page of pages) {
      expect(textOf(page, { payments: 'test' }), page.path).toContain('Test payment')
      expect(textOf(page), page.path).not.toContain('Test payment')
    }
  })
})
