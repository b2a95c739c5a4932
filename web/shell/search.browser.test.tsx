import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, answerBy, open } from './testing.tsx'

/** Resolve this to let the dialog's code load. */
const codeLoaded = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock(import('./search-dialog.tsx'), async (load) => {
  await codeLoaded.promise
  return load()
})

const nothing = { products: [], toWrite: [], received: [], members: [] }
const box = page.getByRole('combobox', { name: 'Search' })

beforeEach(() => answerBy((call) => (call === 'GET me' ? ada : undefined)))
afterEach(() => vi.unstubAllGlobals())

test('text typed before the search dialog has loaded is kept', async () => {
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('/cold{Backspace}{Backspace}')
  expect(box.elements()).toHaveLength(0)
  codeLoaded.resolve()
  await expect.element(box).toHaveFocus()
  await expect.element(box).toHaveValue('co')
  await userEvent.keyboard('ol')
  await expect.element(box).toHaveValue('cool')
  await expect.element(page.getByRole('option', { name: 'Cooldown Status Page' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/cooldown')
})

test('the search starts empty each time, plus the letters typed right after the shortcut', async () => {
  codeLoaded.resolve()
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

test('the search matches the starts of words in any order, and punctuation alone finds nothing', async () => {
  answerBy((call) => {
    if (call === 'GET me') return ada
    return call === 'GET search' ? nothing : undefined
  })
  codeLoaded.resolve()
  await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await box.fill('passkey settings')
  await expect.element(page.getByRole('option', { name: 'Sign-in and security Page' })).toBeVisible()
  await box.fill('pause mem')
  await expect.element(page.getByRole('option', { name: 'Frequently asked questions FAQ' })).toBeVisible()
  expect(page.getByRole('option', { name: 'Pause membership Action' }).elements()).toHaveLength(0)
  await box.fill('ivity')
  await expect.element(page.getByText('No results for “ivity”.')).toBeVisible()
  await box.fill('%')
  await expect.element(page.getByText('No results for “%”.')).toBeVisible()
})

test('finds what the server knows, bears typos, and starts with what was opened last', async () => {
  answerBy((call, request) => {
    if (call === 'GET me') return { ...ada, payments: 'test' }
    if (call !== 'GET search') return undefined
    const text = new URL(request.url).searchParams.get('text')
    if (text === 'planer') return { ...nothing, products: [{ id: 'p', title: 'Planner', archived: false }] }
    return nothing
  })
  codeLoaded.resolve()
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await box.fill('planer')
  await expect.element(page.getByRole('option', { name: 'Planner Product' })).toBeVisible()
  await box.fill('notificatoins')
  await expect.element(page.getByRole('option', { name: 'Notifications Page' })).toBeVisible()
  await box.fill('pause mem')
  await expect.element(page.getByRole('option', { name: 'Pause membership Action' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/billing')
  await userEvent.keyboard('{Control>}k{/Control}')
  await box.fill('cooldown')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/cooldown')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect
    .element(page.getByRole('group', { name: 'Opened last' }).getByText('Cooldown Status'))
    .toBeVisible()
  localStorage.clear()
})
