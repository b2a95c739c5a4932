import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { UnusableFormat, UnwantedOffer } from '#contract/matching.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

const figma: UnusableFormat = {
  id: '00000000-0000-7000-8000-000000000001',
  category: 'template',
  format: 'figma',
  createdAt: '2026-11-20T10:00:00Z',
}
const unknown: UnusableFormat = { ...figma, id: '00000000-0000-7000-8000-000000000002', format: null }

const mark: UnwantedOffer = {
  id: '00000000-0000-7000-8000-000000000003',
  category: null,
  title: 'Weekly planner',
  createdAt: '2026-11-20T10:00:00Z',
  endsAt: null,
}

let formats: UnusableFormat[]
let marks: UnwantedOffer[]
let removed: string[]

beforeEach(() => {
  formats = [figma, unknown]
  marks = []
  removed = []
  answerBy(answer)
})
afterEach(() => vi.unstubAllGlobals())

test('a format that the member cannot use is listed, and undone with one press', async () => {
  await open('/settings/offers')
  await expect.element(page.getByText('Template: Figma', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Template: format not stated')).toBeVisible()
  await page.getByRole('button', { name: 'Undo Template: Figma' }).click()
  await expect.element(page.getByText('Template: Figma', { exact: true })).not.toBeInTheDocument()
  await expect.element(page.getByText('You can get offers for this format again')).toBeVisible()
  expect(removed).toEqual([figma.id])
})

test('a product not for the member is listed, and a mark taken back says until when it counts', async () => {
  marks = [mark]
  await open('/settings/offers')
  await expect.element(page.getByText('1 of 10 products, 0 of 2 categories')).toBeVisible()
  await page.getByRole('button', { name: 'Take back Weekly planner' }).click()
  await expect.element(page.getByText(/^Taken back, counts until Dec 1, 2026/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Take back Weekly planner' })).not.toBeInTheDocument()
})

test('without one, the section says how one gets there', async () => {
  formats = []
  await open('/settings/offers')
  await expect.element(page.getByText('None so far')).toBeVisible()
})

function answer(call: string): unknown {
  if (call === 'GET me') return ada
  if (call === 'GET settings/formats') return formats
  if (call === 'GET settings/unwanted') return marks
  if (call === `DELETE settings/unwanted/${mark.id}`) {
    marks = [{ ...mark, endsAt: '2026-12-01T10:00:00Z' }]
    return { endsAt: '2026-12-01T10:00:00Z' }
  }
  if (call.startsWith('DELETE settings/formats/')) {
    const id = call.split('/').at(-1) ?? ''
    removed.push(id)
    formats = formats.filter((format) => format.id !== id)
    return done
  }
  return call === 'GET offers/current' ? null : undefined
}
