import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Cooldown, Offer } from '#contract/matching.ts'
import type { ProductCard } from '#contract/products.ts'
import { confirmHours } from '#contract/reviews.ts'
import type { NextSteps, ReceivedReview, ReviewRow } from '#contract/reviews.ts'
import { planner } from '#web/products/testing.tsx'
import { ada, answerBy, done, open } from './testing.tsx'

let steps: NextSteps
let offer: Offer | null
let products: ProductCard[]
let cooldown: Cooldown | null

const next = page.getByRole('region', { name: 'Next for you' })
const dialog = page.getByRole('dialog', { name: 'You’ve been asked for a review' })

beforeEach(async () => {
  sessionStorage.clear()
  localStorage.clear()
  await page.viewport(1280, 800)
  offer = null
  products = []
  cooldown = null
  steps = {
    toWrite: [],
    toConfirm: [],
    firstSteps: { connected: true, asked: true, answered: true },
    serverTime: from(0),
  }
  answerBy(answer)
})

afterEach(() => vi.unstubAllGlobals())

test('the dashboard begins with the offer, then reviews to write and confirm with their clocks', async () => {
  offer = anOffer
  steps.toWrite = [aReview('1', { productTitle: 'To buy', dueAt: from(90 * 60_000) })]
  steps.toConfirm = [aReview('2', { productTitle: 'To confirm', status: 'reviewed', dueAt: from(3_600_000) })]
  await open('/dashboard')
  const rows = next.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem')
  await expect.element(rows.nth(2)).toBeVisible()
  const texts = rows.elements().map((row) => row.textContent)
  expect(texts).toEqual([
    expect.stringMatching(/^You’ve been asked for a review.*Answer until .*, 30 minutes left/),
    expect.stringMatching(/^To buyBuy it and add your proof of purchaseuntil .*, 1 hour 30 minutes left/),
    expect.stringMatching(/^To confirmCheck it and confirmuntil .*, 1 hour left/),
  ])
  await expect.element(next.getByRole('link', { name: 'To buy' })).toHaveAttribute('href', '/reviews/1')
  await expect
    .element(next.getByRole('link', { name: 'To confirm' }))
    .toHaveAttribute('href', '/reviews/received/2')
  const first = document.querySelector('main section')
  expect(first?.textContent).toMatch(/^Next for you/)
})

test('in a demo club, a review is to be confirmed before its simulated staff do it', async () => {
  document.documentElement.setAttribute('data-demo', '')
  try {
    const toConfirm = (id: string, submitted: number) =>
      aReview(id, { productTitle: id, status: 'reviewed', dueAt: from(submitted + confirmHours * 3_600_000) })
    // Those of other visitors are left to their deadline, so the ten minutes of the second one mean nothing.
    steps.toConfirm = [toConfirm('new', 0), toConfirm('old', -3_600_000)]
    await open('/dashboard')
    const rows = next.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem')
    await expect.element(rows.nth(1)).toBeVisible()
    const texts = rows.elements().map((row) => row.textContent)
    expect(texts).toEqual([
      expect.stringMatching(/^newCheck it and confirmuntil .*, 10 minutes left/),
      expect.stringMatching(/^oldCheck it and confirmuntil .*, 2 days 23 hours left/),
    ])
  } finally {
    document.documentElement.removeAttribute('data-demo')
  }
})

test('Reviews counts what is to be written and confirmed', async () => {
  steps.toWrite = [aReview('1'), aReview('3')]
  steps.toConfirm = [aReview('2', { status: 'reviewed' })]
  await open('/activity')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect.element(sidebar.getByRole('link', { name: 'Reviews 3 to do' })).toBeVisible()
})

