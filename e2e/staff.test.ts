// A morning of our staff: support and an admin, and two members, each in a browser of their own.
import type { Browser, Page } from '@playwright/test'
import { demoPassword } from '#db/seed/cast.ts'
import { paths } from '#web/paths.ts'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { ada, enterStaffArea, sam } from './staff.ts'
import { signIn } from './steps.ts'

test('support answers a member’s message by keyboard, and the member reads the answer', async ({
  browser,
  product,
}) => {
  const [member, staff] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  const subject = 'The date on my receipt'
  await signIn(member, product, 'grete@evenhand.example', demoPassword)
  await member.goto(paths.support())
  await member.getByLabel('Category').click()
  await member.getByRole('option', { name: 'Something else' }).click()
  await member.getByLabel('Subject').fill(subject)
  await member
    .getByRole('textbox', { name: 'Message' })
    .fill('It shows yesterday. Does that matter for the proof?')
  await member.getByRole('button', { name: /^Send|^Submit/ }).click()
  await hasShown(member, 'Support request submitted successfully')

  await enterStaffArea(staff, product, sam)
  await staff.getByRole('link', { name: 'Support', exact: true }).click()
  await expect(staff.getByRole('link', { name: subject })).toBeVisible()
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { name: subject, level: 1 })).toBeVisible()
  await staff.keyboard.press('a')
  await hasShown(staff, 'Assigned to you')
  await staff.keyboard.press('r')
  await staff.keyboard.type('No. The day before counts too, as long as the order is yours.')
  await staff.keyboard.press('Control+Enter')
  await hasShown(staff, 'Answer sent')
  await staff.keyboard.press('Escape')
  await staff.getByRole('button', { name: 'Resolve', exact: true }).click()
  await hasShown(staff, 'Message marked as resolved')

  await member.goto(paths.support())
  await member.getByRole('link', { name: new RegExp(subject) }).click()
  await expect(member.getByText('The day before counts too')).toBeVisible()
  const mail = await fetch(`${product.origin}/dev/mail.json?to=grete@evenhand.example`)
  expect(await mail.text()).toContain('The day before counts too')
  await close(member, staff)
})

test('an admin gives a role with a reason, and the member it is about is signed out', async ({
  browser,
  product,
}) => {
  const [member, staff] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  await signIn(member, product, 'noor@evenhand.example', demoPassword)
  await enterStaffArea(staff, product, ada)
  await staff.getByPlaceholder('Search by email, name, or role...').fill('noor@')
  await expect(staff.getByText(/^Showing 1 of \d+ users$/)).toBeVisible()
  await staff.getByLabel('Role of noor@evenhand.example').click()
  await staff.getByRole('option', { name: 'Support' }).click()
  await staff.getByLabel('Reason').fill('Helps us on Tuesdays.')
  await staff.getByRole('button', { name: 'Change role' }).click()
  await hasShown(staff, 'User role updated')

  await member.goto(paths.dashboard())
  await expect(member).toHaveURL(/\/signin/)
  await staff.getByRole('link', { name: 'noor@evenhand.example' }).click()
  await staff.getByRole('tab', { name: 'Staff actions' }).click()
  await expect(staff.getByText('Helps us on Tuesdays.').first()).toBeVisible()
  await close(member, staff)
})

