import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { LiveProduct } from '#contract/discover.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

let asked: string[]
let failing: boolean
let marked: unknown[]

beforeEach(() => {
  asked = []
  failing = false
  marked = []
  answerBy(answer)
  // Whether the end of the list is near depends on the size of the test's window.
  vi.stubGlobal('IntersectionObserver', NeverNear)
})
afterEach(() => vi.unstubAllGlobals())

test('the filter is in the address, and no answer to it offers to show everything', async () => {
  const { router } = await open('/discover?q=nothing&category=tool')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(asked.at(-1)).toBe('category=tool&search=nothing')
  await page.getByRole('button', { name: 'Show all products' }).click()
  await expect.element(page.getByRole('article', { name: 'Product 1', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Design' }).click()
  await expect.poll(() => router.state.location.href).toBe('/discover?category=design')
  await page.getByRole('searchbox').fill('calm')
  await expect.poll(() => router.state.location.href).toBe('/discover?category=design&q=calm')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
})

test('more products come at the end; an open one has an address, closing it keeps the place', async () => {
  const { router } = await open('/discover')
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(page.getByText('4 products')).toBeVisible()
  await page.getByRole('button', { name: 'Product 4' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Product 4' })).toBeVisible()
  expect(router.state.location.search).toEqual({ product: idOf(4) })
  const before = asked.length
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(() => router.state.location.href).toBe('/discover')
  await expect.element(page.getByText('4 products')).toBeVisible()
  expect(asked.length).toBe(before)
})

test('when more cannot be loaded, the button stays and the page does not keep asking', async () => {
  failing = true
  await open('/discover')
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(page.getByText('More products could not be loaded')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Load more' })).toBeEnabled()
  expect(asked.filter((each) => each.includes('cursor'))).toHaveLength(1)
  failing = false
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(page.getByText('4 products')).toBeVisible()
})

test('“Not for me” says what it means before it counts', async () => {
  await open('/discover')
  await page.getByRole('button', { name: 'More about Product 1' }).click()
  await page.getByRole('menuitem', { name: 'Not for me' }).click()
  await expect.element(page.getByText(/It isn’t a decline, and only you can see it/)).toBeVisible()
  await page.getByRole('button', { name: 'Never offer it' }).click()
  await expect.element(page.getByText('You won’t be offered it', { exact: true })).toBeVisible()
  expect(marked).toEqual([{ productId: idOf(1) }])
})

class NeverNear {
  observe() {}
  disconnect() {}
}

const idOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`

function aProduct(at: number): LiveProduct {
  return {
    id: idOf(at),
    title: `Product ${at}`,
    category: 'template',
    format: null,
    summary: 'Twelve pages to print.',
    tags: ['planner'],
    priceCents: 900,
    imageId: null,
    imageFocus: { x: 50, y: 50 },
    marketplaceName: 'Maker Lane',
    mine: at === 2,
    unwanted: null,
  }
}

async function answer(call: string, request: Request): Promise<unknown> {
  if (call === 'GET me') return ada
  if (call === 'GET offers/current') return null
  if (call === 'POST settings/unwanted') {
    marked.push(await request.clone().json())
    return done
  }
  if (call.startsWith('GET discover/'))
    return { ...aProduct(Number(call.at(-1))), description: '**Twelve** pages.' }
  if (call !== 'GET discover') return undefined
  const { searchParams } = new URL(request.url)
  asked.push(String(searchParams))
  if (searchParams.get('search') === 'nothing') return { items: [], next: null }
  if (!searchParams.has('cursor')) return { items: [1, 2].map(aProduct), next: 'more' }
  if (failing) return refusal('INTERNAL_SERVER_ERROR', 500, '')
  return { items: [3, 4].map(aProduct), next: null }
}
