import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Me } from '#contract/members.ts'
import { readLinkSecret } from '#web/accounts/link-secret.ts'
import { keepInTab, keepOnDevice, readFromDevice, readFromTab } from '#web/kit/tab-storage.ts'
import { readDraft } from '#web/kit/ui/kept-draft.ts'
import { keepSessionHint } from '#web/members/session-hint.ts'
import { ada, answerBy, done, open, refusal, signedOut, SilentSource } from './testing.tsx'

/** The server's state and the calls it received, as far as these tests need them. */
let member: Me | null
/** The member that a confirmation link signs in. */
let confirmed: Me
let asked: string[]
/** The return path of the last sign-in. */
let sentReturnTo: unknown

beforeEach(() => {
  confirmed = ada
  member = null
  asked = []
  sessionStorage.clear()
  answerBy((call, request) => {
    asked.push(call)
    return answer(call, request)
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a visitor signs in first and then gets the page they asked for', async () => {
  const { router } = await open('/activity?type=reviews')
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(router.state.location.href).toBe('/signin?returnTo=%2Factivity%3Ftype%3Dreviews')
  await signIn()
  await expect.element(page.getByRole('tab', { name: 'Reviews', selected: true })).toBeVisible()
  expect(router.history.length).toBe(1)
})

test('a return path to another site leads to the dashboard', async () => {
  const { router } = await open('/signin?returnTo=//evil.example')
  await signIn()
  await expect.poll(() => router.state.location.href).toBe('/dashboard')
})

test('a return path that is too long is dropped and does not block the sign-in', async () => {
  const { router } = await open(`/signin?returnTo=/${'a'.repeat(5000)}`)
  await signIn()
  await expect.poll(() => router.state.location.href).toBe('/dashboard')
  expect(sentReturnTo).toBeUndefined()
})

test('a member who is already signed in skips the sign-up page', async () => {
  member = ada
  const { router } = await open('/signup')
  await expect.poll(() => router.state.location.href).toBe('/dashboard')
})

test('a member whose address bounced reads it on every page, and asks for a confirmation link', async () => {
  member = { ...ada, emailBounced: true }
  await open('/activity')
  const notice = page.getByText("We can't reach you by email")
  await expect.element(notice).toBeVisible()
  await page.getByRole('button', { name: 'Send a confirmation link' }).click()
  await expect.element(page.getByText('The link is on its way.', { exact: false })).toBeVisible()
  expect(asked).toContain('POST settings/email/confirm-again')
})

test('a wrong password is reported in the form, which keeps the typed values', async () => {
  await open('/signin')
  await signIn('wrong')
  await expect.element(page.getByRole('main').getByText('Invalid email or password.')).toBeVisible()
  await expect.element(page.getByLabelText('Email')).toHaveValue('ada@mail.example')
  // The message goes when the next attempt succeeds.
  await expect.element(page.getByLabelText('Messages').getByText('Error')).toBeVisible()
  member = ada
  await signIn()
  await expect.element(page.getByText('Welcome back!')).toBeVisible()
  await expect.element(page.getByLabelText('Messages').getByText('Error')).not.toBeInTheDocument()
})

test('an unconfirmed address leads to the verification page, which shows it masked', async () => {
  const { router } = await open('/signin?returnTo=%2Factivity')
  await signIn('unconfirmed')
  await expect.element(page.getByRole('heading', { name: 'Email not verified' })).toBeVisible()
  expect(router.state.location.search).toEqual({ reason: 'signin_unconfirmed', returnTo: '/activity' })
  expect(sentReturnTo).toBe('/activity')
  await expect.element(page.getByText('••••@mail.example')).toBeVisible()
})

test('signing out replaces the page with the sign-in page and clears all loaded and kept data', async () => {
  member = ada
  keepOnDevice('seen', 'a product')
  const { router, queryClient } = await open('/activity')
  keepInTab('draft:report', 'What ada began to write')
  await page.getByRole('button', { name: 'Account menu, ada' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect([readFromTab('draft:report'), readFromDevice('seen')]).toEqual([null, null])
  await expect.element(page.getByText('Logged out successfully')).toBeVisible()
  expect(router.state.location.href).toBe('/signin')
  expect(router.history.length).toBe(1)
  expect(
    JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ),
  ).not.toContain('ada')
})

test('a call answered with 401 sends a member without a login session to the sign-in page', async () => {
  member = ada
  const { router } = await open('/activity')
  await expect.element(page.getByRole('tab', { name: 'Billing' })).toBeVisible()
  member = null
  await page.getByRole('tab', { name: 'Billing' }).click()
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(router.state.location.href).toBe(
    '/signin?reason=session_ended&returnTo=%2Factivity%3Ftype%3Dbilling',
  )
})

test('while the live stream is lost, the page checks on its own who is signed in', async () => {
  member = ada
  vi.stubGlobal('EventSource', LostSource)
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  member = null
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(router.state.location.href).toBe('/signin?reason=session_ended&returnTo=%2Factivity')
})

test('what a member typed and did not send is deleted for the next member of the tab', async () => {
  member = ada
  await open('/activity')
  await expect.element(page.getByRole('tab', { name: 'Reviews' })).toBeVisible()
  sessionStorage.setItem('draft:report', 'It was copied from')
  asked = []
  window.dispatchEvent(new Event('focus'))
  await expect.poll(() => asked).toContain('GET me')
  expect(readDraft('report')).toBe('It was copied from')
  member = { ...ada, id: '0192f0c0-0000-7000-8000-000000000002', username: 'bea' }
  await open('/activity')
  await expect.poll(() => readDraft('report')).toBe('')
})

test('staff without a second factor get a link to switch it on', async () => {
  member = { ...ada, role: 'support' }
  const { router } = await open('/activity')
  await page.getByRole('link', { name: 'Switch it on in Settings' }).click()
  await expect.poll(() => router.state.location.href).toBe('/settings/security')
})

test('after the right password a code is asked for, then the requested page opens', async () => {
  const { router } = await open('/signin?returnTo=%2Factivity')
  await signIn('and a code')
  const code = page.getByRole('textbox', { name: '6-digit code' })
  await expect.element(code).toHaveFocus()
  await code.fill('000000')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('This code is not right.')).toBeVisible()
  await code.fill('123 456')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/activity')
})

test('a sign-in that waited too long for its code starts again and says so', async () => {
  await open('/signin')
  await signIn('and a code')
  await page.getByRole('textbox', { name: '6-digit code' }).fill('999999')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('This sign-in is over. Please sign in again.')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
})

test('after a return from the provider without a login session, the sign-in page says why', async () => {
  const { router } = await open('/auth/callback?error=account_not_linked&returnTo=%2Factivity')
  await expect.element(page.getByText(/^There is an account with this email address already\./)).toBeVisible()
  expect(router.state.location.href).toBe('/signin?error=account_not_linked&returnTo=%2Factivity')
})

test('an unknown error code gets the general message', async () => {
  await open('/signin?error=%3Cb%3Eowned')
  await expect.element(page.getByText('Google sign-in failed. Please try again.')).toBeVisible()
})

test('after a return from the provider with a login session, the requested page opens', async () => {
  member = ada
  const { router } = await open('/auth/callback?returnTo=%2Factivity')
  await expect.element(page.getByText("You're in! Welcome to your dashboard.")).toBeVisible()
  await expect.poll(() => router.state.location.href).toBe('/activity')
})

test('a callback without a link or a session leads to the sign-in page', async () => {
  const { router } = await open('/auth/callback')
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(router.state.location.href).toBe('/signin')
})

test('a member without a username must choose one first, and comes to join where that is sold', async () => {
  member = {
    ...ada,
    username: null,
    payments: 'test',
    membership: { ...ada.membership, state: 'none', status: 'none' },
  }
  const { router } = await open('/activity')
  const dialog = page.getByRole('dialog', { name: 'Choose your username' })
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await dialog.getByRole('textbox', { name: 'Username' }).fill('Grace')
  await expect.element(dialog.getByText('That username is already taken')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Username' }).fill('Newcomer')
  await expect.element(dialog.getByText('Looks great!')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Welcome to Evenhand')).toBeVisible()
  expect(member.username).toBe('newcomer')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(router.state.location.href).toBe('/billing')
})

test('opening a confirmation link removes its secret from the address and confirms nothing yet', async () => {
  const { router } = await open('/auth/callback?returnTo=%2Factivity#token=good')
  await expect.element(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
  expect(router.state.location.href).toBe('/auth/callback?returnTo=%2Factivity')
  expect(asked).not.toContain('POST verify-email')
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect.element(page.getByText("You're in! Welcome to your dashboard.")).toBeVisible()
  await expect.poll(() => router.state.location.href).toBe('/activity')
})

test('a newcomer of a club with payments comes to the section to join', async () => {
  confirmed = { ...ada, payments: 'test', membership: { ...ada.membership, state: 'none', source: null } }
  const { router } = await open('/auth/callback#token=good')
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect.element(page.getByText('One step is left: your membership.')).toBeVisible()
  await expect.poll(() => router.state.location.href).toBe('/billing')
})

test('a used link leads to the sign-in page, which says so, and its secret is deleted', async () => {
  const { router } = await open('/auth/callback#token=used')
  await expect.element(page.getByRole('main').getByText('Link expired or invalid')).toBeVisible()
  expect(router.state.location.href).toBe('/signin?reason=link_expired')
  expect(readLinkSecret()).toBeNull()
})

test('someone who confirmed before learns that a used link means no failure', async () => {
  await open('/auth/callback#token=used')
  const advice = page.getByRole('main').getByText(/If you confirmed your email before, just sign in\./)
  await expect.element(advice).toBeVisible()
})

test('a member who opens the used link again reads that the address is confirmed, and comes in', async () => {
  member = ada
  const { router } = await open('/auth/callback?returnTo=%2Factivity#token=used')
  await expect.element(page.getByText(/^The email of .+ is confirmed\./)).toBeVisible()
  await expect.poll(() => router.state.location.href).toBe('/activity')
  await expect.element(page.getByText('Link expired or invalid')).not.toBeInTheDocument()
  expect(readLinkSecret()).toBeNull()
})

test('on a phone, My Products is in the account menu', async () => {
  await page.viewport(390, 844)
  member = ada
  const { router } = await open('/activity')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'My Products' }).click()
  await expect.poll(() => router.state.location.href).toBe('/assets')
  await page.viewport(1280, 800)
})

test('the slash opens the search, and Enter opens the first result', async () => {
  member = ada
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('combobox', { name: 'Search' })).toHaveFocus()
  await userEvent.keyboard('cool')
  await expect.element(page.getByRole('option', { name: 'Cooldown Status Page' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/cooldown')
})

test('where membership can’t be bought, neither the search nor the activity mentions paying', async () => {
  member = { ...ada, payments: 'closed' }
  await open('/activity')
  await expect.element(page.getByText('Your requests, offers, reviews and membership.')).toBeInTheDocument()
  await userEvent.keyboard('/')
  const box = page.getByRole('combobox', { name: 'Search' })
  await expect.element(box).toHaveFocus()
  await box.fill('member')
  await expect.element(page.getByRole('option', { name: 'Billing Page' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: /Cancel membership/ })).not.toBeInTheDocument()
})

test('the search finds a settings section by its tasks as well as its name', async () => {
  member = ada
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await userEvent.keyboard('/')
  const box = page.getByRole('combobox', { name: 'Search' })
  await expect.element(box).toHaveFocus()
  for (const [query, found] of [
    ['two-factor', 'Sign-in and security Page'],
    ['export', 'Your data Page'],
    ['delete', 'Delete account Page'],
  ] as const) {
    await box.fill(query)
    await expect.element(page.getByRole('option', { name: found })).toBeVisible()
  }
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.href).toBe('/settings/delete')
})

test('an unknown address shows a page with a link home', async () => {
  await open('/no/such/page')
  await expect.element(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
})

async function signIn(password = 'correct horse') {
  await page.getByLabelText('Email').fill('ada@mail.example')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function answer(call: string, request: Request): Promise<unknown> {
  switch (call) {
    case 'POST auth/sign-in/email': {
      const { password, returnTo } = await request.json()
      sentReturnTo = returnTo
      if (password === 'unconfirmed') return refusal('EMAIL_NOT_VERIFIED', 403, 'Email not confirmed')
      if (password === 'and a code') return { ok: true, twoFactor: true }
      if (password === 'wrong') return refusal('INVALID_CREDENTIALS', 401, 'Invalid email or password.')
      member = ada
      // The server's cookie of the session.
      keepSessionHint()
      return done
    }
    case 'POST auth/two-factor/verify-totp': {
      const { code } = await request.json()
      const over = { reason: 'This sign-in is over. Please sign in again.' }
      if (code === '999999') return refusal('INVALID_CREDENTIALS', 401, 'Invalid email or password.', over)
      if (code !== '123456') return refusal('WRONG_CODE', 400, 'This code is not right.', { field: 'code' })
      member = ada
      // The server's cookie of the session.
      keepSessionHint()
      return done
    }
    case 'GET sign-in-options':
      return { provider: { id: 'google', name: 'Google' }, needsCode: false }
    case 'POST settings/email/confirm-again':
      return done
    case 'POST auth/sign-out':
      member = null
      return done
    case 'GET username-exists':
      return { exists: request.url.endsWith('grace') }
    case 'POST verify-email/read': {
      const { token } = await request.json()
      if (token !== 'good') return refusal('LINK_EXPIRED', 400, 'Your verification link has expired.')
      return { maskedEmail: '••••@mail.example', username: 'ada', sameBrowser: true }
    }
    case 'POST verify-email':
      member = confirmed
      // The server's cookie of the session.
      keepSessionHint()
      return done
  }
  if (!member) return signedOut()
  switch (call) {
    case 'GET me':
      return member
    case 'POST username':
      member = { ...member, ...(await request.json()) }
      return done
    case 'GET offers/current':
      return null
    case 'GET activity':
      return { items: [], next: null }
    case 'POST presence':
      return done
  }
  return undefined
}

/** A stream that is lost as soon as it opens. */
class LostSource extends SilentSource {
  constructor() {
    super()
    queueMicrotask(() => this.onerror?.())
  }
}
