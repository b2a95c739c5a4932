import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { articles, topics } from '#web/articles/texts.ts'
import { HelpPage } from './help-page.tsx'
import { searchHelp } from './help-search.ts'

const before = location.href
beforeEach(() => history.replaceState(null, '', '/help'))
afterEach(() => history.replaceState(null, '', before))

const shown = () => [...document.querySelectorAll<HTMLElement>('[data-help-item]:not([hidden]) h3')].map(text)
const groups = () =>
  [...document.querySelectorAll<HTMLElement>('[data-help-group]:not([hidden]) h2')].map(text)
const text = (element: HTMLElement) => element.textContent

test('without a script every topic and article is listed', async () => {
  await render(<HelpPage />)
  expect(shown()).toEqual([...topics, ...inGroups()].map(({ title }) => title))
})

function inGroups() {
  return ['How-To', 'Policy', 'FAQ'].flatMap((category) =>
    articles.filter((article) => article.category === category),
  )
}

test('typing filters the list, says how many entries match, and keeps the query in the address', async () => {
  await open()
  await page.getByLabelText('Search help').fill('recovery code')
  expect(shown()).toEqual(['I lost access to two-factor authentication'])
  expect(groups()).toEqual(['Signing in'])
  await expect.element(page.getByRole('status')).toHaveTextContent('1 result')
  expect(location.search).toBe('?q=recovery+code')
  await page.getByLabelText('Search help').fill('')
  expect(shown()).toHaveLength(topics.length + articles.length)
  await expect.element(page.getByRole('status')).toHaveTextContent('')
  expect(location.search).toBe('')
})

test('the search covers the text of articles, and shows their matching sections', async () => {
  await open()
  await page.getByLabelText('Search help').fill('status tags')
  expect(shown()).toContain('How the exchange works')
  await expect
    .element(page.getByRole('link', { name: 'The status tags' }))
    .toHaveAttribute('href', '/articles/how-it-works#the-status-tags')
  await expect.element(page.getByRole('link', { name: 'The ledger' })).not.toBeInTheDocument()
})

test('a query in the address is searched for at once', async () => {
  history.replaceState(null, '', '/help?q=HEIC')
  await open()
  await expect.element(page.getByLabelText('Search help')).toHaveValue('HEIC')
  expect(shown()).toEqual(['My proof of purchase is refused'])
})

test('a topic is found by related words, whole questions and typos', async () => {
  await open()
  const finds: Record<string, string> = {
    refund: 'Joining, pausing and leaving',
    'How do I get my money back?': 'Joining, pausing and leaving',
    '2fa': 'I lost access to two-factor authentication',
    banned: 'My account is suspended',
    login: 'I can’t sign in',
    passwrod: 'I forgot my password',
  }
  for (const [query, title] of Object.entries(finds)) {
    await page.getByLabelText('Search help').fill(query)
    expect(shown(), query).toContain(title)
  }
  expect(document.querySelector('output')?.textContent).toMatch(/^\d+ results for similar words$/)
})

test('when nothing is found, a link leads to our staff', async () => {
  await open()
  await expect.element(page.getByRole('link', { name: 'Ask our staff' })).not.toBeInTheDocument()
  await page.getByLabelText('Search help').fill('xylophone')
  expect(shown()).toEqual([])
  await expect.element(page.getByRole('status')).toHaveTextContent('0 results')
  await expect.element(page.getByRole('link', { name: 'Ask our staff' })).toHaveAttribute('href', '/contact')
})

async function open() {
  const { container } = await render(<HelpPage />)
  const help = container.querySelector<HTMLElement>('[data-help]')
  if (!help) throw new Error('The help is not on the page.')
  searchHelp(help)
}
