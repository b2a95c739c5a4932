import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Tally } from '#contract/staff/lists.ts'
import type { RegisterEntry, RegisterRow } from '#contract/staff/marketplaces.ts'
import { ada, answerBy, open, refusal } from '#web/shell/testing.tsx'

const id = '00000000-0000-4000-8000-000000000050'
const entry: RegisterEntry['entry'] = {
  name: 'Fernmarkt',
  host: 'fernmarkt.example',
  imageHosts: [],
  lane: 'public',
  policyUrl: 'https://fernmarkt.example/policy',
  policySentence: 'Reviews between sellers are fine when they say so.',
  readBy: 'ada',
  readOn: '2026-08-01',
  nextCheckOn: '2026-11-01',
  couponPrices: [0, 50],
  verifiedPurchaseWord: 'Bought here',
  disclosure: 'I belong to a review exchange and bought this with a discount code.',
  disclosures: { de: 'Ich gehöre zu einem Rezensionstausch und hatte einen Gutschein.' },
  listingPaths: ['/listing/{id}'],
  listingIdForm: '[0-9]{1,12}',
  couponParameter: 'coupon',
  couponForms: ['EVEN'],
  orderPattern: '^0*([1-9][0-9]{0,19})$',
}
const exactly = (count: number): Tally => ({ count, is: 'exact' })
const figures = {
  products: { count: 10_000, is: 'atLeast' } as const,
  sellers: exactly(5),
  openRequests: exactly(3),
  openOffers: exactly(1),
  inProgress: exactly(2),
}
const found: RegisterEntry = {
  id,
  version: 2,
  policyVersion: 1,
  lane: 'public',
  overdueDays: 21,
  entry,
  ...figures,
  bought: exactly(1),
  consents: exactly(4),
  closure: null,
  versions: [
    {
      version: 1,
      policyVersion: 1,
      lane: 'public',
      entry: { ...entry, name: 'Fern Market' },
      replacedAt: '2026-08-01T09:00:00.000Z',
      action: 'marketplace_edited',
      by: 'ada',
      reason: 'They renamed themselves.',
    },
  ],
}
const row: RegisterRow = {
  id,
  name: 'Fernmarkt',
  host: 'fernmarkt.example',
  lane: 'public',
  readOn: '2026-08-01',
  readBy: 'ada',
  nextCheckOn: '2026-11-01',
  overdueDays: 21,
  ...figures,
}
const otherId = '00000000-0000-4000-8000-000000000051'

let role: 'support' | 'admin'
let answers: Record<string, unknown>
let sent: { call: string; body: unknown }[]

beforeEach(() => {
  role = 'admin'
  sent = []
  answers = {
    'GET admin/marketplaces': [row, { ...row, id: otherId, name: 'Other Market', overdueDays: -30 }],
    [`GET admin/marketplaces/${id}`]: found,
    [`GET admin/marketplaces/${otherId}`]: found,
  }
  answerBy(async (call, request) => {
    if (call === 'GET me') return Response.json({ ...ada, role, twoFactor: true })
    if (request.method !== 'GET') sent.push({ call, body: await request.clone().json() })
    const answer = answers[call]
    if (answer instanceof Response) return answer.clone()
    return answer === undefined ? new Response('{}', { status: 404 }) : Response.json(answer)
  })
})
afterEach(() => vi.unstubAllGlobals())

const bodyOf = (call: string) => sent.find((one) => one.call === call)?.body

test('the register says what is overdue, and j and Enter open a marketplace', async () => {
  const { router } = await open('/admin/marketplaces')
  await expect.element(page.getByText('A policy is to be read again')).toBeVisible()
  await expect.element(page.getByText('Overdue by 21 days')).toBeVisible()
  await userEvent.keyboard('jj{Enter}')
  await expect.poll(() => router.state.location.pathname).toBe(`/admin/marketplaces/${otherId}`)
})

test('an empty register says what follows from it', async () => {
  answers['GET admin/marketplaces'] = []
  await open('/admin/marketplaces')
  await expect.element(page.getByText('No marketplace is listed yet')).toBeVisible()
})

test('a register that fails can be asked again', async () => {
  answers['GET admin/marketplaces'] = new Response('{}', { status: 400 })
  await open('/admin/marketplaces')
  await expect.element(page.getByText('Marketplaces could not be loaded')).toBeVisible()
  answers['GET admin/marketplaces'] = [row]
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('link', { name: 'Fernmarkt' })).toBeVisible()
})

