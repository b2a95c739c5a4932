// The sign-in pages: browsers that refuse storage, several tabs, slow and failing answers, and their fields.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import type { Me } from '#contract/members.ts'
import { dropSessionHint, hasSessionHint, keepSessionHint } from '#web/members/session-hint.ts'
import { ada, answerBy, done, open, refusal, signedOut } from '#web/shell/testing.tsx'
import { deleteLinkSecret } from './link-secret.ts'

/** The server's state and the calls it received, as far as these tests need them. */
let member: Me | null
let asked: string[]
let isDown: boolean
let options: object | Promise<object>

const google = { provider: { id: 'google', name: 'Google' }, needsCode: false }

beforeEach(() => {
  member = null
  asked = []
  isDown = false
  options = google
  sessionStorage.clear()
  deleteLinkSecret()
  answerBy((call, request) => {
    asked.push(call)
    return answer(call, request)
  })
})

afterEach(() => vi.unstubAllGlobals())

// Must run first: the sign-in options are fetched once for as long as the page is loaded.
test('a provider whose answer is slow is offered once the answer arrives', async () => {
  const found = Promise.withResolvers<object>()
  options = found.promise
  await open('/signin')
  await expect.element(page.getByText('Looking for other ways to sign in')).toBeInTheDocument()
  found.resolve(google)
  await expect.element(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
})

test('a browser that refuses all storage shows the sign-in pages and completes a sign-up', async () => {
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

test('the pages of a demo club say so before anyone signs in, and offer its mailbox', async () => {
  await open('/signin')
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(page.getByText('Demo club').elements()).toEqual([])
  document.documentElement.setAttribute('data-demo', '')
  try {
    for (const address of ['/signin', '/signup', '/reset-password', '/verify-email']) {
      await open(address)
      await expect.element(page.getByText('Demo club').first()).toBeVisible()
    }
    await expect.element(page.getByRole('link', { name: 'Open the demo mailbox' })).toBeVisible()
    expect(asked.filter((call) => call.includes('dev/mail'))).toEqual([])
  } finally {
    document.documentElement.removeAttribute('data-demo')
  }
})

test('a visitor’s pages do not ask the server who is signed in', async () => {
  for (const address of ['/signin', '/signup', '/verify-email', '/reset-password', '/dashboard']) {
    dropSessionHint()
    const { router } = await open(address)
    await expect.element(page.getByRole('heading', { level: 1 }).last()).toBeVisible()
    dispatchEvent(new Event('focus'))
    const shown = address === '/dashboard' ? '/signin' : address
    await expect.poll(() => router.state.location.pathname).toBe(shown)
  }
  expect(asked).not.toContain('GET me')
})

test('an ended session is asked about once, and its hint is removed', async () => {
  await open('/signin')
  await expect.poll(hasSessionHint).toBe(false)
  dispatchEvent(new Event('focus'))
  await expect.element(page.getByLabelText('Email')).toBeVisible()
  expect(asked.filter((call) => call === 'GET me')).toHaveLength(1)
})

test('a used link does not send a member who signed in in another tab to the sign-in page', async () => {
  const { router } = await open('/auth/callback#token=good')
  await expect.element(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
  member = ada
  keepSessionHint()

  // The browser fires this event when the user returns to this tab.
  dispatchEvent(new Event('focus'))

  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect.poll(() => router.state.location.href).toBe('/dashboard')
})

test('a password manager recognizes each field and saves the email for signing in', async () => {
  await open('/signup')
  await expect.element(page.getByLabelText('Username')).toBeVisible()
  expect(fieldsOnThePage()).toEqual([
    'username nickname',
    'email email',
    'password new-password',
    'confirmation new-password',
  ])
})

test('a pasted username is trimmed, lowercased and stripped of its @', async () => {
  await open('/signup')
  const field = page.getByLabelText('Username')
  await field.fill(' @Nora_K ')
  await expect.element(field).toHaveValue('nora_k')
  await expect.element(page.getByText('Looks great!')).toBeVisible()
})

test('a username and an address stay while another page is read, until they are sent', async () => {
  const { router } = await open('/signup')
  await page.getByLabelText('Username').fill('newcomer')
  await page.getByLabelText('Email').fill('newcomer@mail.example')
  await page.getByLabelText('Password', { exact: true }).fill('three plain words')
  await router.navigate({ to: '/signin' })
  await expect.element(page.getByLabelText('Username')).not.toBeInTheDocument()
  await router.navigate({ to: '/signup' })
  await expect.element(page.getByLabelText('Email')).toHaveValue('newcomer@mail.example')
  await expect.element(page.getByText('Looks great!')).toBeVisible()
  await expect.element(page.getByLabelText('Password', { exact: true })).toHaveValue('')
  await signUp('newcomer')
  await expect.element(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await router.navigate({ to: '/signup' })
  await expect.element(page.getByLabelText('Username')).toHaveValue('')
  await expect.element(page.getByLabelText('Email')).toHaveValue('')
})

test('a username that could not be checked is checked again automatically', async () => {
  isDown = true
  await open('/signup')
  await page.getByLabelText('Username').fill('nora')
  await expect.element(page.getByRole('button', { name: 'Check again' })).toBeVisible()
  isDown = false
  await expect.element(page.getByText('Looks great!')).toBeVisible()
})

test('a username that was taken meanwhile stands beside no green tick', async () => {
  await open('/signup')
  await signUp('grace2')
  await expect.element(page.getByText('That username is already taken').first()).toBeVisible()
  expect(page.getByText('Looks great!').query()).toBeNull()
  expect(document.querySelector('form svg.text-success-ink')).toBeNull()
})

test('an error replaces the message of an earlier success', async () => {
  await open('/signin?reset=success')
  await expect.element(page.getByText('Password updated')).toBeVisible()
  await signIn('nora@x')
  await expect.element(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await expect.element(page.getByText('Password updated')).not.toBeInTheDocument()
})

test('the sign-in page says when a session was ended elsewhere', async () => {
  member = ada
  const { router } = await open('/activity')
  await expect.element(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  member = null
  dispatchEvent(new Event('focus'))
  await expect.element(page.getByText('You were signed out')).toBeVisible()
  expect(router.state.location.search).toEqual({ reason: 'session_ended', returnTo: '/activity' })
})

test('a step that replaces another sets the window title and focuses its heading', async () => {
  await open('/auth/callback#token=good')
  await expect.element(page.getByRole('heading', { name: 'Confirm your email' })).toHaveFocus()
  expect(document.title).toBe('Confirm your email · Evenhand')
  await page.getByRole('link', { name: 'This was not me' }).click()
  await expect.element(page.getByRole('heading', { name: 'This was not me' })).toHaveFocus()
  expect(document.title).toBe('This was not me · Evenhand')
})

test.each([
  ['/verify-email', 'Confirm your email'],
  ['/verify-email?reason=signin_unconfirmed', 'Email not verified'],
  ['/verify-email?resent=1', 'Verification email re-sent'],
  ['/reset-password/confirm', 'Reset link expired'],
])('%s has the window title %s', async (address, title) => {
  await open(address)
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
  await expect.poll(() => document.title).toBe(`${title} · Evenhand`)
})

test('after a reload the page asks to open the link again, and the return path is kept', async () => {
  await open('/auth/callback?returnTo=%2Factivity#token=good')
  await expect.element(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible()
  const remembered = Object.entries(sessionStorage)
  expect(JSON.stringify(remembered)).not.toContain('good')
  // A reload clears only what was in memory.
  deleteLinkSecret()
  for (const [key, text] of remembered) sessionStorage.setItem(key, String(text))
  const { router } = await open('/auth/callback?returnTo=%2Factivity')
  await expect.element(page.getByText('Open the link in your email again').last()).toBeVisible()
  expect(router.state.location.search).toEqual({ reason: 'link_again', returnTo: '/activity' })
})

test('each resent confirmation shows a toast, even when the page already says so', async () => {
  sessionStorage.setItem('pendingEmail', 'nora@mail.example')
  const { router } = await open('/verify-email?resent=1')
  await page.getByRole('button', { name: 'Resend verification email' }).click()
  await expect
    .element(page.getByText('Please check your inbox and spam folder.', { exact: true }))
    .toBeVisible()
  expect(router.state.location.href).toBe('/verify-email?resent=1')
})

test('too many attempts are counted down at the sign-in, and other values may be tried at once', async () => {
  await open('/signin')
  await signIn('busy@mail.example')
  await expect.poll(alertText).toMatch(/^Too many attempts\. You can try again in 0:[34]\d\.$/)
  const before = alertText()
  await expect.poll(alertText).not.toBe(before)
  expect(document.body.textContent).not.toContain('a moment')
  const button = page.getByRole('button', { name: /^Sign in \(0:\d\d\)$/ })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabelText('Email').fill('other@mail.example')
  const ready = page.getByRole('button', { name: 'Sign in', exact: true })
  await expect.element(ready).not.toHaveAttribute('aria-disabled')
})

test('a wait of minutes names the clock time as well', async () => {
  await open('/signin')
  await signIn('busier@mail.example')
  await expect.poll(alertText).toMatch(/You can try again in 1[12]:\d\d, at \d+:\d\d [AP]M\.$/)
})

test('a resend counts down to the next one, also when the server names the wait', async () => {
  for (const [email, left] of [
    ['olga@mail.example', /^Resend verification email \((1:00|0:[2-5]\d)\)$/],
    ['busy@mail.example', /^Resend verification email \(0:[2-4]\d\)$/],
  ] as const) {
    sessionStorage.setItem('pendingEmail', email)
    await open('/verify-email')
    await page.getByRole('button', { name: 'Resend verification email', exact: true }).click()
    const button = page.getByRole('button', { name: left })
    await expect.element(button).toHaveAttribute('aria-disabled', 'true')
    await cleanup()
  }
})

test('a code refused after too many attempts is counted down', async () => {
  await open('/signin?twoFactor=1')
  await page.getByLabelText('6-digit code').fill('123456')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect.poll(alertText).toMatch(/You can try again in 0:[34]\d\.$/)
  await expect.element(page.getByRole('button', { name: /^Verify \(0:\d\d\)$/ })).toBeVisible()
})

test('a tab without the pending address explains what to do instead', async () => {
  await open('/verify-email?reason=signup&returnTo=%2Factivity')
  await page.getByRole('button', { name: 'Resend verification email' }).click()
  await expect.element(page.getByText('Email address not found. Please try signing up again.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'sign up again' }))
    .toHaveAttribute('href', '/signup?returnTo=%2Factivity')
})

test('an invalid address is reported at its field', async () => {
  await open('/signin')
  await signIn('nora@x')
  await expect
    .element(page.getByLabelText('Email'))
    .toHaveAccessibleDescription('Please enter a valid email address')
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
})

test('a sign-in whose cookie the browser refuses says so', async () => {
  await open('/signin')
  await signIn('nora@mail.example')
  await expect.element(page.getByRole('main').getByText(/^Failed to sign in\. Allow cookies/)).toBeVisible()
})

test('a lost connection while saving a username is explained in plain words', async () => {
  member = { ...ada, username: null }
  await open('/activity')
  const dialog = page.getByRole('dialog', { name: 'Choose your username' })
  await dialog.getByRole('textbox', { name: 'Username' }).fill('nora')
  await expect.element(dialog.getByText('Looks great!')).toBeVisible()
  isDown = true
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByText(/^Evenhand could not be reached\./)).toBeVisible()
})

function alertText() {
  return document.querySelector('main [role=alert]')?.textContent ?? ''
}

function tooMany(wait: number) {
  return refusal('TOO_MANY_REQUESTS', 429, `Too many attempts. Please try again in ${wait} seconds.`, {
    wait,
  })
}

/** The name and autocomplete value of each field. */
function fieldsOnThePage() {
  return [...document.querySelectorAll('input')].map(({ name, autocomplete }) => `${name} ${autocomplete}`)
}

async function signIn(email: string) {
  await page.getByLabelText('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('nine kettles on the sill')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signUp(username: string) {
  await page.getByLabelText('Username').fill(username)
  await page.getByLabelText('Email').fill('nora@mail.example')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('nine kettles on the sill')
  await page.getByLabelText('Confirm password').fill('nine kettles on the sill')
  await expect.element(page.getByText('Looks great!')).toBeVisible()
  await page.getByRole('button', { name: 'Create account' }).click()
}

async function answer(call: string, request: Request): Promise<unknown> {
  if (isDown) throw new TypeError('Failed to fetch')
  switch (call) {
    case 'GET me':
      return member ?? signedOut()
    case 'GET sign-in-options':
      return options
    case 'GET username-exists':
      return { exists: request.url.endsWith('grace') }
    case 'POST auth/sign-in/email': {
      const { email } = await request.json()
      if (email === 'nora@x') return refusal('INVALID_EMAIL', 400, 'Please enter a valid email address')
      if (email === 'busy@mail.example') return tooMany(42)
      if (email === 'busier@mail.example') return tooMany(720)
      // Sets no cookie, like a browser that refuses it.
      return done
    }
    case 'POST auth/two-factor/verify-totp':
      return tooMany(42)
    case 'POST verify-email/resend':
      return (await request.text()).includes('busy@') ? tooMany(42) : done
    case 'POST sign-up': {
      const { username } = await request.json()
      if (username === 'grace2') return refusal('USERNAME_TAKEN', 409, 'That username is already taken.')
      return done
    }
    case 'POST reset-password/read':
      return refusal('LINK_EXPIRED', 400, 'Your verification link has expired or been used already.')
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
