import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { noteReader } from '#web/kit/time.ts'
import { ada, answerBy, open } from '#web/shell/testing.tsx'
import { articles } from './texts.ts'

/** The session is answered after this promise. */
let signedInAfter: Promise<unknown>
let signedIn: typeof ada

beforeEach(() => {
  signedInAfter = Promise.resolve()
  signedIn = ada
  answerBy(async (call) => {
    if (call !== 'GET me') return undefined
    await signedInAfter
    return signedIn
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  noteReader(ada)
})

test('every article has a card, and a category shows only its own', async () => {
  const { router } = await open('/articles')
  for (const { title } of articles)
    await expect.element(page.getByRole('link', { name: title })).toBeVisible()
  await expect.element(page.getByText('More articles coming soon')).toBeVisible()
  await page.getByRole('tab', { name: /Policy/ }).click()
  await expect.element(page.getByRole('link', { name: 'Review guidelines' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Getting started' })).not.toBeInTheDocument()
  expect(router.state.location.href).toBe('/articles?category=Policy')
})

test('the date of an article is in the reader’s format', async () => {
  signedIn = { ...ada, locale: 'en-GB', timeZone: 'Pacific/Auckland' }
  await open('/articles')
  const [first] = articles
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  await expect.element(page.getByText(day.format(new Date(first?.updated ?? 0))).first()).toBeVisible()
})

test('an article shows its window title, contents and figures, and leads back to the list', async () => {
  const { router } = await open('/articles/how-it-works')
  await expect.element(page.getByRole('heading', { level: 1, name: 'How the exchange works' })).toBeVisible()
  await expect.poll(() => document.title).toBe('How the exchange works · Evenhand')
  await expect.element(page.getByText('72 hours to buy')).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 2, name: 'The status tags' })).toBeVisible()
  expect(document.body.textContent).not.toContain('{{')
  await page.getByRole('link', { name: 'Back to Articles' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Articles' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/articles')
})

test('the table of contents of a long article links to its sections', async () => {
  const { router } = await open('/articles/faq')
  const contents = page.getByText('On this page').first()
  await expect.element(contents).toBeInTheDocument()
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label^="On this page"] a')]
  expect(links.map((link) => link.textContent)).toContain('Marketplaces')
  for (const { hash } of links) expect(document.querySelector(hash)?.tagName).toBe('H2')
  expect(router.state.location.pathname).toBe('/articles/faq')
})

test('an address with a section scrolls there, even when the session loads late', async () => {
  const known = Promise.withResolvers<void>()
  signedInAfter = known.promise
  await open('/articles/how-it-works#the-status-tags')
  await expect.element(page.getByRole('heading', { name: 'Loading your club' })).toBeInTheDocument()
  known.resolve()
  const heading = page.getByRole('heading', { level: 2, name: 'The status tags' })
  await expect.element(heading).toBeInViewport()
})

test('a link from one article to another stays inside the app', async () => {
  const { router } = await open('/articles/getting-started')
  await page.getByRole('link', { name: 'The authentic review policy' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Authentic review policy' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/articles/authentic-review-policy')
})

test('an unknown article is not found', async () => {
  await open('/articles/nothing-of-the-kind')
  await expect.element(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expect.poll(() => document.title).toBe('Page not found · Evenhand')
})

test('the search finds an article by one of its headings, and a help topic by its title', async () => {
  const { router } = await open('/articles')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Articles' })).toBeVisible()
  await userEvent.keyboard('/')
  const search = page.getByRole('combobox', { name: 'Search' })
  await expect.element(search).toHaveFocus()
  await search.fill('two-factor')
  await expect
    .element(page.getByRole('option', { name: /I lost access to two-factor authentication/ }))
    .toBeVisible()
  await search.fill('status tags')
  await expect.element(page.getByRole('option', { name: /How the exchange works/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.pathname).toBe('/articles/how-it-works')
})
