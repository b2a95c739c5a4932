// A review is returned, stood by and removed: two members and two of our staff, each in a browser.
import type { Browser, Page } from '@playwright/test'
import { demoPassword } from '#db/seed/cast.ts'
import { paths } from '#web/paths.ts'
import { hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { ada, enterStaffArea, sam } from './staff.ts'
import { signIn } from './steps.ts'

test('a returned review is stood by, removed by a second person, and its writer is sanctioned', async ({
  browser,
  product,
}) => {
  const { seller, writer, review, email } = await finalReview(browser, product)
  const [first, second] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  const finding = 'The text names the seller by their full name.'

  await test.step('the seller reports it, and Sam returns it by the rule', async () => {
    await seller.goto(paths.receivedReview(review))
    await seller.getByRole('button', { name: 'Report this review' }).click()
    const dialog = seller.getByRole('dialog', { name: 'Report this review' })
    await dialog.getByRole('radio', { name: /personal data/ }).check()
    await dialog.getByLabel('What did you find?').fill('My full name stands in the second sentence.')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await expect(dialog).toBeHidden()

    await enterStaffArea(first, product, sam)
    await openCase(first, 'My full name stands in the second sentence.')
    await first.keyboard.press('t')
    await expect(first.getByRole('button', { name: 'Give it back' })).toBeVisible()
    await decide(first, { outcome: /Return for an edit/, finding })
  })

  await test.step('its writer reads why, and stands by it', async () => {
    await writer.goto(paths.review(review))
    await expect(writer.getByText('Your review was returned')).toBeVisible()
    await writer.getByRole('button', { name: 'I stand by it' }).click()
    const dialog = writer.getByRole('dialog', { name: 'Stand by your review' })
    await dialog.getByRole('textbox').fill('It is the name of the shop, which the listing shows to everyone.')
    await dialog.getByRole('button', { name: 'I stand by it' }).click()
    await hasShown(writer, 'A second person will look at it')
  })

  await test.step('the second look is not Sam’s, and Ada removes it with a sanction', async () => {
    const address = first.url()
    await first.reload()
    await expect(first.getByRole('button', { name: 'Send decision' })).toBeHidden()
    await enterStaffArea(second, product, ada)
    await second.goto(address)
    await expect(second.getByText(finding).first()).toBeVisible()
    await second.keyboard.press('t')
    await expect(second.getByRole('button', { name: 'Give it back' })).toBeVisible()
    await decide(second, {
      outcome: /^Remove/,
      finding,
      sanction: /And the next step of the sanctions/,
    })
  })

  await test.step('the writer reads the reasons in the product and by mail', async () => {
    await writer.goto(paths.review(review))
    await writer.getByRole('link', { name: 'Read the reasons and appeal' }).click()
    await expect(writer.getByText(finding)).toBeVisible()
    await expect(writer.getByText(/reminder/i).first()).toBeVisible()
    const mail = await fetch(`${product.origin}/dev/mail.json?to=${email}`)
    expect(await mail.text()).toContain(finding)
  })

  await test.step('the exchange and the member’s page show it, and no invariant is broken', async () => {
    await second.goto(`${paths.adminExchanges()}?search=${review}`)
    await second.getByRole('main').getByRole('table').getByRole('link').first().click()
    await expect(
      second
        .getByRole('list', { name: 'Timeline' })
        .getByText(/removed/i)
        .first(),
    ).toBeVisible()

    await second.goto(`${paths.adminUsers()}?search=${encodeURIComponent(email)}`)
    await second.getByRole('link', { name: email }).click()
    await second.getByRole('tab', { name: 'Staff actions' }).click()
    await expect(second.getByText(/case/i).first()).toBeVisible()

    await second.getByRole('link', { name: 'Activity Logs', exact: true }).click()
    await second
      .getByRole('searchbox')
      .or(second.getByPlaceholder(/Search/))
      .first()
      .fill(email)
    await expect(second.getByText(/^Showing \d+ of \d+ logs$/)).toBeVisible()

    await second.getByRole('link', { name: 'Health', exact: true }).click()
    await second.getByRole('button', { name: 'Run now' }).click()
    await hasShown(second, 'The check has started')
    await expect(second.getByText('All hold').first()).toBeVisible()
  })
  await Promise.all([seller, writer, first, second].map((page) => page.context().close()))
})

type Decision = { outcome: RegExp; finding: string; sanction?: RegExp }

async function decide(page: Page, { outcome, finding, sanction }: Decision) {
  await page.getByRole('radio', { name: outcome }).check()
  await page.getByRole('combobox', { name: 'Rule' }).click()
  await page.getByRole('option', { name: /personal data/ }).click()
  await page.getByLabel('What it is based on').fill(finding)
  if (sanction) await page.getByRole('checkbox', { name: sanction }).check()
  await page.getByRole('button', { name: 'Send decision' }).click()
  await hasShown(page, 'Decision sent')
}

/** Opens the case whose report says this. */
async function openCase(page: Page, explanation: string) {
  await page.getByRole('link', { name: 'Moderation', exact: true }).click()
  const cases = page.getByRole('main').getByRole('link', { name: /Review of / })
  await expect(cases.first()).toBeVisible()
  for (let place = (await cases.count()) - 1; place >= 0; place -= 1) {
    await cases.nth(place).click()
    await expect(page.getByRole('heading', { name: 'Decide', exact: true })).toBeVisible()
    if (await page.getByText(explanation).isVisible()) return
    await page.goBack()
    await expect(cases.first()).toBeVisible()
  }
  throw new Error('The report has no case.')
}

/** A final review of the demo that may still be reported, with its seller and its writer signed in. */
async function finalReview(browser: Browser, product: Product) {
  const names = ['petra', 'olu', 'rafi', 'tariq', 'ulla', 'grete', 'clara', 'ben', 'anna']
  const pages = new Map<string, Page>()
  for (const name of names) {
    const page = await openBrowser(browser, product)
    await signIn(page, product, `${name}@evenhand.example`, demoPassword)
    pages.set(name, page)
  }
  const since = Date.now() - 25 * 86_400_000
  for (const [name, seller] of pages) {
    const { items } = await read<{ items: { id: string; verifiedAt: string | null }[] }>(
      seller,
      'received-reviews',
    )
    for (const { id, verifiedAt } of items) {
      if (verifiedAt === null || Date.parse(verifiedAt) < since) continue
      const writerName = await writerOf(pages, id, name)
      const writer = writerName && pages.get(writerName)
      if (!writer) continue
      pages.delete(name)
      pages.delete(writerName)
      await Promise.all([...pages.values()].map((page) => page.context().close()))
      return { seller, writer, review: id, email: `${writerName}@evenhand.example` }
    }
  }
  throw new Error('No member of the demo has a final review that may be reported.')
}

async function writerOf(pages: Map<string, Page>, review: string, seller: string) {
  for (const [name, page] of pages) {
    if (name !== seller && (await page.request.get(`/api/reviews/${review}`)).ok()) return name
  }
  return undefined
}

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(`/api/${path}`)).json()
}
