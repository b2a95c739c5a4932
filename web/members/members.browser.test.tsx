import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, answerBy, open, refusal } from '#web/shell/testing.tsx'

const figures = {
  avatar: null,
  memberSince: '2026-11',
  reviewsGiven: 2,
  reviewsReceived: 1,
  liveProducts: 3,
}

beforeEach(() => {
  answerBy((call) => {
    switch (call) {
      case 'GET me':
        return ada
      case 'GET search':
        return { products: [], toWrite: [], received: [], members: [{ username: 'grace', avatar: null }] }
      case 'GET members/grace':
        return { ...figures, username: 'grace' }
      case 'GET members/ada':
        return { ...figures, username: 'ada' }
      case 'GET members/hopper':
        return refusal('NOT_FOUND', 404, 'This does not exist, or it is not yours.')
      default:
        return undefined
    }
  })
})

afterEach(() => vi.unstubAllGlobals())

test('the search opens the page of a member that it found', async () => {
  const { router } = await open('/activity')
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('combobox', { name: 'Search' }).fill('@Gra')
  await page.getByRole('option', { name: 'grace Member' }).click()
  await expect.poll(() => router.state.location.href).toBe('/members/grace')
  await expect.element(page.getByRole('heading', { name: 'grace' })).toBeVisible()
  await expect.element(page.getByText('Member since November 2026')).toBeVisible()
  await expect.element(page.getByRole('definition').first()).toHaveTextContent('2')
  await expect.element(page.getByText('review received')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Edit profile' })).not.toBeInTheDocument()
})

test('members can edit their profile from their own page', async () => {
  const { router } = await open('/members/ada')
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect.poll(() => router.state.location.href).toBe('/settings')
})

test('an unknown username says that there is no such member', async () => {
  await open('/members/hopper')
  await expect.element(page.getByRole('heading', { name: "There's no member called “hopper”" })).toBeVisible()
})