test('a newcomer is shown to connect, then to ask, then to answer', async () => {
  steps.firstSteps = { connected: false, asked: false, answered: false }
  await open('/dashboard')
  const list = next.getByRole('list', { name: 'Your first exchange' })
  const current = () => list.element().querySelector('[aria-current=step]')?.textContent
  await expect.element(list.getByRole('button', { name: 'Connect a product' })).toBeVisible()
  expect(current()).toMatch(/Connect a product/)
  await list.getByRole('button', { name: 'Connect a product' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add Coupon Link' })).toBeVisible()
})

test('a member with a product asks for a review on the spot', async () => {
  steps.firstSteps = { connected: true, asked: false, answered: false }
  products = [planner]
  await open('/dashboard')
  const list = next.getByRole('list', { name: 'Your first exchange' })
  await expect.element(list.getByRole('button', { name: 'Get Reviewed' })).toBeVisible()
  await expect.element(list.getByText('Connect a product, done')).toBeVisible()
})

test('with nothing to do it says so', async () => {
  await open('/dashboard')
  await expect.element(next.getByText('You’re all caught up.')).toBeVisible()
})

test.each([
  ['a cooldown', { cooldownUntil: from(30 * 60_000) }, /^You’re on cooldown, .* until .*, 30 minutes left\./],
  ['a rest', { restUntil: from(24 * 3_600_000) }, /^You’re resting, .* until .*, 1 day left\./],
])('a member in %s reads until when no offer comes, and where that is explained', async (_, part, text) => {
  cooldown = { ...rested, ...part }
  await open('/dashboard')
  const line = next.getByRole('paragraph').filter({ hasText: 'you get no new offers' })
  await expect.element(line).toBeVisible()
  expect(line.element().textContent).toMatch(text)
  await expect.element(line.getByRole('link')).toHaveAttribute('href', '/cooldown')
  await expect.element(next.getByText('You’re all caught up.')).toBeVisible()
  await expect.element(next.getByText(/When the rotation draws you/)).not.toBeInTheDocument()
})

test('a member without a cooldown reads nothing about one', async () => {
  cooldown = { ...rested, cooldownUntil: from(-60_000) }
  await open('/dashboard')
  await expect.element(next.getByText('You’re all caught up.')).toBeVisible()
  await expect.element(next.getByText(/no new offers/)).not.toBeInTheDocument()
  await expect.element(next.getByText(/When the rotation draws you, the offer appears here\./)).toBeVisible()
})

test('the figures lead to the analytics, and show a change only where there is one to compare', async () => {
  await open('/dashboard')
  await expect.element(page.getByText('+2 vs previous 30 days')).toBeVisible()
  expect(page.getByText(/vs previous 30 days/).elements()).toHaveLength(1)
  await expect
    .element(page.getByRole('link', { name: 'Analytics', exact: true }))
    .toHaveAttribute('href', '/analytics')
})

test('an offer that was closed opens from the dashboard, and from the link in a mail', async () => {
  offer = { ...anOffer, setAside: true }
  const { router } = await open('/dashboard')
  await next.getByRole('button', { name: 'See the offer' }).click()
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await router.navigate({ href: '/dashboard?offer=open' })
  await expect.element(dialog).toBeVisible()
  expect(router.state.location.href).toBe('/dashboard')
})

test('the link of an offer opens that one, and says when it is over instead of opening another', async () => {
  offer = { ...anOffer, setAside: true }
  const { router } = await open(`/dashboard?offer=${anOffer.id}`)
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await router.navigate({ href: '/dashboard?offer=00000000-0000-4000-8000-0000000000aa' })
  await expect.element(page.getByText('That offer is over')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(router.state.location.href).toBe('/dashboard')
  await page.getByRole('button', { name: 'See the new offer' }).click()
  await expect.element(dialog).toBeVisible()
})

test('the link of an offer that the page does not know yet opens it', async () => {
  offer = { ...anOffer, id: '00000000-0000-4000-8000-0000000000aa', setAside: true }
  const { router } = await open('/dashboard')
  await expect.element(next.getByRole('button', { name: 'See the offer' })).toBeVisible()
  offer = { ...anOffer, setAside: true }
  await router.navigate({ href: `/dashboard?offer=${anOffer.id}` })
  await expect.element(dialog).toBeVisible()
})

test('a product card shows its exchange’s path, each step’s time and the next deadline', async () => {
  const path = {
    hasReceipt: true,
    drawnAt: '2026-11-18T08:20:00Z',
    acceptedAt: '2026-11-18T08:29:00Z',
    boughtAt: null,
    writtenAt: null,
    verifiedAt: null,
    dueAt: '2026-11-21T08:29:00Z',
  }
  const request = { id: 'q', status: 'in_review' as const, createdAt: path.drawnAt, completedReviewId: null }
  products = [{ ...planner, request: { ...request, path } }]
  await open('/dashboard')
  const list = page.getByRole('list', { name: 'Path of the exchange' })
  await expect.element(list).toBeVisible()
  const texts = list
    .getByRole('listitem')
    .elements()
    .map((step) => step.textContent)
  expect(texts).toEqual([
    expect.stringMatching(/^Drawn, doneNov 18, \d+:20 AM$/),
    expect.stringMatching(/^Accepted, doneNov 18, \d+:29 AM$/),
    expect.stringMatching(/^Boughtby /),
    'Written',
    'Verified',
  ])
  expect(list.element().querySelector('[aria-current=step]')?.textContent).toMatch(/^Bought/)
})

test('the page that asks the seller to confirm links to the listing', async () => {
  await open('/reviews/received/r')
  const link = page.getByRole('link', { name: /your listing/ })
  await expect.element(link).toHaveAttribute('href', planner.couponLink)
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
})

function from(milliseconds: number): string {
  return new Date(Date.parse(ada.serverTime) + milliseconds).toISOString()
}

function answer(call: string): unknown {
  switch (call) {
    case 'GET me':
      return { ...ada, timeZone: 'UTC' }
    case 'GET next-steps':
      return steps
    case 'GET dashboard':
      return { totalProducts: { value: 4, change: 2 }, averageRating: { value: null, change: null } }
    case 'GET offers/current':
      return offer
    case 'GET cooldown':
      return cooldown
    case 'GET products':
      return products
    case 'GET marketplaces':
      return []
    case 'GET activity':
      return { items: [], next: null }
    case 'GET received-reviews/r':
      return received
    case 'POST presence':
    case `POST offers/${anOffer.queueId}/aside`:
      return done
  }
  return undefined
}

const rested: Cooldown = {
  declinesToday: 0,
  freeDeclinesToday: 0,
  cooldownUntil: null,
  lastDeclineReset: null,
  refusals: 4,
  restUntil: null,
  readyFrom: null,
  acceptedToday: 0,
  acceptedInWeek: 0,
  history: [],
  serverTime: from(0),
}

const anOffer: Offer = {
  id: '00000000-0000-4000-8000-00000000000f',
  queueId: '00000000-0000-4000-8000-000000000001',
  productTitle: 'Quiet Week',
  productDescription: null,
  productImage: null,
  imageFocus: { x: 50, y: 50 },
  category: 'template',
  priceCents: 900,
  couponCents: null,
  couponPrices: [0, 50],
  marketplaceName: 'Maker Lane',
  lane: 'public',
  disclosure: 'I belong to a review exchange.',
  consentNeeded: null,
  offeredAt: from(0),
  expiresAt: from(1_800_000),
  declinesToday: 0,
  freeDeclinesToday: 0,
  refusals: 0,
  format: null,
  setAside: true,
  quietUntil: null,
  newcomer: false,
  serverTime: from(0),
}

function aReview(id: string, part: Partial<ReviewRow> = {}): ReviewRow {
  return {
    id,
    status: 'pending',
    productTitle: 'Quiet Week',
    category: 'template',
    productImage: null,
    acceptedAt: from(0),
    dueAt: null,
    late: false,
    rating: null,
    verifiedAt: null,
    partnerLeft: false,
    marketplaceClosed: false,
    endedByStaff: false,
    removal: null,
    requestGoesOn: false,
    held: false,
    ...part,
  }
}

const received: ReceivedReview = {
  id: 'r',
  queueId: null,
  partnerLeft: false,
  marketplaceClosed: false,
  endedByStaff: false,
  removal: null,
  requestGoesOn: false,
  status: 'reviewed',
  product: {
    id: planner.id,
    title: planner.title,
    category: 'template',
    image: null,
    couponLink: planner.couponLink,
  },
  lane: 'public',
  acceptedAt: from(0),
  dueAt: null,
  purchasedAt: from(0),
  submittedAt: from(0),
  confirmDueAt: from(3_600_000),
  held: false,
  reportableUntil: from(3_600_000),
  removedAt: null,
  returnReason: null,
  verifiedAt: null,
  verifiedBy: null,
  postedLink: null,
  receipt: null,
  disclosure: 'I belong to a review exchange.',
  aiAssisted: false,
  rating: null,
  text: null,
  usedFor: null,
  notFor: null,
  serverTime: from(0),
}
