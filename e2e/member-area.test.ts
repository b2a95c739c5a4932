// The pages of a member around the exchange, each by what can be done there.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { demoPassword } from '#db/seed/cast.ts'
import { paths } from '#web/paths.ts'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import { signIn } from './steps.ts'

test('a member finds, marks, declares, reads and takes along what is theirs', async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product)

  await test.step('signed out, each page leads to the sign-in and back', async () => {
    for (const href of [
      '/discover',
      '/trending',
      '/org',
      '/reviews?list=ledger',
      '/admin/users',
      '/admin/money',
    ]) {
      await page.goto(href)
      await expect(page).toHaveURL(`/signin?returnTo=${encodeURIComponent(href)}`)
    }
    await page.goto('/org')
    await page.getByLabel('Email').fill('anna@evenhand.example')
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Organization', level: 1 })).toBeVisible()
    await expect(page).toHaveURL('/org')
  })

  await test.step('a household is declared, and asks the other side', async () => {
    await page.getByRole('button', { name: /^Add to household/i }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Username').fill('clara')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await hasShown(page, 'We asked them to confirm it.')
    const other = await openBrowser(browser, product)
    await signIn(other, product, 'clara@evenhand.example', demoPassword)
    await other.goto('/org')
    await expect(other.getByText('anna', { exact: false }).first()).toBeVisible()
    await closeBrowser(other)
  })

  await test.step('a product is marked as not for me, and the settings list it', async () => {
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.goto(paths.discover())
    const card = page
      .getByRole('list', { name: 'The club’s products' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^More about/ }) })
      .first()
    const name = await card.getByRole('button', { name: /^More about/ }).getAttribute('aria-label')
    await card.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('menuitem', { name: 'Not for me', exact: true }).click()
    await page.getByRole('button', { name: 'Never offer it' }).click()
    await hasShown(page, 'You won’t be offered it')
    await page.goto(paths.settings('offers'))
    await expect(
      page.getByText(name?.replace('More about ', '') ?? '', { exact: false }).first(),
    ).toBeVisible()
  })

  await test.step('the ledger adds up, and its files say the same', async () => {
    await page.goto(paths.reviews('ledger'))
    const table = page.getByRole('main').getByRole('table')
    await expect(table.getByRole('row').nth(1)).toBeVisible()
    const csv = (await downloaded(page, 'CSV')).trim().split('\n')
    const statement: unknown = JSON.parse(await downloaded(page, 'Signed statement'))
    expect(statement).toMatchObject({ signature: expect.any(String) })
    expect(csv.length).toBeGreaterThan(1)
  })

  await test.step('analytics have a table for each chart', async () => {
    await page.goto(paths.analytics())
    await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
    const tables = page.getByRole('main').locator('summary')
    await tables.first().click()
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
  })

  await test.step('a typo still finds a page, an action and a member, by keyboard alone', async () => {
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('clarra')
    await expect(page.getByRole('option', { name: /^clara/ })).toBeVisible()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('pause')
    await expect(page.getByRole('option', { name: /Pause membership/ })).toBeVisible()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('activity')
    await expect(page.getByRole('option', { name: /^Activity/ }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/activity')
  })

  await test.step('notifications are marked together', async () => {
    await page.goto(paths.notifications())
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Mark selected as read' }).click()
    await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeVisible()
    const all = page.getByRole('button', { name: 'Mark all as read', exact: true })
    // The button goes when nothing is left, which the press before may have brought about.
    await expect(async () => {
      if (await all.isEnabled()) await all.click({ timeout: 2_000 })
      await expect(page.getByText('All caught up!')).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })

  await test.step('hours are set in which offers may come', async () => {
    await page.goto(paths.settings('availability'))
    await page.getByRole('radio', { name: /Ask me only between/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await hasShown(page, 'Availability saved')
    await page.getByRole('radio', { name: 'At any time' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('You can be asked at any hour.')).toBeVisible()
  })

  await test.step('review cards are shown with their receipts, and hidden again', async () => {
    await page.goto(paths.reviewCards())
    const cards = page
      .getByRole('list', { name: 'Your products' })
      .getByRole('listitem')
      .filter({ hasText: /\d reviews? (to show|shown)\./ })
      .first()
    const shown = cards.getByRole('switch')
    await shown.click()
    const code = await cards.getByLabel('HTML for your site').textContent()
    const [link, picture] = ['href', 'src'].map(
      (name) => new RegExp(`${name}="([^"]+)"`).exec(code ?? '')?.[1],
    )
    const svg = await page.request.get(picture ?? '')
    expect(await svg.text()).toMatch(/review exchange/)
    const visitor = await openBrowser(browser, product)
    await visitor.goto(link ?? '')
    await visitor
      .getByRole('link', { name: /receipt/i })
      .first()
      .click()
    await expect(visitor.getByText(/verified purchase/i).first()).toBeVisible()
    await expect(visitor.getByRole('main')).not.toContainText(/anna/i)
    await closeBrowser(visitor)
    await shown.click()
    await expect.poll(async () => (await page.request.get(link ?? '')).status()).toBe(404)
  })
  await closeBrowser(page)
})

/** Presses the button of this name, and reads the file that it saves. */
async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}
