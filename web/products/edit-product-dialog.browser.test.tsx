import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ProductCard as Product } from '#contract/products.ts'
import { EditProductDialog } from './edit-product-dialog.tsx'
import { answerWith, makerLane, planner, requestOf, show } from './testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const later = 'You can change this once the review is done.'
const fixedFields = [
  page.getByLabelText(/^Price with the coupon/),
  page.getByLabelText('Product name'),
  page.getByRole('combobox', { name: 'Category' }),
  page.getByRole('textbox', { name: /Price/ }),
  page.getByRole('combobox', { name: /File format/ }),
  page.getByLabelText('Coupon link', { exact: true }),
]

async function edit(request: Product['request']) {
  const product = { ...planner, request }
  const sent = answerWith({
    'GET /products': [product],
    'GET /marketplaces': [makerLane],
    [`PATCH /products/${planner.id}`]: product,
  })
  await show(<EditProductDialog product={product} open onClose={() => {}} />)
  await expect.element(page.getByRole('button', { name: 'Save changes' })).toBeVisible()
  return sent
}

test.each(['offered', 'in_review'] as const)(
  'name, category, prices, format and link of a product that is %s wait, with the reason beside them',
  async (status) => {
    const sent = await edit(requestOf(status))
    for (const field of fixedFields) await expect.element(field).toBeDisabled()
    expect(page.getByText(later).elements()).toHaveLength(fixedFields.length)
    await page.getByRole('textbox', { name: /Description/ }).fill('Twelve pages to print.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect
      .poll(() => sent.find(({ call }) => call.startsWith('PATCH'))?.body)
      .toMatchObject({
        title: planner.title,
        couponLink: planner.couponLink,
        description: 'Twelve pages to print.',
      })
  },
)

test('a product that waits may change, and says when another listing ends its request', async () => {
  await edit(requestOf('queued'))
  for (const field of fixedFields) await expect.element(field).toBeEnabled()
  const ends = page.getByText('Verified Link. This is a different listing, so your review request will end.')
  const link = page.getByLabelText('Coupon link', { exact: true })
  await link.fill('https://makerlane.example/listing/1?coupon=OTHER')
  await expect.element(page.getByText('Verified Link', { exact: true })).toBeVisible()
  await link.fill('https://makerlane.example/listing/2?coupon=EVEN')
  await expect.element(ends).toBeVisible()
})