test('support reads an entry with its versions, and gets no button that changes it', async () => {
  role = 'support'
  await open(`/admin/marketplaces/${id}`)
  await expect.element(page.getByRole('heading', { name: 'Fernmarkt' })).toBeVisible()
  await expect.element(page.getByText('Entry changed by ada')).toBeVisible()
  await expect.element(page.getByText('10,000+')).toBeVisible()
  expect(page.getByRole('button', { name: 'Close' }).query()).toBeNull()
  expect(page.getByRole('link', { name: 'Change' }).query()).toBeNull()
})

test('closing needs a choice for the reviews in progress and a reason', async () => {
  answers[`POST admin/marketplaces/${id}/close`] = { ok: true }
  await open(`/admin/marketplaces/${id}`)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Close Fernmarkt?' })
  await dialog.getByRole('button', { name: 'Close the marketplace' }).click()
  await expect.element(dialog.getByText('Choose what becomes of the reviews in progress.')).toBeVisible()
  await expect.element(dialog.getByText('Give a reason of at least 10 characters.')).toBeVisible()
  await dialog.getByRole('radio', { name: 'End without fault' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Their policy changed.')
  await dialog.getByRole('button', { name: 'Close the marketplace' }).click()
  await expect.element(page.getByText('Fernmarkt is closed')).toBeVisible()
  expect(bodyOf(`POST admin/marketplaces/${id}/close`)).toEqual({
    reason: 'Their policy changed.',
    reviews: 'end',
  })
})

const message = 'Please enter a valid Fernmarkt coupon link'
const refused = {
  host: 'fernmarkt.example',
  listing: null,
  coupon: null,
  link: null,
  marketplace: 'Fernmarkt',
  refusal: { title: 'Invalid Fernmarkt link', message, cause: 'The coupon has none of the forms.' },
}

test('a link is read with the entry as it is typed, before it is saved', async () => {
  answers['POST admin/marketplaces/read-link'] = refused
  await open(`/admin/marketplaces/${id}/edit`)
  await page.getByRole('textbox', { name: 'Coupon forms' }).fill('ODD')
  await page
    .getByRole('textbox', { name: 'How would this link be read?' })
    .fill('https://fernmarkt.example/listing/7?coupon=EVEN')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(page.getByText('The coupon has none of the forms.')).toBeVisible()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.body).toMatchObject({ id, entry: { couponForms: ['ODD'] } })
})

test('the page of a marketplace reads a link with its entry', async () => {
  answers['POST admin/marketplaces/read-link'] = refused
  await open(`/admin/marketplaces/${id}`)
  await page
    .getByRole('textbox', { name: 'How would this link be read?' })
    .fill('https://fernmarkt.example/listing/7?coupon=EVEN')
  await page.getByRole('button', { name: 'Read the link' }).click()
  await expect.element(page.getByText('The coupon has none of the forms.')).toBeVisible()
})

test('an entry is checked field by field, and saved with the version that was read', async () => {
  answers[`PUT admin/marketplaces/${id}`] = { id, version: 3 }
  await open(`/admin/marketplaces/${id}/edit`)
  await page.getByRole('textbox', { name: 'Coupon forms' }).fill('(a+)+')
  await page.getByRole('textbox', { name: 'Coupon prices' }).fill('free')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText(/Use letters, digits, hyphens/)).toBeVisible()
  await expect.element(page.getByText('Write prices in dollars, such as 0.00, 0.50.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Coupon forms' }).fill('EVEN\n[A-Z]{3,8}')
  await page.getByRole('textbox', { name: 'Coupon prices' }).fill('0, $0.50')
  await page.getByLabelText('Next check').fill('2026-10-30')
  await page.getByRole('textbox', { name: 'Reason' }).fill('New kinds of coupons.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('Entry saved')).toBeVisible()
  expect(bodyOf(`PUT admin/marketplaces/${id}`)).toMatchObject({
    version: 2,
    reason: 'New kinds of coupons.',
    entry: { couponForms: ['EVEN', '[A-Z]{3,8}'], couponPrices: [0, 50], disclosures: entry.disclosures },
  })
})

test('a host on the list is refused at its field', async () => {
  answers['POST admin/marketplaces'] = refusal('MARKETPLACE_EXISTS', 409, 'Another one has this host.', {
    field: 'host',
  })
  await open('/admin/marketplaces/new')
  const fill = (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text)
  await fill('Name', 'Fernmarkt')
  await fill('Host', 'fernmarkt.example')
  await fill('Its word for a verified purchase', 'Bought here')
  await fill('Address of the policy', 'https://fernmarkt.example/policy')
  await fill('The sentence the club relies on', entry.policySentence)
  await page.getByRole('radio', { name: 'Public' }).click()
  await fill('Reason', 'Members asked for it.')
  await page.getByRole('button', { name: 'Add marketplace' }).click()
  await expect.element(page.getByText('Another one has this host.')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Host', exact: true })).toHaveFocus()
})
