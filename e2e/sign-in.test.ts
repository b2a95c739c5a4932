import type { Page } from '@playwright/test'
import { demoPassword } from '#db/seed/cast.ts'
import { appCode, wrongAppCode } from '#server/testing/authenticator.ts'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { newMember } from './members.ts'
import { logOut, password, signIn, tabTo } from './steps.ts'
import { call, offerNoPasskeys, openDevice } from './sign-in-methods.ts'

test('a known and an unknown address get the same answer but different mails', async ({
  browser,
  product,
}) => {
  const answers: string[] = []
  for (const [username, email] of [
    ['nora', 'nora@mail.example'],
    ['not-anna', 'anna@evenhand.example'],
  ] as const) {
    const page = await openBrowser(browser, product)
    await page.goto('/signup?returnTo=/activity')
    await fillSignUp(page, { username, email })
    const [answer] = await Promise.all([
      page.waitForResponse('**/api/sign-up'),
      page.getByRole('button', { name: 'Create account' }).click(),
    ])
    answers.push(`${answer.status()} ${await answer.text()}`)
    await expect(page).toHaveURL('/verify-email?reason=signup&returnTo=%2Factivity')
    await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
    await expect(page.getByText('Sent to')).toHaveText(`Sent to ••••@${email.split('@')[1]}`)
    await closeBrowser(page)
  }
  expect(answers[0]).toBe(answers[1])
  await expect.poll(() => mailTo(product, 'nora@mail.example')).toContain('nora')
  await expect.poll(() => mailTo(product, 'anna@evenhand.example')).toContain('YOU ALREADY HAVE AN ACCOUNT')
})

test('a confirmation link opens the account once, in the browser of the sign-up', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await page.goto('/signup?returnTo=/activity')
  await fillSignUp(page, { username: 'odette', email: 'odette@mail.example' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/verify-email/)
  const first = await product.linkMailedTo('odette@mail.example')

  await test.step('a sign-in before confirming says so and sends a new link', async () => {
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByLabel('Email').fill('odette@mail.example')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Email not verified' })).toBeVisible()
    await expect(page).toHaveURL('/verify-email?reason=signin_unconfirmed&returnTo=%2Factivity')
  })

  await test.step('no second mail is sent within the same minute', async () => {
    await page.getByRole('button', { name: /^Resend verification email/ }).click()
    await expect(page.getByRole('button', { name: /^Resend verification email \(\d:\d\d\)$/ })).toBeDisabled()
  })

  await test.step('a newer link replaces the older one', async () => {
    await page.goto(first)
    await expect(page).toHaveURL('/signin?reason=link_expired')
    await expect(page.getByRole('main').getByText('Link expired or invalid')).toBeVisible()
  })

  const second = await newerLinkTo(product, 'odette@mail.example', first)
  await test.step('one press opens the page asked for', async () => {
    await page.goto(second)
    await expect(page).not.toHaveURL(/token/)
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await hasShown(page, "You're in! Welcome to your dashboard.")
    await expect(page).toHaveURL('/activity')
  })

  await test.step('a used link no longer works', async () => {
    const other = await openBrowser(browser, product)
    await other.goto(second)
    await expect(other).toHaveURL('/signin?reason=link_expired')
    await closeBrowser(other)
  })
  await closeBrowser(page)
})

test('a second link opened in the same tab replaces the first', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await page.goto('/signup')
  await fillSignUp(page, { username: 'runa', email: 'runa@mail.example' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  const first = await product.linkMailedTo('runa@mail.example')
  const mailed = await page.context().newPage()
  await mailed.goto(first)
  const confirm = mailed.getByRole('button', { name: 'Confirm my email' })
  await expect(confirm).toBeVisible()

  await page.getByRole('button', { name: 'Resend verification email' }).click()
  const second = await newerLinkTo(product, 'runa@mail.example', first)
  // Only the fragment differs, so the page is not loaded again and must take the newer secret.
  const asked = mailed.waitForResponse('**/api/verify-email/read')
  await mailed.goto(second)
  await asked
  await confirm.click()
  await mailed.waitForURL('**/billing')
  await closeBrowser(page)
})

test('the return path survives a second check of who is signed in', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  const held = Promise.withResolvers<void>()
  await page.route('**/sign-in-screen*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/settings/devices')
  await expect(page).toHaveURL('/signin?returnTo=%2Fsettings%2Fdevices')
  await page.evaluate("dispatchEvent(new Event('focus'))")
  held.resolve()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL('/signin?returnTo=%2Fsettings%2Fdevices')
  await closeBrowser(page)
})

