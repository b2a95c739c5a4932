import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, answerBy, open } from './testing.tsx'

/** The code of the window arrives when it is let through. */
const arrival = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock(import('./search-dialog.tsx'), async (load) => {
  await arrival.promise
  return load()
})

const box = page.getByRole('combobox', { name: 'Search' })

beforeEach(() => answerBy((call) => (call === 'GET me' ? ada : undefined)))
afterEach(() => vi.unstubAllGlobals())

test('nothing is lost that is typed before the search window has come', async () => {
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('/cold{Backspace}{Backspace}')
  expect(box.elements()).toHaveLength(0)
  arrival.resolve()
  await expect.element(box).toHaveFocus()
  await expect.element(box).toHaveValue('co')
  await userEvent.keyboard('ol')
  await expect.element(box).toHaveValue('cool')
  await expect.element(page.getByRole('option', { name: 'Cooldown Status Page' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/cooldown')
})

test('the search begins empty each time, with the letters that follow the shortcut without a pause', async () => {
  arrival.resolve()
  await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  for (const word of ['passkey', 'rules']) {
    await userEvent.keyboard(`{Control>}k{/Control}${word}`)
    await expect.element(box).toHaveValue(word)
    await expect.element(box).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(box).not.toBeInTheDocument()
  }
})

test('words find what has words that begin so, in any order, and mere punctuation finds nothing', async () => {
  answerBy((call) => {
    if (call === 'GET me') return ada
    if (call === 'GET products' || call === 'GET members') return []
    return call.endsWith('reviews') ? { items: [], nextCursor: null } : undefined
  })
  arrival.resolve()
  await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await box.fill('passkey settings')
  await expect.element(page.getByRole('option', { name: 'Sign-in and security Page' })).toBeVisible()
  await box.fill('ivity')
  await expect.element(page.getByText('Nothing is called “ivity”.')).toBeVisible()
  await box.fill('%')
  await expect.element(page.getByText('Nothing is called “%”.')).toBeVisible()
})
