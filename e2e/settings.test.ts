// Every setting of an account, in the built product.
import { crc32, deflateSync } from 'node:zlib'
import type { Browser, Page, Response } from '@playwright/test'
import { appCode, wrongAppCode } from '#server/testing/authenticator.ts'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { newMember } from './members.ts'
import { logOut, password, signIn } from './steps.ts'
import { offerNoPasskeys, openDevice } from './sign-in-methods.ts'

test('a new picture, names and a new username show wherever the member does', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'nora-before')

  await test.step('a picture is sent, shown at once, and taken away', async () => {
    await page.goto('/settings')
    await page.getByLabel('Picture', { exact: true }).setInputFiles({
      name: 'nora.png',
      mimeType: 'image/png',
      buffer: picture(300, 200),
    })
    await hasShown(page, 'Picture saved')
    const small = page.getByRole('complementary').locator('img[src^="/avatars/"]')
    await expect(small).toBeVisible()
    await expect(small).toHaveJSProperty('naturalWidth', 64)
    await page.getByRole('button', { name: 'Remove' }).click()
    await hasShown(page, 'Picture removed')
    await expect(small).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Upload picture' })).toBeFocused()
  })

  await test.step('names are kept', async () => {
    await page.getByLabel('Full name').fill('Nora Lind')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await hasShown(page, 'Profile saved')
    await page.reload()
    await expect(page.getByLabel('Full name')).toHaveValue('Nora Lind')
  })

  await test.step('the username is changed once, and the old one stays hers', async () => {
    await page.getByLabel('New username').fill('Anna')
    await expect(page.getByText('That username is already taken')).toBeVisible()
    await page.getByLabel('New username').fill('nora-writes')
    await expect(page.getByText('Looks great!')).toBeVisible()
    await page.getByRole('button', { name: 'Change username' }).click()
    await hasShown(page, 'You are now nora-writes.')
    await expect(page.getByText('You can change it again on').first()).toBeVisible()
    await expect(page.getByText('@nora-before is reserved for you until')).toBeVisible()
    await expect(page.getByRole('complementary').getByText('nora-writes')).toBeVisible()
  })

  await test.step('the search finds her under the new name, and no one under the old one', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('nora-')
    await page.getByRole('option', { name: /nora-writes/ }).click()
    await expect(page).toHaveURL(`${product.origin}/members/nora-writes`)
    await expect(page.getByRole('heading', { name: 'nora-writes', level: 1 })).toBeFocused()
    await expect(page.getByText('Member since')).toBeVisible()
    await page.goto('/members/nora-before')
    await expect(page.getByRole('heading', { name: "There's no member called “nora-before”" })).toBeVisible()
  })
  await closeBrowser(page)
})

test('a new address counts once both mailboxes have confirmed it', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'mila')
  const [before, after] = ['mila@evenhand.example', 'mila.new@evenhand.example']
  await page.goto('/settings')
  await page.getByLabel('New email').fill(after)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Waiting')).toHaveCount(2)

  await test.step('the old mailbox confirms, and nothing has changed', async () => {
    const mailbox = await openBrowser(browser, product)
    await mailbox.goto(await linkTo(product, before, 'type=email_change'))
    await expect(mailbox.getByText('@evenhand.example')).toHaveCount(2)
    await expect(mailbox).toHaveURL(`${product.origin}/auth/callback?type=email_change`)
    await mailbox.getByRole('button', { name: 'Confirm' }).click()
    await expect(mailbox.getByRole('heading', { name: 'One more mailbox' })).toBeVisible()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
    await expect(page.getByText('Waiting')).toHaveCount(1)
    await closeBrowser(mailbox)
  })

  const link = await linkTo(product, after, 'type=email_change')

  await test.step('the new one confirms, and the address is changed where she is signed in', async () => {
    const mailbox = await openBrowser(browser, product)
    await mailbox.goto(link)
    await mailbox.getByRole('button', { name: 'Confirm' }).click()
    await expect(mailbox.getByRole('heading', { name: 'Your email was changed' })).toBeVisible()
    await expect(page.getByRole('complementary').getByText(after)).toBeVisible()
    await mailbox.goto('about:blank')
    await mailbox.goto(link)
    await expect(mailbox.getByRole('heading', { name: 'Link expired or invalid' })).toBeVisible()
    await signIn(mailbox, product, after, password)
    await closeBrowser(mailbox)
  })

  await test.step('a change that was not hers is stopped from the old mailbox', async () => {
    await page.goto('/settings')
    await page.getByLabel('New email').fill('unknown@evenhand.example')
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByText('Waiting')).toHaveCount(2)
    const mailbox = await openBrowser(browser, product)
    await mailbox.goto(await linkTo(product, after, 'type=email_change', link))
    await mailbox.getByRole('button', { name: 'This was not me' }).click()
    await mailbox.getByRole('button', { name: 'Stop the change' }).click()
    await expect(mailbox.getByRole('heading', { name: 'The change was stopped' })).toBeVisible()
    await page.waitForURL(/\/signin/)
    await closeBrowser(mailbox)
  })
  await closeBrowser(page)
})

