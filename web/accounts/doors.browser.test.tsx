// The doors, where a browser refuses what they would like to have, and where more than one tab stands at them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Me } from '#contract/accounts.ts'
import { ada, answerBy, done, open, refusal, signedOut } from '#web/shell/testing.tsx'

/** The server, as far as these facts need it: who is signed in, and what it was asked. */
let member: Me | null
let asked: string[]

beforeEach(() => {
  member = null
  asked = []
  sessionStorage.clear()
  answerBy((call, request) => {
    asked.push(call)
    return answer(call, request)
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a browser that keeps nothing of the site opens the doors, and loses no sign-up', async () => {
  class Refused {
    constructor() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
  }
  vi.stubGlobal('BroadcastChannel', Refused)
  vi.stubGlobal('sessionStorage', undefined)
  const { router } = await open('/signup')
  await signUp('newcomer')
  await expect.element(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  expect(router.state.location.search).toEqual({ reason: 'signup' })
  await expect.element(page.getByText('••••@mail.example')).toBeVisible()
})

test('whoever signed in in another tab meanwhile is not sent to the sign-in by a used link', async () => {
  const { router } = await open('/auth/callback#token=good')
  await expect.element(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
  member = ada

  // As the browser does when one comes back to this tab.
  dispatchEvent(new Event('focus'))

  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect.poll(() => router.state.location.href).toBe('/dashboard')
})

async function signUp(username: string) {
  await page.getByLabelText('Username').fill(username)
  await page.getByLabelText('Email').fill('nora@mail.example')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('nine kettles on the sill')
  await page.getByLabelText('Confirm password').fill('nine kettles on the sill')
  await expect.element(page.getByText('Looks great!')).toBeVisible()
  await page.getByRole('button', { name: 'Create account' }).click()
}

async function answer(call: string, request: Request): Promise<unknown> {
  switch (call) {
    case 'GET me':
      return member ?? signedOut()
    case 'GET sign-in-options':
      return { provider: { id: 'google', name: 'Google' }, needsCode: false }
    case 'GET username-exists':
      return { exists: request.url.endsWith('grace') }
    case 'POST sign-up':
      return done
    case 'POST verify-email/read':
      return { maskedEmail: '••••@mail.example', username: 'ada', sameBrowser: true }
    case 'POST verify-email':
      return refusal('LINK_EXPIRED', 400, 'Your verification link has expired or been used already.')
    case 'GET offers/current':
      return null
    case 'POST presence':
      return done
  }
  return undefined
}