test('in another browser the link asks for a new password, or lets its reader delete the account', async ({
  browser,
  product,
}) => {
  const [attacker, owner] = [await openBrowser(browser, product), await openBrowser(browser, product)]
  for (const name of ['piet', 'quinn']) {
    await attacker.goto('/signup')
    await fillSignUp(attacker, { username: name, email: `${name}@mail.example` })
    await attacker.getByRole('button', { name: 'Create account' }).click()
    await expect(attacker).toHaveURL(/\/verify-email/)
  }

  await test.step('the owner of the address chooses a password, and the first one fails', async () => {
    await owner.goto(await product.linkMailedTo('piet@mail.example'))
    await expect(owner.getByText('Username').locator('..')).toContainText('piet')
    await owner.getByLabel('New password').fill('ten herons by the weir')
    await owner.getByLabel('Confirm password').fill('ten herons by the weir')
    await owner.getByRole('button', { name: 'Confirm and choose a password' }).click()
    await owner.waitForURL('**/billing')
    await attacker.goto('/signin')
    const credentials = { email: 'piet@mail.example', password }
    expect((await call(attacker, '/api/auth/sign-in/email', credentials)).status).toBe(401)
  })

  await test.step('someone who did not sign up deletes the account', async () => {
    const page = await openBrowser(browser, product)
    await page.goto(await product.linkMailedTo('quinn@mail.example'))
    await page.getByRole('link', { name: 'This was not me' }).click()
    await page.getByRole('button', { name: 'Delete this account' }).click()
    await expect(page.getByRole('heading', { name: 'The account was deleted' })).toBeVisible()
    await page.goto(await product.linkMailedTo('quinn@mail.example'))
    await expect(page).toHaveURL('/signin?reason=link_expired')
    await closeBrowser(page)
  })
  await Promise.all([attacker, owner].map(closeBrowser))
})

test('signing in leads to our own pages only, whatever the address asks for', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await page.goto(`/signin?${new URLSearchParams({ returnTo: '/notifications?a=1#b' }).toString()}`)
  await page.getByLabel('Email').fill('clara@evenhand.example')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await hasShown(page, "You've been signed in successfully.")
  await expect(page).toHaveURL(/\/notifications/)

  for (const returnTo of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/%2F%2Fevil.example',
    '/..//evil.example',
    'https:evil.example',
    `${product.origin}.evil.example/`,
    'javascript:alert(1)',
    'data:text/html,x',
    `blob:${product.origin}/x`,
    '/auth/callback?returnTo=//evil.example',
    'a'.repeat(5000),
  ]) {
    await page.goto(`/signin?${new URLSearchParams({ returnTo }).toString()}`)
    await expect(page, returnTo).toHaveURL(`${product.origin}/dashboard`)
  }
  await page.goto(`/signup?returnTo=/activity&returnTo=//evil.example`)
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/(activity|dashboard)$/)
  await closeBrowser(page)
})

