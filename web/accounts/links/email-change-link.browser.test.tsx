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

/** The server's answer about the link (null refuses it), and the actions it received. */
let linkState: typeof change | null
let actions: string[]

beforeEach(() => {
  linkState = change
  actions = []
  answerBy((call) => {
    switch (call) {
      case 'GET me':
        return signedOut()
      case 'POST email-change/read':
        return linkState ?? refusal('LINK_EXPIRED', 400, 'This link has expired.')
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

test('the page shows both addresses so that they can be distinguished, even at the same domain', async () => {
  await open(link)
  await expect.element(page.getByText('Current address (this mailbox)')).toBeVisible()
  await expect.element(page.getByText('n••••d@mail.example')).toBeVisible()
  await expect.element(page.getByText('n••••s@mail.example')).toBeVisible()
})

test('a member who has confirmed can still stop the change', async () => {
  await open(link)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByRole('heading', { name: 'One more mailbox' })).toBeVisible()
  await notMe.click()
  await page.getByRole('button', { name: 'Stop the change' }).click()
  await expect.element(page.getByRole('heading', { name: 'The change was stopped' })).toBeVisible()
  expect(actions).toEqual(['POST email-change/confirm', 'POST email-change/refuse'])
})

test('a confirmed link says which mailbox is still missing, and can still stop the change', async () => {
  linkState = { ...change, confirmed: true }
  await open(link)
  await expect.element(page.getByText(/Now open the link we sent to n••••s@mail\.example/)).toBeVisible()
  await notMe.click()
  await page.getByRole('button', { name: 'Stop the change' }).click()
  await expect.element(page.getByRole('heading', { name: 'The change was stopped' })).toBeVisible()
  expect(actions).toEqual(['POST email-change/refuse'])
})

test('an invalid link makes no claim about the current address', async () => {
  linkState = null
  await open(link)
  await expect.element(page.getByRole('heading', { name: 'Link expired or invalid' })).toBeVisible()
  await expect.element(page.getByText(/Check your current address in Settings/)).toBeVisible()
})
