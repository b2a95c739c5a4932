import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answerBy, done, open, refusal, signedOut } from '#web/shell/testing.tsx'

const change = {
  side: 'old',
  maskedOld: 'n••••d@mail.example',
  maskedNew: 'n••••s@mail.example',
  confirmed: false,
  otherConfirmed: false,
}

/** What the server knows of the link, and what it was asked to do with it. */
let known: typeof change | null
let actions: string[]

beforeEach(() => {
  known = change
  actions = []
  answerBy((call) => {
    switch (call) {
      case 'GET me':
        return signedOut()
      case 'POST email-change/read':
        return known ?? refusal('LINK_EXPIRED', 400, 'This link has expired.')
      case 'POST email-change/confirm':
        actions.push(call)
        return { changed: false }
      case 'POST email-change/refuse':
        actions.push(call)
        return done
      default:
        return undefined
    }
  })
})

afterEach(() => vi.unstubAllGlobals())

const link = '/auth/callback?type=email_change#token=a-link-from-the-mailbox'
const notMe = page.getByRole('button', { name: 'This was not me' })

test('the two addresses are told apart, also at one domain', async () => {
  await open(link)
  await expect.element(page.getByText('Now, and this mailbox')).toBeVisible()
  await expect.element(page.getByText('n••••d@mail.example')).toBeVisible()
  await expect.element(page.getByText('n••••s@mail.example')).toBeVisible()
})

test('who confirmed in haste can still stop the change', async () => {
  await open(link)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByRole('heading', { name: 'One more mailbox' })).toBeVisible()
  await notMe.click()
  await page.getByRole('button', { name: 'Stop the change' }).click()
  await expect.element(page.getByRole('heading', { name: 'The change was stopped' })).toBeVisible()
  expect(actions).toEqual(['POST email-change/confirm', 'POST email-change/refuse'])
})

test('a link that has confirmed says what is waited for, and stops the change too', async () => {
  known = { ...change, confirmed: true }
  await open(link)
  await expect.element(page.getByText(/Now open the link that we sent to n••••s@mail\.example/)).toBeVisible()
  await notMe.click()
  await page.getByRole('button', { name: 'Stop the change' }).click()
  await expect.element(page.getByRole('heading', { name: 'The change was stopped' })).toBeVisible()
  expect(actions).toEqual(['POST email-change/refuse'])
})

test('a link that is worth nothing claims nothing of the address', async () => {
  known = null
  await open(link)
  await expect.element(page.getByRole('heading', { name: 'Link expired or invalid' })).toBeVisible()
  await expect.element(page.getByText(/Settings say which address is yours now/)).toBeVisible()
})
