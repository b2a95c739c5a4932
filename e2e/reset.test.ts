import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { newMember } from './members.ts'
import { password, signIn } from './steps.ts'

const fresh = 'ten herons by the weir'
const email = 'rosa@evenhand.example'

// Resetting a password by mail, while the same person is signed in on other devices.
test('a password reset by mail signs out every device at once', async ({ browser, product }) => {
  const [home, phone, library] = await Promise.all([
    openBrowser(browser, product),
    openBrowser(browser, product),
    openBrowser(browser, product),
  ])

  await test.step('Rosa is signed in at home and on her phone', async () => {
    await newMember(home, product, 'rosa')
    await home.goto(`${product.origin}/dashboard`)
    await signIn(phone, product, email, password)
    await phone.goto(`${product.origin}/settings`)
    await expect(phone.getByRole('heading', { name: 'Settings' })).toBeVisible()
  })

  await test.step('in the library she asks for a link', async () => {
    await library.goto(`${product.origin}/signin`)
    await library.getByRole('link', { name: 'Forgot password?' }).click()
    const send = library.getByRole('button', { name: 'Send password reset link' })
    await expect(send).toBeDisabled()
    await library.getByLabel('Email', { exact: true }).fill(email)
    await send.click()
    await expect(library.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    await expect(
      library.getByText('If an account exists for the address, a password reset link has been sent.'),
    ).toBeVisible()
    await library.getByRole('button', { name: 'Send another email' }).click()
    await expect(library.getByLabel('Email', { exact: true })).toHaveValue(email)
  })

  const link = await recoveryLink(product)

  await test.step('the link leads to the form and leaves the address bar', async () => {
    await library.goto(link)
    await hasShown(library, "You're authenticated. Set a new password.")
    await expect(library).toHaveURL(`${product.origin}/reset-password/confirm`)
    await expect(library.getByLabel('Email', { exact: true })).toHaveValue('****@********.example')
    await expect(library.getByLabel('Email', { exact: true })).toHaveAttribute('readonly')
  })

  await test.step('a reload drops the link, and the link in the mail still works', async () => {
    await library.reload()
    await expect(library.getByRole('heading', { name: 'Reset link expired' })).toBeVisible()
    await library.goto(link)
    await expect(library).toHaveURL(`${product.origin}/reset-password/confirm`)
  })

  await test.step('she sets a password once both fields match', async () => {
    const reset = library.getByRole('button', { name: 'Reset Password' })
    await expect(reset).toBeDisabled()
    await library.getByLabel('New password').fill('short')
    await library.getByLabel('Confirm password').fill('shorter')
    await reset.click()
    await expect(library.getByText('Use at least 8 characters.')).toBeVisible()
    await expect(library.getByText('Passwords do not match.')).toBeVisible()
    await library.getByLabel('New password').fill(fresh)
    await library.getByLabel('Confirm password').fill(fresh)
    await reset.click()
    await expect(library).toHaveURL(`${product.origin}/signin?reset=success`)
    await expect(library.getByRole('main').getByText('Password updated')).toBeVisible()
  })

  await test.step('home and phone show the sign-in page by themselves', async () => {
    for (const page of [home, phone]) await page.waitForURL(/\/signin/)
  })

  await test.step('the old password fails, and the new one works', async () => {
    await home.getByLabel('Email', { exact: true }).fill(email)
    await home.getByLabel('Password', { exact: true }).fill(password)
    await home.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(home.getByRole('main').getByText('Invalid email or password.')).toBeVisible()
    await signIn(library, product, email, fresh)
  })

  await test.step('the link no longer works, and a mail reports the change', async () => {
    await phone.goto(link)
    await expect(phone).toHaveURL(`${product.origin}/signin?reason=link_expired`)
    await expect(phone.getByRole('main').getByText('Link expired or invalid')).toBeVisible()
    await library.goto(`${product.origin}/dev/mail`)
    await expect(library.getByText('Your password was changed').first()).toBeVisible()
  })
  await Promise.all([home, phone, library].map(closeBrowser))
})

test('a password change in the settings signs out the other devices only', async ({ browser, product }) => {
  const [here, elsewhere] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  await newMember(here, product, 'selma')
  await signIn(elsewhere, product, 'selma@evenhand.example', password)

  await here.goto(`${product.origin}/settings/security`)
  const change = here.getByRole('button', { name: 'Change password' })
  await expect(change).toBeDisabled()
  await here.getByLabel('Current password').fill('not this one at all')
  await here.getByLabel('New password').fill(fresh)
  await here.getByLabel('Confirm password').fill(fresh)
  await change.click()
  await expect(here.getByText('This is not your current password.')).toBeVisible()
  await expect(here.getByLabel('Current password')).toBeFocused()
  await here.getByLabel('Current password').fill(password)
  await change.click()
  await hasShown(here, 'Your other devices were signed out.')
  await expect(here.getByLabel('New password')).toHaveValue('')

  await elsewhere.waitForURL(/\/signin/)
  await here.reload()
  await expect(here.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await Promise.all([closeBrowser(here), closeBrowser(elsewhere)])
})

/** The link for a new password, once its mail has arrived. */
async function recoveryLink(product: Product) {
  let link: string | undefined
  const look = async () => {
    const answer = await fetch(`${product.origin}/dev/mail.json?to=${encodeURIComponent(email)}`)
    // The demo's mails to this address, the newest first.
    const mails = (await answer.json()) as { text: string }[]
    const texts = mails.map(({ text }) => text).join('\n')
    link = /https?:\/\/\S+\/auth\/callback\?type=recovery#token=[\w-]+/.exec(texts)?.[0]
    return link
  }
  await expect.poll(look).toBeDefined()
  return link ?? ''
}
