import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { productRefusals } from '#contract/products.ts'
import { AddProductDialog } from './add-product-dialog.tsx'
import { answerWith, makerLane, planner, refusing, show } from './testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const link = 'https://makerlane.example/listing/77?coupon=EVEN'

async function open(answers: Record<string, unknown> = {}) {
  const all: Record<string, unknown> = {
    'GET /products': [planner],
    'GET /marketplaces': [makerLane],
    'POST /products': Response.json({ ...planner, title: 'Linen blocks' }, { status: 201 }),
    ...answers,
  }
  const sent = answerWith(all)
  const onClose = vi.fn()
  const onConnected = vi.fn()
  await show(<AddProductDialog open onClose={onClose} onConnected={onConnected} />)
  // The help text names the marketplaces' prices, so they have loaded once it shows.
  await expect.element(page.getByText(/\$0\.00 or \$0\.50/)).toBeVisible()
  return { answers: all, sent, onClose, onConnected }
}

const field = {
  name: () => page.getByLabelText('Product name'),
  link: () => page.getByLabelText('Coupon link', { exact: true }),
  connect: () => page.getByRole('button', { name: 'Connect product' }),
}

async function chooseCategory() {
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Design' }).click()
}

async function fill(couponLink = link) {
  await field.name().fill('Linen blocks')
  await chooseCategory()
  await field.link().fill(couponLink)
}

async function choosePicture(content: BlobPart) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  await userEvent.upload(input ?? document.body, new File([content], 'cover.png', { type: 'image/png' }))
}

async function aPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(2, 2)
  canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
  return canvas.convertToBlob()
}

/** The refusal as an alert names it, and its text at the field. */
async function expectRefusal(title: string, text: string) {
  const alert = page.getByRole('alert').filter({ hasText: title })
  await expect.element(alert.getByText(title, { exact: true })).toBeVisible()
  await expect.element(alert.getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByText(text, { exact: true }).last()).toBeVisible()
  await expect.poll(() => page.getByText(text, { exact: true }).elements().length).toBe(2)
}

async function expectInvalidLink(why: string) {
  await expect.element(page.getByText('Invalid Maker Lane link')).toBeVisible()
  await expect
    .element(page.getByText('Please enter a valid Maker Lane coupon link', { exact: true }))
    .toBeVisible()
  await expect.element(page.getByText(why, { exact: true })).toBeVisible()
}

test('the four checks run in order, each with its own message', async () => {
  const { sent, onClose } = await open({
    'POST /products': refusing('INVALID_LINK', 400, 'Please enter a valid Maker Lane coupon link'),
  })
  const posts = () => sent.filter(({ call }) => call === 'POST /products').length

  await field.connect().click()
  await expectRefusal('Product name required', 'Please enter a product name')

  await field.name().fill('   ')
  await field.connect().click()
  await expectRefusal('Product name required', 'Please enter a product name')

  await field.name().fill('Linen blocks')
  await field.connect().click()
  await expectRefusal('Category required', 'Please select a product category')

  await chooseCategory()
  expect(posts()).toBe(0)
  await field.connect().click()
  await expectInvalidLink('Copy the whole link: it starts with https://.')
  // The failed attempt reaches the server, which keeps a record of it.
  expect(posts()).toBe(1)

  await field.link().fill('https://www.makerlane.example/listing/1/?coupon=EVEN&utm_source=mail')
  await field.connect().click()
  await expectRefusal('Duplicate product', 'This coupon link is already connected')
  expect(posts()).toBe(1)
  expect(onClose).not.toHaveBeenCalled()
})

