import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Exchange, ExchangeRow } from '#contract/staff/exchanges.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

const id = (n: number) => `0192f0c0-0000-7000-8000-${String(n).padStart(12, '0')}`
const seller = { id: id(2), name: 'anna', email: 'anna@mail.example' }
const reviewer = { id: id(3), name: 'ben', email: 'ben@mail.example' }
const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`

const row = (n: number, product: string): ExchangeRow => ({
  id: id(n),
  state: 'reviewed',
  product,
  seller,
  reviewer,
  createdAt: at(8),
  dueAt: at(20),
})

const version = {
  usedFor: 'Planning.',
  notFor: 'Others.',
  aiAssisted: false,
  lane: 'public' as const,
  rating: null,
}

const exchange: Exchange = {
  id: id(20),
  state: 'reviewed',
  status: 'in_review',
  createdAt: at(8),
  closedAt: null,
  attempts: 1,
  product: { id: id(30), title: 'Weekly planner', category: 'template' },
  listing: { id: id(31), externalId: '4711', marketplace: 'Makerlane' },
  seller,
  offers: [
    {
      id: id(40),
      to: reviewer,
      state: 'accepted',
      live: true,
      offeredAt: at(9),
      expiresAt: at(10),
      seenAt: at(9),
      respondedAt: at(9),
      reason: null,
      draw: null,
    },
  ],
  review: {
    id: id(50),
    status: 'reviewed',
    reviewer,
    acceptedAt: at(9),
    purchaseDueAt: at(20),
    dueAt: at(20),
    couponOpenedAt: at(10),
    couponOpens: 1,
    paidCents: 50,
    purchasedAt: at(11),
    usableFrom: at(11),
    submittedAt: at(13),
    confirmDueAt: at(20),
    returnedAt: null,
    returnReason: null,
    returnExplanation: null,
    returnDueAt: null,
    verifiedAt: null,
    verifiedBy: null,
    lapsedAt: null,
    removedAt: null,
    endedByStaff: false,
    strike: null,
    underReport: false,
    disclosure: 'I belong to a review exchange.',
    postedLink: null,
    checks: [{ label: 'Length', passed: true, detail: '64 words in 4 sentences' }],
    versions: [
      { ...version, version: 1, at: at(12), text: 'It prints well.' },
      { ...version, version: 2, at: at(13), text: 'It prints very well.' },
    ],
    proofs: [
      {
        id: id(60),
        kind: 'file',
        state: 'stored',
        at: at(11),
        checkedAt: null,
        orderId: null,
        hasPicture: true,
        hash: 'abcdef',
        similar: [],
      },
    ],
    entries: [],
  },
  mails: [],
  actions: [],
}

let isFailing: boolean
let rows: ExchangeRow[]
let sent: { call: string; body: unknown }[]
let ending: Response | null

beforeEach(() => {
  isFailing = false
  rows = [row(20, 'Weekly planner'), row(21, 'Budget sheet')]
  sent = []
  ending = null
  answerBy(async (call, request) => {
    if (call === 'GET me') return { ...ada, role: 'support', twoFactor: true }
    if (isFailing) return refusal('UNAVAILABLE', 503, 'Not available.')
    if (call === 'GET admin/exchanges') return { items: rows, next: null }
    if (call === `GET admin/exchanges/${id(20)}`) return exchange
    if (call.startsWith('POST admin/exchanges/')) {
      sent.push({ call, body: await request.json() })
      return ending ?? done
    }
    return undefined
  })
})

test('the list moves with j and k, and Enter opens the exchange', async () => {
  await open('/admin/exchanges')
  await expect.element(page.getByRole('link', { name: 'Weekly planner' })).toBeVisible()
  await userEvent.keyboard('jj{Enter}')
  await expect.poll(() => document.title).toContain('Exchange')
})

test('an empty list says what to do', async () => {
  rows = []
  await open('/admin/exchanges?search=nothing')
  await expect.element(page.getByText('No exchanges found')).toBeVisible()
})

test('a failed list is loaded again', async () => {
  isFailing = true
  await open('/admin/exchanges')
  await expect.element(page.getByText('Exchanges could not be loaded')).toBeVisible()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('link', { name: 'Budget sheet' })).toBeVisible()
})

test('an exchange shows its steps, changes between versions, and no stars before it is final', async () => {
  await open(`/admin/exchanges/${id(20)}`)
  await expect.element(page.getByRole('heading', { name: 'Weekly planner' })).toBeVisible()
  await expect.element(page.getByText('Coupon opened')).toBeVisible()
  await expect.element(page.getByText('Submitted, version 2')).toBeVisible()
  expect(document.querySelector('ins')?.textContent).toBe('very ')
  expect(page.getByRole('img', { name: /stars/ }).elements()).toEqual([])
  expect(document.querySelector('iframe')).toBeNull()
})

test('a review is ended with a reason and the state seen; a refusal stays in the dialog', async () => {
  ending = refusal('CONFLICT', 409, 'This has changed in the meantime. Reload and try again.')
  await open(`/admin/exchanges/${id(20)}`)
  await page.getByRole('button', { name: 'End without fault' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'End the review' }).click()
  await expect.element(dialog.getByText('Please give a reason')).toBeVisible()
  expect(sent).toEqual([])
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The coupon did not work.')
  await dialog.getByRole('button', { name: 'End the review' }).click()
  await expect
    .element(dialog.getByText('This has changed in the meantime. Reload and try again.'))
    .toBeVisible()
  ending = null
  await dialog.getByRole('button', { name: 'End the review' }).click()
  await expect.element(page.getByText('Review ended')).toBeVisible()
  expect(sent.at(-1)).toEqual({
    call: `POST admin/exchanges/${id(20)}/end`,
    body: { reason: 'The coupon did not work.', status: 'reviewed' },
  })
})