test('two-factor authentication asks for a code after the password', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'tova')
  await page.goto('/dashboard')
  const { json: started } = await call<{ secret: string }>(page, '/api/settings/two-factor/start', {})
  const { json: finished } = await call<{ recoveryCodes: string[] }>(
    page,
    '/api/settings/two-factor/finish',
    { code: appCode(started.secret) },
  )

  await test.step('a wrong code shows at the field, and the right one opens the page asked for', async () => {
    await logOut(page)
    await page.goto('/signin?returnTo=/activity')
    await enterPassword(page, 'tova@evenhand.example')
    await expect(page.getByLabel('6-digit code')).toBeFocused()
    await expect(page.getByLabel('6-digit code')).toHaveAttribute('autocomplete', 'one-time-code')
    await page.getByLabel('6-digit code').fill('12345')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter the 6 digits that your app shows now.')).toBeVisible()
    await page.getByLabel('6-digit code').fill(wrongAppCode(started.secret))
    await page.keyboard.press('Enter')
    await expect(page.getByText('This code is not right.')).toBeVisible()
    await expect(page.getByLabel('6-digit code')).toBeFocused()
    const code = appCode(started.secret, 1)
    await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.keyboard.press('Enter')
    await hasShown(page, 'Welcome back!')
    await expect(page).toHaveURL(/\/activity$/)
  })

  await test.step('a recovery code works too, and Back returns to the password', async () => {
    await logOut(page)
    await enterPassword(page, 'tova@evenhand.example')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByLabel('Email')).toBeFocused()
    await enterPassword(page, 'tova@evenhand.example')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(finished.recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.waitForURL('**/dashboard')
  })

  await test.step('after five wrong codes the sign-in starts over', async () => {
    await logOut(page)
    await enterPassword(page, 'tova@evenhand.example')
    const field = page.getByLabel('6-digit code')
    const refusal = page.getByText('This code is not right.')
    for (let tries = 0; tries < 5; tries += 1) {
      await field.fill(wrongAppCode(started.secret, tries))
      await expect(refusal).toBeHidden()
      await page.keyboard.press('Enter')
      await expect(refusal).toBeVisible()
    }
    await field.fill(wrongAppCode(started.secret, 5))
    await page.keyboard.press('Enter')
    await expect(page.getByText('This sign-in is over. Please sign in again.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
  await closeBrowser(page)
})

test('a passkey signs in by its button and from the email field’s list, without typing', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'ursel')
  const device = await openDevice(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await hasShown(page, 'Passkey added')

  await test.step('by the button', async () => {
    await offerNoPasskeys(page)
    await logOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/dashboard')
    await hasShown(page, 'Welcome back!')
  })

  await test.step('from the list, where this device picks by itself', async () => {
    await device.setPresent(false)
    await page.reload()
    await logOut(page)
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
    await device.setPresent(true)
    await page.reload()
    await page.waitForURL('**/dashboard')
  })
  await page.context().close()
})

test('signing out ends the session in every tab, and on a device that is signed out remotely', async ({
  browser,
  product,
}) => {
  const home = await openBrowser(browser, product)
  await newMember(home, product, 'velma')
  await home.goto('/dashboard')
  const tab = await home.context().newPage()
  await tab.goto('/notifications')
  await expect(tab.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  const phone = await openBrowser(browser, product)
  await signIn(phone, product, 'velma@evenhand.example', password)
  await phone.goto('/cooldown')
  await expect(phone.getByRole('heading', { name: 'Cooldown Status', level: 1 })).toBeVisible()

  await test.step('the phone is signed out from home', async () => {
    const signedOut = phone.waitForURL('**/signin?reason=session_ended&returnTo=%2Fcooldown')
    expect((await call(home, '/api/settings/devices/end-others', {})).status).toBe(200)
    await signedOut
  })

  await test.step('the second tab is signed out with the first', async () => {
    await home.bringToFront()
    await home.goto('/activity')
    await home.getByRole('link', { name: 'Cooldown Status' }).click()
    await expect(home.getByRole('heading', { name: 'Cooldown Status', level: 1 })).toBeVisible()
    await home.getByRole('button', { name: /^Account menu/ }).click()
    const signedOut = tab.waitForURL('**/signin?reason=session_ended&returnTo=%2Fnotifications')
    await home.getByRole('menuitem', { name: 'Log out' }).click()
    await signedOut
    await expect(home).toHaveURL('/signin')
    await expect(tab.getByText('velma@evenhand.example')).toHaveCount(0)
  })

  await test.step('the Back button shows none of her data', async () => {
    await home.goBack()
    await expect(home).toHaveURL('/signin?returnTo=%2Factivity')
    await expect(home.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(home.getByText('velma', { exact: true })).toHaveCount(0)
  })
  await Promise.all([home, phone].map(closeBrowser))
})

test('staff without two-factor authentication see what to do', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  // The demo's staff have a second factor from the start.
  await page.route('**/api/me', async (route) => {
    const answer = await route.fetch()
    if (!answer.ok()) return route.fulfill({ response: answer })
    return route.fulfill({ json: { ...(await answer.json()), role: 'support', twoFactor: false } })
  })
  await signIn(page, product, 'ben@evenhand.example', demoPassword)
  const notice = page.getByText('Your staff account needs two-factor authentication')
  await expect(notice).toBeVisible()
  await page.getByRole('link', { name: 'Switch it on in Settings' }).click()
  await expect(page).toHaveURL(/\/settings\/security$/)
  await expect(notice).toBeVisible()
  await expect(page.getByRole('link', { name: 'Switch it on in Settings' })).toHaveCount(0)
  // An answer still on its way when the browser closes would fail the next test.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await closeBrowser(page)
})

test('the keyboard is enough from the sign-up to the offer to join', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  // This product offers a provider; accessible.test.ts looks at one that offers none.
  await expect(page.getByRole('button', { name: /Continue with/ })).toHaveCount(1)
  await tabTo(page, 'Username')
  await page.keyboard.type('Wanda')
  await expect(page.getByText('Looks great!')).toBeVisible()
  await tabTo(page, 'Email')
  await page.keyboard.type('wanda@mail.example')
  await tabTo(page, 'Password')
  await page.keyboard.type(password)
  await expect(page.getByText('Password strength: Strong')).toBeVisible()
  await tabTo(page, 'Confirm password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeFocused()
  await page.goto(await product.linkMailedTo('wanda@mail.example'))
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await tabTo(page, 'Confirm my email')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Billing', level: 1 })).toBeFocused()
  await closeBrowser(page)
})

async function fillSignUp(page: Page, { username, email }: { username: string; email: string }) {
  const create = page.getByRole('button', { name: 'Create account' })
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('Username').fill(username)
  await expect(page.getByText('Looks great!')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await expect(create).not.toHaveAttribute('aria-disabled')
}

async function enterPassword(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}

async function mailTo(product: Product, address: string) {
  const answer = await fetch(`${product.origin}/dev/mail.json?to=${encodeURIComponent(address)}`)
  // The demo's mails to this address, the newest first.
  const mails = (await answer.json()) as { text: string }[]
  return mails[0]?.text ?? ''
}

async function newerLinkTo(product: Product, address: string, older: string) {
  await expect.poll(() => product.linkMailedTo(address)).not.toBe(older)
  return product.linkMailedTo(address)
}
