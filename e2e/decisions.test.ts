// Each decision about a review, and an appeal: two members and two of our staff, each in a browser.
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { paths } from '#web/paths.ts'
import { closeBrowser, hasShown, newContext, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { openSession } from './screens.ts'
import { ada, enterStaffArea, sam } from './staff.ts'

test('a review is reported five times: each decision, an answer to each return, and an appeal', async ({
  browser,
  product,
}) => {
  const { seller, writer, review, email } = await finalReview(browser, product)
  const [first, second] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  const finding = 'The text names the seller by their full name.'
  const entries = () => Promise.all([seller, writer].map((page) => entriesOf(page, review)))
  const before = await entries()
  await enterStaffArea(first, product, sam)

  await test.step('Sam dismisses the first report, and the seller reads it', async () => {
    await report(seller, review, { reason: /copied/i, explanation: 'I have seen these sentences elsewhere.' })
    await openCase(first, 'I have seen these sentences elsewhere.')
    await take(first)
    await decide(first, { outcome: /^Dismiss/, finding: 'No other review has these sentences.' })
    await seller.reload()
    await expect(seller.getByText('We found that no rule was broken.')).toBeVisible()
    await expect(seller.getByText('No other review has these sentences.')).toBeVisible()
  })

  await test.step('the second ends in a sanction alone: the review stays, a reminder is sent', async () => {
    await report(seller, review, { reason: /abusive/i, explanation: 'It calls me names in its last line.' })
    await openCase(first, 'It calls me names in its last line.')
    await take(first)
    await decide(first, {
      outcome: /^Sanction alone/,
      rule: /insult/i,
      finding: 'Its last line is an insult.',
    })
    await writer.goto(paths.moderation('decisions'))
    await writer.getByRole('link', { name: 'Read or appeal' }).first().click()
    await expect(writer.getByText(/This is a reminder/)).toBeVisible()
  })

  await test.step('the third one is returned, and its writer edits it: the case is closed', async () => {
    await report(seller, review, { reason: /sign of use/, explanation: 'Nothing says what it was used for.' })
    await openCase(first, 'Nothing says what it was used for.')
    await take(first)
    await decide(first, {
      outcome: /Return for an edit/,
      rule: /own use/,
      finding: 'It does not name a use.',
    })
    await writer.goto(paths.review(review))
    const text = writer.getByLabel('Review', { exact: true })
    await text.fill(`${await text.inputValue()} I planned three weeks with it and printed two of the pages.`)
    const posted = writer.getByRole('checkbox', { name: /reads like this now/ })
    if (await posted.isVisible()) await posted.check()
    await writer.getByRole('button', { name: 'Save the edit' }).click()
    await hasShown(writer, 'Review edited')
    await first.reload()
    await expect(first.getByRole('button', { name: 'Send decision' })).toBeHidden()
    await seller.goto(paths.receivedReview(review))
    await expect(seller.getByText(/printed two of the pages/).first()).toBeVisible()
  })

  await test.step('the fourth one removes it and suspends its writer until a day', async () => {
    await report(seller, review, {
      reason: /unlawful/,
      explanation: 'It has whole pages of a protected work.',
    })
    await openCase(first, 'It has whole pages of a protected work.')
    await take(first)
    await decide(first, {
      outcome: /^Remove/,
      rule: /is lawful/,
      finding: 'It has pages of a work that is protected.',
      sanction: /And the next step of the sanctions/,
      serious: true,
    })
    await writer.goto(paths.review(review))
    await writer.getByRole('link', { name: 'Read the reasons and appeal' }).click()
    await expect(writer.getByText(/suspended for 14 days/)).toBeVisible()
    await seller.reload()
    await expect(seller.getByText(/printed two of the pages/)).toHaveCount(0)
  })

  await test.step('on appeal Ada reverses it: the review stands and the suspension is lifted', async () => {
    await writer.getByLabel('Why is the decision wrong?').fill('I wrote each sentence of it on my own.')
    await writer.getByRole('button', { name: 'Send appeal' }).click()
    await hasShown(writer, 'Appeal sent')
    await first.reload()
    await expect(first.getByText('You made the decision, so another member of staff decides')).toBeVisible()
    await enterStaffArea(second, product, ada)
    await second.goto(first.url())
    await take(second)
    await second.getByRole('radio', { name: /^Reverse the decision/ }).check()
    await second.getByLabel('What it is based on').fill('It has one short quotation, which is lawful.')
    await second.getByRole('button', { name: 'Send decision' }).click()
    await hasShown(second, 'Decision sent')
    await writer.reload()
    await expect(writer.getByText(/An appeal reversed it on/)).toBeVisible()
    await expect(writer.getByText(/suspended until/i)).toHaveCount(0)
    await seller.reload()
    await expect(seller.getByText(/printed two of the pages/).first()).toBeVisible()
    expect(await entries()).toEqual(before)
  })

  await test.step('the fifth one is returned again', async () => {
    await report(seller, review, {
      reason: /personal data/,
      explanation: 'My full name stands in the second sentence.',
    })
    await openCase(first, 'My full name stands in the second sentence.')
    await take(first)
    await decide(first, { outcome: /Return for an edit/, rule: /personal data/, finding })
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
    await second.goto(address)
    await expect(second.getByText(finding).first()).toBeVisible()
    await take(second)
    await decide(second, {
      outcome: /^Remove/,
      rule: /personal data/,
      finding,
      sanction: /And the next step of the sanctions/,
    })
  })

  await test.step('the writer reads the reasons in the product and by mail', async () => {
    await writer.goto(paths.review(review))
    await writer.getByRole('link', { name: 'Read the reasons and appeal' }).click()
    await expect(writer.getByText(finding)).toBeVisible()
    await expect(writer.getByText(/This is a warning/)).toBeVisible()
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
  await Promise.all([seller, writer, first, second].map(closeBrowser))
})

/** The seller reports a review of theirs. */
async function report(page: Page, review: string, said: { reason: RegExp; explanation: string }) {
  await page.goto(paths.receivedReview(review))
  await page.getByRole('button', { name: 'Report this review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this review' })
  await dialog.getByRole('radio', { name: said.reason }).check()
  await dialog.getByLabel('What did you find?').fill(said.explanation)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog).toBeHidden()
}

async function take(page: Page) {
  await expect(page.getByRole('button', { name: /^Take (this case|it over)$/ })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByRole('button', { name: 'Give it back' })).toBeVisible()
}

type Decision = { outcome: RegExp; rule?: RegExp; finding: string; sanction?: RegExp; serious?: true }

async function decide(page: Page, { outcome, rule, finding, sanction, serious }: Decision) {
  await page.getByRole('radio', { name: outcome }).check()
  if (rule) {
    await page.getByRole('combobox', { name: 'Rule' }).click()
    await page.getByRole('option', { name: rule }).click()
  }
  await page.getByLabel('What it is based on').fill(finding)
  if (sanction) await page.getByRole('checkbox', { name: sanction }).check()
  if (serious) await page.getByRole('checkbox', { name: 'A serious breach' }).check()
  await page.getByRole('button', { name: 'Send decision' }).click()
  await hasShown(page, 'Decision sent')
}

/** Opens the case whose report says this. */
async function openCase(page: Page, explanation: string) {
  await page.goto(new URL(paths.adminCases(), page.url()).href)
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
  const members = new Map<string, BrowserContext>()
  for (const name of names) {
    const storageState = await openSession(browser, product.origin, name)
    members.set(name, await newContext(browser, product, { storageState }))
  }
  const found = await reportableReview(members)
  const [seller, writer] = await Promise.all(
    [found.seller, found.writer].map(async (name) =>
      openBrowser(browser, product, { cookies: (await members.get(name)?.cookies()) ?? [] }),
    ),
  )
  await Promise.all([...members.values()].map((context) => context.close()))
  if (!seller || !writer) throw new Error('A member of the demo has no browser.')
  return { seller, writer, review: found.review, email: `${found.writer}@evenhand.example` }
}

async function reportableReview(members: ReadonlyMap<string, BrowserContext>) {
  const since = Date.now() - 25 * 86_400_000
  for (const [seller, context] of members) {
    type Received = { items: { id: string; verifiedAt: string | null }[] }
    const { items } = await read<Received>(context, 'received-reviews')
    for (const { id: review, verifiedAt } of items) {
      if (verifiedAt === null || Date.parse(verifiedAt) < since) continue
      const writer = await writerOf(members, review, seller)
      if (writer) return { seller, writer, review }
    }
  }
  throw new Error('No member of the demo has a final review that may be reported.')
}

async function writerOf(members: ReadonlyMap<string, BrowserContext>, review: string, seller: string) {
  for (const [name, { request }] of members) {
    if (name !== seller && (await request.get(`/api/reviews/${review}`)).ok()) return name
  }
  return undefined
}

/** A member's entries in the ledger for a review. Others come in meanwhile, as the demo goes on. */
async function entriesOf(page: Page, review: string) {
  type Ledger = { items: { reason: string; delta: number; exchange: { reviewId: string } | null }[] }
  const { items } = await read<Ledger>(page, 'ledger')
  const found = items.filter(({ exchange }) => exchange?.reviewId === review)
  expect(found.length).toBeGreaterThan(0)
  return found.map(({ reason, delta }) => ({ reason, delta }))
}

async function read<T>(page: Pick<Page, 'request'>, path: string): Promise<T> {
  return (await page.request.get(`/api/${path}`)).json()
}
