import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { matchingRefusals } from '#contract/matching.ts'
import { ProductGrid } from './product-grid.tsx'
import { answerWith, planner, refusing, requestOf, show } from './testing.tsx'

afterEach(() => vi.unstubAllGlobals())

async function open(product = planner, answers: Record<string, unknown> = {}) {
  const sent = answerWith({ 'GET /products': [product], 'GET /marketplaces': [], ...answers })
  await show(<ProductGrid label="My Products" level={2} products={[product]} />)
  return sent
}

const details = () => page.getByRole('dialog', { name: planner.title })

test('the whole card opens the details', async () => {
  await open()
  await page.getByText('No description provided').click({ force: true })
  await expect.element(details()).toBeVisible()
})

test('Enter on the card opens the details, and Escape returns the focus to it', async () => {
  await open()
  const card = page.getByRole('button', { name: planner.title, exact: true })
  card.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(details()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(card).toHaveFocus()
})

test('three tags are shown, with the number of the others', async () => {
  await open({ ...planner, tags: ['a', 'b', 'c', 'd', 'e'] })
  await expect.element(page.getByRole('list', { name: 'Tags' })).toMatchTextContent(/^abc\+22 more$/)
})

test.each([
  [null, 'No price given'],
  [0, 'Free'],
  [1200, '$12.00'],
])('a price of %s cents reads “%s”', async (priceCents, text) => {
  await open({ ...planner, priceCents })
  await expect.element(page.getByRole('article', { name: planner.title })).toMatchTextContent(text)
})

test('figures without a value say so, and the others are counted', async () => {
  await open({ ...planner, rating: 4.61, reviews: 1, downloads: 2 })
  await expect
    .element(page.getByRole('list', { name: 'Figures' }))
    .toMatchTextContent(/4\.6 out of 5 stars, 1 review.*2 downloads.*No views yet/)
})

test('a description of more than 150 characters is cut until Show more is pressed', async () => {
  const description = 'word '.repeat(40).trim()
  await open({ ...planner, description })
  await page.getByRole('button', { name: planner.title, exact: true }).click()
  await expect.element(details()).toMatchTextContent(`${description.slice(0, 149)}…`)
  await details().getByRole('button', { name: 'Show more' }).click()
  await expect.element(details()).toMatchTextContent(description)
  await expect.element(details().getByRole('button', { name: 'Show less' })).toBeVisible()
})

test('Verified shows only on a product with a verified review', async () => {
  await open()
  await page.getByRole('button', { name: planner.title, exact: true }).click()
  await expect.element(details().getByText('Connected via Maker Lane coupon')).toBeVisible()
  await expect.element(details().getByText('Verified', { exact: true })).not.toBeInTheDocument()
})

test('the marketplace opens in a new tab that has no access to this one', async () => {
  await open()
  await page.getByRole('button', { name: planner.title, exact: true }).click()
  const link = details().getByRole('link', { name: 'View on marketplace' })
  await expect.element(link).toHaveAttribute('href', planner.couponLink)
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
})

async function choose(item: string) {
  await page.getByRole('button', { name: `More about ${planner.title}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a product being reviewed cannot be deleted, and the dialog offers to archive it', async () => {
  const sent = await open(planner, {
    [`DELETE /products/${planner.id}`]: refusing(
      'IN_REVIEW',
      409,
      'A member is reviewing this product. Archive it instead; the review continues.',
    ),
    [`POST /products/${planner.id}/archive`]: { ...planner, archived: true },
  })
  await choose('Delete')
  const asked = page.getByRole('alertdialog', { name: `Delete “${planner.title}”?` })
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect
    .element(asked.getByText('A member is reviewing this product. Archive it instead; the review continues.'))
    .toBeVisible()
  await asked.getByRole('button', { name: 'Archive instead' }).click()
  await expect.element(asked).not.toBeInTheDocument()
  expect(sent.map(({ call }) => call)).toContain(`POST /products/${planner.id}/archive`)
})

test.each(['queued', 'offered', 'held'] as const)(
  'a request that is %s can be withdrawn after a confirmation',
  async (status) => {
    const request = requestOf(status)
    const sent = await open(
      { ...planner, request },
      { [`POST /requests/${request.id}/cancel`]: { ok: true } },
    )
    await choose('Withdraw request')
    const asked = page.getByRole('alertdialog', { name: 'Withdraw request?' })
    await asked.getByRole('button', { name: 'Withdraw request' }).click()
    await expect.element(asked).not.toBeInTheDocument()
    expect(sent.map(({ call }) => call)).toContain(`POST /requests/${request.id}/cancel`)
  },
)

const tooFew = {
  code: 'NO_MEMBER_AVAILABLE',
  message: matchingRefusals.NO_MEMBER_AVAILABLE.message,
  at: null,
  alert: false,
}
const reviewed = { ...planner, request: requestOf('completed', planner.id), askRefusal: tooFew }
const addAlert = `POST /products/${planner.id}/ask-alert`

test('the menu of a reviewed product that too few could take again has its seller notified', async () => {
  const sent = await open(reviewed, { [addAlert]: { ok: true } })
  await choose('Notify Me')
  await expect.element(page.getByText('We’ll notify you when you can ask')).toBeVisible()
  expect(sent.map(({ call }) => call)).toContain(addAlert)
})

test('so do its details', async () => {
  await open(reviewed)
  await page.getByRole('button', { name: planner.title, exact: true }).click()
  await expect
    .element(details().getByRole('button', { name: 'Notify Me' }))
    .toHaveAccessibleDescription(tooFew.message)
  await expect.element(details().getByRole('paragraph').filter({ hasText: tooFew.message })).toBeVisible()
  await expect.element(details().getByRole('button', { name: /^Get Reviewed/ })).not.toBeInTheDocument()
})

test('a reviewed product whose seller is notified offers no second alert', async () => {
  await open({ ...reviewed, askRefusal: { ...tooFew, alert: true } })
  await page.getByRole('button', { name: planner.title, exact: true }).click()
  await expect
    .element(details().getByRole('button', { name: 'Get Reviewed again' }))
    .toHaveAccessibleDescription(`${tooFew.message} We’ll notify you when you can.`)
  await expect.element(details().getByRole('button', { name: 'Notify Me' })).not.toBeInTheDocument()
})
