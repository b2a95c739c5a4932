import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ProductCard as Product } from '#contract/products.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'
import { planner, requestOf } from './testing.tsx'

let products: Product[]
/** By the cursor that asks for them. */
let archived: Record<string, { items: Product[]; next: string | null }>
let sent: { call: string; body: unknown }[]

beforeEach(() => {
  products = ['One', 'Two', 'Three'].map((title, at) => ({
    ...planner,
    id: idOf(at + 1),
    title,
  }))
  archived = { '': { items: [], next: null } }
  sent = []
  answerBy(answer)
})
afterEach(() => vi.unstubAllGlobals())

const titles = () =>
  page
    .getByRole('list', { name: 'My Products' })
    .getByRole('article')
    .elements()
    .map((card) => card.querySelector('h2')?.textContent)

test('a product moves by its menu, and the new place is announced', async () => {
  await open('/assets')
  await page.getByRole('button', { name: 'More about Two' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(titles).toEqual(['Two', 'One', 'Three'])
  await expect.element(page.getByText('Two is now number 1 of 3.')).toBeInTheDocument()
  expect(sent).toEqual([{ call: `POST products/${idOf(2)}/move`, body: { id: idOf(2), after: null } }])
})

test('several products are archived by keyboard, and put back with Undo', async () => {
  products[2] = { ...products[2]!, request: requestOf('queued') }
  await open('/assets')
  await page.getByRole('button', { name: 'Select' }).click()
  for (const name of ['One', 'Three']) {
    const box = page.getByRole('checkbox', { name })
    box.element().focus()
    await userEvent.keyboard(' ')
    await expect.element(box).toBeChecked()
  }
  await page.getByRole('button', { name: 'Archive 2' }).click()
  await expect.element(page.getByText(/This cancels an open request/)).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('2 products restored')).toBeVisible()
  const ids = [products[0]?.id, products[2]?.id]
  expect(sent).toEqual([
    { call: 'POST products/archive', body: { ids } },
    { call: 'POST products/restore', body: { ids } },
  ])
})

test('archived products load page by page, and those of every page can be restored', async () => {
  const put = (at: number, title: string) => ({ ...planner, id: idOf(at), title, archived: true })
  archived = {
    '': { items: [put(4, 'Four'), put(5, 'Five')], next: 'further' },
    further: { items: [put(6, 'Six')], next: null },
  }
  await open('/assets')
  const section = page.getByRole('region', { name: 'Archived' })
  await expect.element(section.getByText('2 archived products shown')).toBeVisible()
  await section.getByRole('button', { name: 'Load more' }).click()
  await expect.element(section.getByRole('heading', { name: 'Six' })).toBeVisible()
  await expect.element(section.getByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Select' }).click()
  for (const name of ['Four', 'Six']) await page.getByRole('checkbox', { name }).click()
  await page.getByRole('button', { name: 'Restore 2' }).click()
  await expect.element(page.getByText('2 products restored')).toBeVisible()
  expect(sent).toEqual([{ call: 'POST products/restore', body: { ids: [idOf(4), idOf(6)] } }])
})

const idOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`

async function answer(call: string, request: Request): Promise<unknown> {
  if (call === 'GET me') return ada
  if (call === 'GET products') return products
  if (call === 'GET archived-products') return archived[new URL(request.url).searchParams.get('cursor') ?? '']
  if (call === 'GET offers/current') return null
  if (!call.startsWith('POST products')) return undefined
  const body: unknown = await request.clone().json()
  const [, , id] = /^POST (products)\/([^/]+)\/move/.exec(call) ?? []
  sent.push({ call, body: id ? { id, ...(body as object) } : body })
  if (id) products = [products[1]!, products[0]!, products[2]!]
  return done
}
