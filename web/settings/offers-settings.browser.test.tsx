import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { UnusableFormat } from '#contract/matching.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

const figma: UnusableFormat = {
  id: '00000000-0000-7000-8000-000000000001',
  category: 'template',
  format: 'figma',
  createdAt: '2026-11-20T10:00:00Z',
}
const unknown: UnusableFormat = { ...figma, id: '00000000-0000-7000-8000-000000000002', format: null }

let formats: UnusableFormat[]
let removed: string[]

beforeEach(() => {
  formats = [figma, unknown]
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

test('without one, the section says how one gets there', async () => {
  formats = []
  await open('/settings/offers')
  await expect.element(page.getByText('None so far')).toBeVisible()
})

function answer(call: string): unknown {
  if (call === 'GET me') return ada
  if (call === 'GET settings/formats') return formats
  if (call.startsWith('DELETE settings/formats/')) {
    const id = call.split('/').at(-1) ?? ''
    removed.push(id)
    formats = formats.filter((format) => format.id !== id)
    return done
  }
  return call === 'GET offers/current' ? null : undefined
}
