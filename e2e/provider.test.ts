import type { BrowserContext, Page } from '@playwright/test'
import { appCode } from '#server/testing/authenticator.ts'
import type { Claims } from '#server/testing/identity-provider.ts'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import { newMember } from './members.ts'
import { logOut } from './steps.ts'
import { call } from './sign-in-methods.ts'

test('a new member signs up by Google in a popup, chooses a username, and signs in the same way', async ({
  browser,
  product,
  provider,
}) => {
  const page = await openBrowser(browser, product)
  provider.person = personOf('yves')

  await test.step('the popup has its size, and the button shows progress', async () => {
    await page.goto('/signup?returnTo=/activity')
    const popup = await openPopup(page)
    await expect(page.getByRole('button', { name: 'Connecting…' })).toBeVisible()
    await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    expect(await popup.evaluate<number[]>('[innerWidth, innerHeight]')).toEqual([500, 600])
    const closed = popup.waitForEvent('close')
    await popup.getByRole('link', { name: 'Continue as yves' }).click()
    await closed
  })

  await test.step('the page continues, and requires a username', async () => {
    await hasShown(page, 'One step is left: your membership.')
    const dialog = page.getByRole('dialog', { name: 'Choose your username' })
    await dialog.getByRole('textbox', { name: 'Username' }).fill('Yves-K')
    await expect(dialog.getByText('Looks great!')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    // As after a sign-up by mail: the plan and its price come before any payment.
    await expect(page).toHaveURL('/billing')
    await hasShown(page, 'Welcome to Evenhand')
    await expect(page.getByText('$8.00').first()).toBeVisible()
  })

  await test.step('a second sign-in opens the same account, and the page asked for', async () => {
    await logOut(page)
    await page.goto('/signin?returnTo=/notifications')
    await goThrough(await openPopup(page), 'yves')
    await hasShown(page, 'Welcome back!')
    await expect(page).toHaveURL('/notifications')
    await expect(page.getByRole('button', { name: 'Account menu, yves-k' })).toBeVisible()
  })
  await closeBrowser(page)
})

test('when popups are blocked, the page itself goes to Google and returns', async ({
  browser,
  product,
  provider,
}) => {
  const page = await openBrowser(browser, product)
  await blockPopups(page.context())
  provider.person = personOf('zora')
  await page.goto('/signin?returnTo=/activity')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('link', { name: 'Continue as zora' }).click()
  await expect(page.getByRole('dialog', { name: 'Choose your username' })).toBeVisible()
  await expect(page).toHaveURL('/activity')
  await hasShown(page, 'Email verified')
  await page.context().close()
})

test('a cancelled sign-in stays on the page and can be tried again', async ({
  browser,
  product,
  provider,
}) => {
  provider.person = personOf('xenia')

  await test.step('in a popup', async () => {
    const page = await openBrowser(browser, product)
    await page.goto('/signin')
    const popup = await openPopup(page)
    const closed = popup.waitForEvent('close')
    await popup.getByRole('link', { name: 'Cancel' }).click()
    await closed
    await expect(page.getByRole('alert')).toContainText('Google sign-in was canceled.')
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
    await closeBrowser(page)
  })

  await test.step('in the page itself, which keeps the return path', async () => {
    const page = await openBrowser(browser, product)
    await blockPopups(page.context())
    await page.goto('/signin?returnTo=/activity')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByRole('alert')).toContainText('Google sign-in was canceled.')
    await expect(page).toHaveURL('/signin?error=access_denied&returnTo=%2Factivity')
    await page.context().close()
  })
})

test('an account with a password is not connected without its owner', async ({
  browser,
  product,
  provider,
}) => {
  const page = await openBrowser(browser, product)
  provider.person = { ...personOf('anna'), email: 'anna@evenhand.example' }
  await page.goto('/signin')
  await goThrough(await openPopup(page), 'anna')
  await expect(page.getByRole('alert')).toContainText('There is an account with this email address already.')

  await blockPopups(page.context())
  await page.reload()
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('link', { name: 'Continue as anna' }).click()
  await expect(page.getByRole('alert')).toContainText('There is an account with this email address already.')
  await expect(page).toHaveURL('/signin?error=account_not_linked')
  await page.context().close()
})

test('a forged message from another window signs no one in', async ({ browser, product, provider }) => {
  provider.person = personOf('willem')
  const page = await openBrowser(browser, product)
  await page.goto('/signin')
  const popup = await openPopup(page)
  const forger = await page.context().newPage()
  await forger.goto('/reset-password')
  await forger.evaluate(() => {
    const channel = new BroadcastChannel('evenhand-provider')
    channel.postMessage({ ok: true, nonce: crypto.randomUUID() })
  })
  await expect(page.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await expect(page).toHaveURL('/signin')
  // The real message still arrives.
  await goThrough(popup, 'willem')
  await expect(page.getByRole('dialog', { name: 'Choose your username' })).toBeVisible()
  await closeBrowser(page)
})

test('two-factor authentication asks for a code after Google too', async ({ browser, product, provider }) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'xaver')
  await page.goto('/dashboard')
  const { json: started } = await call<{ secret: string }>(page, '/api/settings/two-factor/start', {})
  await call(page, '/api/settings/two-factor/finish', { code: appCode(started.secret) })
  provider.person = { ...personOf('xaver'), email: 'xaver@evenhand.example' }

  await test.step('connected in the settings', async () => {
    await page.goto('/settings/security')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Connect Google' }).click()
    await goThrough(await opened, 'xaver')
    await hasShown(page, 'Google connected')
  })

  await test.step('it signs in from a popup', async () => {
    await logOut(page)
    await goThrough(await openPopup(page), 'xaver')
    await page.getByLabel('6-digit code').fill(appCode(started.secret, 1))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
  })
  await closeBrowser(page)
})

function personOf(name: string): Claims {
  return { sub: `subject-of-${name}`, email: `${name}@mail.example`, email_verified: true, name }
}

async function openPopup(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  return opened
}

async function goThrough(popup: Page, name: string) {
  const closed = popup.waitForEvent('close')
  await popup.getByRole('link', { name: `Continue as ${name}` }).click()
  await closed
}

/** Makes the browser block every popup. */
async function blockPopups(context: BrowserContext) {
  await context.addInitScript('window.open = () => null')
}
