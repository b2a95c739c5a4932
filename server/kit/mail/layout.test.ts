import { Children } from 'react'
import { render, toPlainText } from 'react-email'
import { expect, test } from 'vitest'
import { unlinked, MailButton, MailFacts, MailLayout, MailLink, MailText } from './layout.tsx'

const origin = 'https://club.example'

type Footer = { demo?: boolean; settings?: boolean; unsubscribe?: string }

// The parts are plain functions, so the test calls them without JSX.
function show({ demo = true, settings = true, unsubscribe }: Footer = {}) {
  const children = [
    MailText({ children: 'Hello Anna.' }),
    MailFacts({ facts: [{ label: 'Product', value: 'A & B <i>c</i>' }] }),
    MailButton({ href: `${origin}/reviews?a=1&b=2`, children: 'Open the review' }),
    MailLink({ href: `${origin}/rules`, children: 'The rules' }),
  ]
  return render(
    MailLayout({
      preview: 'Only in the list.',
      title: 'A title',
      origin,
      demo,
      settings,
      unsubscribe,
      children: Children.toArray(children),
    }),
  )
}

test('a mail loads nothing and runs nothing', async () => {
  const html = await show()
  expect(html).not.toMatch(/<img|<script|<link|<iframe|url\(|@import/i)
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https:\/\/club\.example/)
})

test('a mail fits the width of the window that shows it', async () => {
  expect(await show()).toMatch(/<meta (?=[^>]*name="viewport")[^>]*content="width=device-width/)
})

test('the text part says the same, with full addresses', async () => {
  const text = toPlainText(await show())
  for (const part of [
    'A TITLE',
    'Hello Anna.',
    'A & B <i>c</i>',
    `Open the review ${origin}/reviews?a=1&b=2`,
  ]) {
    expect(text).toContain(part)
  }
  expect(text).toContain(`The rules ${origin}/rules`)
  expect(text).not.toContain('Only in the list.')
})

test('the footer links to the settings of a member with an account', async () => {
  expect(await show()).toContain(`${origin}/settings`)
  expect(await show({ settings: false })).not.toContain('/settings')
})

test('the footer has the unsubscribe link, in both parts', async () => {
  const unsubscribe = `${origin}/unsubscribe?token=a.b`
  const html = await show({ unsubscribe })
  expect(html).toContain(`href="${unsubscribe}"`)
  expect(toPlainText(html)).toContain(`Stop these emails ${unsubscribe}`)
  expect(await show()).not.toContain('Stop these emails')
})

test('only a demo shows the demo mark', async () => {
  expect(await show()).toContain('Demo club')
  expect(await show({ demo: false })).not.toContain('Demo club')
})

test('an address in user text is no link, and other text stays the same', () => {
  const plain = 'Déjà vu: a planner, 12.5 x 9 cm… "ok"? (v. 2)'
  expect(unlinked(plain).replaceAll('\u2060', '')).toBe(plain)
  for (const address of ['www.evil.test', 'https://evil.test/a', 'a@evil.test', 'evil.test']) {
    expect(unlinked(address)).not.toMatch(/\w\.\w|:\/\/|\w@\w/)
  }
})