test('the second factor is set up, asked for at sign-in, and switched off', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'tove')
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const secret = ((await setup.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent()) ?? '').replaceAll(
    ' ',
    '',
  )
  await setup.getByRole('textbox', { name: 'Code' }).fill(wrongAppCode(secret))
  await setup.getByRole('button', { name: 'Continue' }).click()
  await expect(setup.getByText('This code is not right.')).toBeVisible()
  await setup.getByRole('textbox', { name: 'Code' }).fill(appCode(secret))
  await setup.getByRole('button', { name: 'Continue' }).click()
  const kept = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(kept.getByRole('listitem')).toHaveCount(10)
  const recovery = await kept.getByRole('listitem').first().textContent()
  await kept.getByRole('checkbox', { name: 'I have saved them somewhere safe' }).check()
  await kept.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('You have 10 recovery codes left')).toBeVisible()

  await test.step('a recovery code signs in once', async () => {
    const elsewhere = await openBrowser(browser, product)
    await elsewhere.goto('/signin')
    await elsewhere.getByLabel('Email').fill('tove@evenhand.example')
    await elsewhere.getByLabel('Password', { exact: true }).fill(password)
    await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
    await elsewhere.getByRole('button', { name: /recovery code/i }).click()
    await elsewhere.getByRole('textbox', { name: /code/i }).fill(recovery ?? '')
    await elsewhere.keyboard.press('Enter')
    await elsewhere.waitForURL('**/dashboard')
    await elsewhere.goto('/settings/security')
    await expect(elsewhere.getByText('You have 9 recovery codes left')).toBeVisible()
    await closeBrowser(elsewhere)
  })

  await test.step('new codes replace the old ones, and it is switched off again', async () => {
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click()
    await expect(kept.getByRole('listitem').first()).not.toHaveText(recovery ?? '')
    await kept.getByRole('checkbox', { name: 'I have saved them somewhere safe' }).check()
    await kept.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
    await hasShown(page, 'Two-factor authentication is off')
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
  })
  await closeBrowser(page)
})

test('a passkey is made, named, used and removed', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await openDevice(page)
  await newMember(page, product, 'pia')
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await adding.getByRole('button', { name: 'Continue' }).click()
  await hasShown(page, 'You can now sign in with “My laptop”.')
  await page.getByRole('button', { name: 'Rename My laptop' }).click()
  await page
    .getByRole('dialog', { name: 'Rename passkey' })
    .getByRole('textbox', { name: 'Name' })
    .fill('The old laptop')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The old laptop')).toBeVisible()
  await expect(page.getByText('not used yet')).toBeVisible()

  await offerNoPasskeys(page)
  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/settings/security')
  await expect(page.getByText(/last used/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove The old laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await hasShown(page, 'Passkey removed')
  await expect(page.getByText('The old laptop')).toHaveCount(0)
  await page.context().close()
})

test('a device that is signed out elsewhere shows the sign-in page by itself', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'dora')
  const [lost, other] = await Promise.all([
    signedIn(browser, product, 'dora'),
    signedIn(browser, product, 'dora'),
  ])
  await page.goto('/settings/devices')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Signed in' })
  await expect(rows).toHaveCount(3)
  await expect(rows.first().getByText('This device')).toBeVisible()
  await rows
    .last()
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await hasShown(page, 'Device signed out')
  await expect(rows).toHaveCount(2)
  await Promise.race([lost, other].map((each) => each.waitForURL(/\/signin/)))

  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out the others' }).click()
  await expect(rows).toHaveCount(1)
  await Promise.all([lost, other].map((each) => each.waitForURL(/\/signin/)))

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL(/\/signin$/)
  await hasShown(page, 'You were signed out everywhere')
  await Promise.all([page, lost, other].map(closeBrowser))
})