test('a demo club fills in an example, and doesn’t lead to a policy that is nowhere', async () => {
  const needsConsent = { ...makerLane, consented: false }
  document.documentElement.setAttribute('data-demo', '')
  try {
    await open({ 'GET /marketplaces': [needsConsent] })
    await page.getByRole('button', { name: 'Use an example' }).click()
    await expect.element(page.getByText('Verified Link')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Use an example' })).not.toBeInTheDocument()
    await field.name().fill('Linen blocks')
    await chooseCategory()
    await field.connect().click()
    await expect.element(page.getByText(makerLane.policySentence)).toBeVisible()
    await expect.element(page.getByRole('link', { name: /policy/ })).not.toBeInTheDocument()
  } finally {
    document.documentElement.removeAttribute('data-demo')
  }
})

test('Verified Link shows only while the typed link is a listing with its coupon', async () => {
  await open()
  const mark = page.getByText('Verified Link')
  for (const text of [
    'https://makerlane.example/listing/77',
    'https://makerlane.example/listing/77?coupon=',
    'https://makerlane.example/?coupon=EVEN',
    'https://makerlane.example/shop/77?coupon=EVEN',
    'https://makerlane.example/listing/77?coupon=EVEN&coupon=ODD',
    'https://makerlane.example.evil.test/listing/77?coupon=EVEN',
  ]) {
    await field.link().fill(link)
    await expect.element(mark).toBeVisible()
    await field.link().fill(text)
    await expect.element(mark).not.toBeInTheDocument()
  }
  await field.link().fill('https://makerlane.example/listing/77?coupon=E')
  await expect.element(mark).not.toBeInTheDocument()
  await userEvent.type(field.link(), 'VEN')
  await expect.element(mark).toBeVisible()
})

test.each([
  ['no https', 'makerlane.example/listing/77?coupon=EVEN', 'Copy the whole link: it starts with https://.'],
  ['another host', 'https://else.example/listing/77?coupon=EVEN', 'This link doesn’t lead to Maker Lane.'],
  [
    'no coupon',
    'https://makerlane.example/listing/77',
    'This link needs one coupon at its end: ?coupon= and your coupon’s code.',
  ],
  [
    'an empty coupon',
    'https://makerlane.example/listing/77?coupon=',
    'The coupon in this link isn’t one of Maker Lane’s.',
  ],
  [
    'another path',
    'https://makerlane.example/shop/77?coupon=EVEN',
    'This link doesn’t lead to a listing on Maker Lane.',
  ],
])(
  'a link with %s is refused, and the field says what is wrong until it is changed',
  async (_, text, why) => {
    await open({
      'POST /products': refusing('INVALID_LINK', 400, 'Please enter a valid Maker Lane coupon link', {
        field: 'couponLink',
        title: 'Invalid Maker Lane link',
      }),
    })
    await fill(text)
    await field.connect().click()
    await expectInvalidLink(why)
    await field.link().fill(link)
    await expect.element(page.getByText('Verified Link')).toBeVisible()
    await expect.element(page.getByText('Invalid Maker Lane link')).not.toBeInTheDocument()
    await expect.element(page.getByText(why)).not.toBeInTheDocument()
  },
)

test('a listing that another member has connected is refused at its field', async () => {
  const { LISTING_TAKEN } = productRefusals
  await open({
    'POST /products': refusing('LISTING_TAKEN', 409, LISTING_TAKEN.message, { field: 'couponLink' }),
  })
  await fill()
  await field.connect().click()
  await expectRefusal(LISTING_TAKEN.title, LISTING_TAKEN.message)
})

test('a link of a closed marketplace shows no Verified Link', async () => {
  await open({
    'GET /marketplaces': [makerLane, { ...makerLane, id: planner.id, host: 'shut.example', lane: 'closed' }],
  })
  await field.link().fill('https://shut.example/listing/1?coupon=EVEN')
  await expect
    .element(page.getByText('New products of this marketplace can’t be connected right now.'))
    .toBeVisible()
  await expect.element(page.getByText('Verified Link')).not.toBeInTheDocument()
})

test('connecting a product shows a toast, closes the dialog and opens the list', async () => {
  const { sent, onClose, onConnected } = await open()
  await fill()
  await page.getByRole('textbox', { name: /Price/ }).fill('12.5')
  await field.connect().click()
  await expect.element(page.getByText('Product connected successfully')).toBeVisible()
  await expect.element(page.getByText('Linen blocks is ready to receive verified reviews')).toBeVisible()
  expect(onClose).toHaveBeenCalledOnce()
  expect(onConnected).toHaveBeenCalledOnce()
  expect(sent.find(({ call }) => call === 'POST /products')?.body).toEqual({
    title: 'Linen blocks',
    category: 'design',
    couponLink: link,
    priceCents: 1250,
    couponCents: null,
    format: null,
    description: null,
    tags: [],
  })
})

test('an empty price is sent as no price, not as zero', async () => {
  const { sent } = await open()
  await fill()
  await field.connect().click()
  await expect.element(page.getByText('Product connected successfully')).toBeVisible()
  expect(sent.find(({ call }) => call === 'POST /products')?.body).toMatchObject({ priceCents: null })
})

test.each([
  ['without its own message', refusing('INTERNAL_SERVER_ERROR', 500, 'boom'), 'Failed to connect product'],
  [
    'with its own message',
    refusing(
      'TOO_MANY_LIVE',
      409,
      'You can have 10 products in the rotation at a time. Archive one to add another.',
    ),
    'You can have 10 products in the rotation at a time. Archive one to add another.',
  ],
])('a failure %s keeps everything that was typed', async (_, answer, message) => {
  const { onClose } = await open({ 'POST /products': answer })
  await fill()
  await field.connect().click()
  const alert = page.getByRole('alert').filter({ hasText: 'Connection failed' })
  await expect.element(alert).toHaveTextContent(`Connection failed${message}`)
  await expect.element(field.name()).toHaveValue('Linen blocks')
  await expect.element(field.link()).toHaveValue(link)
  expect(onClose).not.toHaveBeenCalled()
})

test('a duplicate that only the server finds is refused at its field', async () => {
  await open({
    'POST /products': refusing('DUPLICATE_PRODUCT', 409, 'This coupon link is already connected', {
      field: 'couponLink',
      title: 'Duplicate product',
    }),
  })
  await fill()
  await field.connect().click()
  await expectRefusal('Duplicate product', 'This coupon link is already connected')
  await expect.element(field.link()).toHaveFocus()
})

test('the marketplace notice is confirmed before the first product there', async () => {
  const { answers, sent } = await open({
    'GET /marketplaces': [{ ...makerLane, consented: false }],
    [`POST /marketplaces/${makerLane.id}/consent`]: { ok: true },
  })
  await fill()
  await field.connect().click()
  await expect.element(page.getByText(makerLane.policySentence)).toBeVisible()
  expect(sent.some(({ call }) => call.startsWith('POST'))).toBe(false)

  await field.connect().click()
  await expect
    .element(page.getByText('Confirm that you have read what the marketplace says about exchanged reviews.'))
    .toBeVisible()
  expect(sent.some(({ call }) => call.startsWith('POST'))).toBe(false)

  answers['GET /marketplaces'] = [makerLane]
  await page.getByRole('checkbox', { name: /I have read what Maker Lane says/ }).click()
  await field.connect().click()
  await expect.element(page.getByText('Product connected successfully')).toBeVisible()
  expect(sent.filter(({ call }) => call.startsWith('POST'))).toMatchObject([
    { call: `POST /marketplaces/${makerLane.id}/consent`, body: { policyVersion: 3 } },
    { call: 'POST /products' },
  ])
})

test('a double tap on Connect answers nothing of the marketplace notice', async () => {
  const { onClose } = await open({ 'GET /marketplaces': [{ ...makerLane, consented: false }] })
  await fill()
  await field.connect().dblClick()
  await expect.element(page.getByText(makerLane.policySentence)).toBeVisible()
  await expect.element(page.getByText(/^Confirm that you have read/)).not.toBeInTheDocument()
  await expect.element(page.getByText('Discard what you typed?')).not.toBeInTheDocument()
  // A press after that counts.
  const read = page.getByRole('checkbox', { name: /I have read what Maker Lane says/ })
  await read.click()
  await expect.element(read).toBeChecked()
  expect(onClose).not.toHaveBeenCalled()
})

test('at the marketplace notice, what was typed is not discarded without asking', async () => {
  await open({ 'GET /marketplaces': [{ ...makerLane, consented: false }] })
  await fill()
  await field.connect().click()
  await expect.element(page.getByText(makerLane.policySentence)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Discard what you typed?')).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(page.getByText(makerLane.policySentence)).toBeVisible()
})

test('a file that is no picture is refused when it is chosen', async () => {
  await open()
  await choosePicture('not a picture')
  await expect.element(page.getByText('Please choose a JPG or PNG image.')).toBeVisible()
  expect(page.getByText('cover.png').query()).toBeNull()
})

test('a negative price is refused and stays as typed', async () => {
  const { sent } = await open()
  await fill()
  const price = page.getByRole('textbox', { name: /Price/ })
  await price.fill('-5')
  await field.connect().click()
  await expect.element(page.getByText('Please enter a price of $0.00 or more')).toBeVisible()
  await expect.element(price).toHaveValue('-5.00')
  expect(sent.filter(({ call }) => call === 'POST /products')).toEqual([])
})

test('cents may follow a comma, and a text that is no price is refused and stays', async () => {
  const { sent } = await open()
  await fill()
  const price = page.getByRole('textbox', { name: /Price/ })
  await price.fill('12,50,1')
  await field.connect().click()
  await expect.element(page.getByText('Please enter a price like 12.50')).toBeVisible()
  await expect.element(price).toHaveValue('12,50,1')
  await price.fill('12,50')
  await field.connect().click()
  await expect.element(page.getByText('Product connected successfully')).toBeVisible()
  await expect.element(price).toHaveValue('12.50')
  expect(sent.find(({ call }) => call === 'POST /products')?.body).toMatchObject({ priceCents: 1_250 })
})

test('a refused picture shows a toast and leaves the product connected', async () => {
  const { onConnected } = await open({
    [`POST /products/${planner.id}/image`]: refusing(
      'UNREADABLE_IMAGE',
      400,
      'This image could not be read. Please choose another one.',
    ),
  })
  await fill()
  await choosePicture(await aPicture())
  await expect.element(page.getByText('cover.png')).toBeVisible()
  await field.connect().click()
  await expect.element(page.getByText('The picture was not uploaded')).toBeVisible()
  await expect.element(page.getByText(/This image could not be read\..* The product is saved/)).toBeVisible()
  expect(onConnected).toHaveBeenCalledOnce()
})

test('closing asks first when something was typed, and not otherwise', async () => {
  const { onClose } = await open()
  await field.name().fill('Linen')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(field.name()).toHaveValue('Linen')
  expect(onClose).not.toHaveBeenCalled()

  await field.name().fill('')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(onClose).toHaveBeenCalledOnce()
})