test('a report is decided by one of the staff without the stars, and the appeal by another', async ({
  browser,
  product,
}) => {
  const { seller, received } = await sellerWithReview(browser, product)
  const [first, second] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])

  await test.step('a seller reports a review that they received', async () => {
    await seller.goto(paths.receivedReview(received))
    await seller.getByRole('button', { name: 'Report this review' }).click()
    const dialog = seller.getByRole('dialog', { name: 'Report this review' })
    await dialog.getByRole('radio').first().check()
    await dialog.getByLabel('What did you find?').fill('It is about a calendar, and I sell a budget sheet.')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await expect(dialog).toBeHidden()
    await expect(seller.getByText('Your report').first()).toBeVisible()
  })

  await test.step('Sam dismisses it as without basis, and never gets the rating', async () => {
    const answers: Promise<string>[] = []
    first.on('response', (response) => {
      if (response.url().includes('/api/admin/moderation')) answers.push(response.text().catch(() => ''))
    })
    await enterStaffArea(first, product, sam)
    await first.getByRole('link', { name: 'Moderation', exact: true }).click()
    await first
      .getByRole('main')
      .getByRole('link', { name: /Review of / })
      .last()
      .click()
    await expect(first.getByText('It is about a calendar')).toBeVisible()
    await first.keyboard.press('t')
    await expect(first.getByRole('button', { name: 'Give it back' })).toBeVisible()
    await first.getByRole('radio', { name: /Dismiss/ }).check()
    await first.getByLabel('What it is based on').fill('The text describes the sheet and its columns.')
    await first.getByRole('checkbox', { name: /The report had no basis/ }).check()
    await first.getByRole('button', { name: 'Send decision' }).click()
    await hasShown(first, 'Decision sent')
    expect((await Promise.all(answers)).join(' ')).not.toMatch(/"(rating|stars)"/)
  })

  await test.step('the seller reads the reasons and appeals', async () => {
    await seller.goto(paths.moderation())
    await seller.getByRole('link', { name: 'Read the decision' }).first().click()
    await expect(seller.getByText('The text describes the sheet')).toBeVisible()
    await seller.getByRole('textbox').fill('I read it again and still find nothing about my sheet.')
    await seller.getByRole('button', { name: /appeal/i }).click()
    await hasShown(seller, 'Appeal sent')
  })

  await test.step('the appeal is not Sam’s to decide, and Ada reverses the decision', async () => {
    await first.goto(paths.adminCases('appeals'))
    await first
      .getByRole('main')
      .getByRole('link', { name: /Review of / })
      .first()
      .click()
    await expect(first.getByText(/another member of staff decides about the appeal/)).toBeVisible()
    await enterStaffArea(second, product, ada)
    await second.goto(paths.adminCases('appeals'))
    await second
      .getByRole('main')
      .getByRole('link', { name: /Review of / })
      .first()
      .click()
    await second.getByRole('radio', { name: /Reverse the decision/ }).check()
    await second.getByLabel('What it is based on').fill('The report had a reason, although the review stays.')
    await second.getByRole('button', { name: 'Send decision' }).click()
    await hasShown(second, 'Decision sent')
    await seller.reload()
    await expect(seller.getByText('The report had a reason')).toBeVisible()
  })
  await close(seller, first, second)
})

test('closing a marketplace holds its requests at once, and opening it again resumes them', async ({
  browser,
  product,
}) => {
  const [member, staff] = await Promise.all([openBrowser(browser, product), openBrowser(browser, product)])
  await signIn(member, product, 'ulla@evenhand.example', demoPassword)
  await enterStaffArea(staff, product, ada)
  await staff.getByRole('link', { name: 'Marketplaces', exact: true }).click()
  await staff.getByRole('link', { name: 'Maker Lane' }).click()
  await staff.getByRole('button', { name: 'Close', exact: true }).click()
  await staff.getByRole('radio', { name: /Finish privately/ }).check()
  await staff.getByLabel('Reason').fill('The marketplace changed its policy today.')
  await staff.getByRole('button', { name: 'Close the marketplace' }).click()
  await hasShown(staff, 'Maker Lane is closed')

  await member.goto(paths.notifications())
  await expect(member.getByText('The marketplace changed its policy today.').first()).toBeVisible()

  await staff.getByRole('button', { name: 'Open again', exact: true }).click()
  await staff.getByRole('radio', { name: /Public/ }).check()
  await staff.getByLabel('Reason').fill('The policy was explained to us.')
  await staff.getByRole('dialog').getByRole('button', { name: 'Open the marketplace' }).click()
  await hasShown(staff, 'Maker Lane is open')
  await close(member, staff)
})

/** A member who is signed in and has a final review of the last weeks, which may still be reported. */
async function sellerWithReview(browser: Browser, product: Product) {
  for (const name of ['anna', 'ben', 'clara', 'grete', 'ulla', 'tariq', 'petra', 'olu', 'rafi']) {
    const seller = await openBrowser(browser, product)
    await signIn(seller, product, `${name}@evenhand.example`, demoPassword)
    const { items } = await read<{ items: { id: string; verifiedAt: string | null }[] }>(
      seller,
      'received-reviews',
    )
    const since = Date.now() - 29 * 86_400_000
    for (const { id, verifiedAt } of items) {
      if (verifiedAt === null || Date.parse(verifiedAt) < since) continue
      const reports = await read<{ items: unknown[] }>(seller, `reports?reviewId=${id}`)
      if (reports.items.length === 0) return { seller, received: id }
    }
    await closeBrowser(seller)
  }
  throw new Error('No seller of the demo has a review of the last weeks.')
}

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(`/api/${path}`)).json()
}

async function close(...pages: Page[]) {
  await Promise.all(pages.map(closeBrowser))
}