test('choices of notifications, language, time zone and theme are kept', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  const began = new Date()
  await newMember(page, product, 'lene')
  await page.goto('/settings/notifications')
  await expect(page).toHaveURL(`${product.origin}/settings/notifications`)
  const byEmail = page.getByRole('switch', { name: 'Offers by email' })
  const isKept = (answer: Response) => answer.request().method() === 'PATCH' && answer.ok()
  const saved = page.waitForResponse(isKept)
  await byEmail.click()
  await saved
  await page.reload()
  await expect(byEmail).not.toBeChecked()
  await expect(page.getByRole('switch', { name: 'Offers in the app' })).toBeChecked()

  await page.getByRole('link', { name: 'Language and time' }).click()
  await expect(page.getByRole('heading', { name: 'Language and time', level: 2 })).toBeFocused()
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'English (United Kingdom)' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('sydney')
  await page.getByRole('option', { name: /Sydney/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await hasShown(page, 'Language and time saved')
  await page.goto('/settings/devices')
  const sydney = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Australia/Sydney' })
  // In Sydney, midnight may have passed since she signed up.
  const days = [began, new Date()].map((day) => sydney.format(day)).join('|')
  await expect(page.getByText(new RegExp(`Signed in (${days}) at`))).toBeVisible()

  await page.goto('/settings/appearance')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await closeBrowser(page)
})

test('the archive of my data is downloaded once, by the link of the mail', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'verena')
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Request my archive' }).click()
  await expect(page.getByText('Check your email for the link')).toBeVisible()
  const link = await linkTo(product, 'verena@evenhand.example', 'export=')

  await page.goto(link)
  await expect(page).toHaveURL(/\/settings\/data\?export=[0-9a-f-]+$/)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/)
  await expect(page.getByText('was downloaded.')).toBeVisible()

  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByText('was downloaded.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(0)
  await closeBrowser(page)
})

test('a member reads what ends before deleting the account, and is signed out', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)
  await newMember(page, product, 'gerda')
  await page.goto('/settings/data')
  await page.getByRole('link', { name: 'Delete my account…' }).click()
  await expect(page.getByRole('heading', { name: 'Delete account', level: 2 })).toBeFocused()
  await expect(page.getByText('No one can take @gerda for 90 days')).toBeVisible()
  await page.getByRole('checkbox', { name: 'I have read what happens when I delete my account' }).check()
  await page.getByLabel('Type gerda to confirm').fill('gerda')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(/\/signin$/)
  await hasShown(page, 'Your account has been deleted')
  await page.getByLabel('Email').fill('gerda@evenhand.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('main').getByText('Invalid email or password.')).toBeVisible()
  await closeBrowser(page)
})

async function signedIn(browser: Browser, product: Product, who: string): Promise<Page> {
  const page = await openBrowser(browser, product)
  await signIn(page, product, `${who}@evenhand.example`, password)
  return page
}

/** The newest link of a kind that was mailed to an address, once it arrived; never `known`. */
async function linkTo(product: Product, address: string, kind: string, known?: string): Promise<string> {
  let link: string | undefined
  const look = async () => {
    const answer = await fetch(`${product.origin}/dev/mail.json?to=${encodeURIComponent(address)}`)
    // The demo's mails to this address, the newest first.
    const mails = (await answer.json()) as { text: string }[]
    const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+#token=[\w-]+/g) ?? [])
    link = links.find((each) => each.includes(kind) && each !== known)
    return link
  }
  await expect.poll(look).toBeDefined()
  return link ?? ''
}

/** A picture of one color. */
function picture(width: number, height: number): Buffer {
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([20, 110, 100]))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
