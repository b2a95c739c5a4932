import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Decision, Report } from '#contract/moderation.ts'
import type { ReceivedReview } from '#contract/reviews.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

const id = '00000000-0000-4000-8000-000000000070'
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

const review: ReceivedReview = {
  id,
  queueId: null,
  partnerLeft: false,
  marketplaceClosed: false,
  endedByStaff: false,
  removal: null,
  requestGoesOn: false,
  status: 'verified',
  product: {
    id,
    title: 'Quiet Week',
    category: 'template',
    image: null,
    couponLink: 'https://makerlane.example/listing/1?coupon=EVEN',
  },
  lane: 'public',
  acceptedAt: hours(-99),
  dueAt: null,
  purchasedAt: hours(-98),
  submittedAt: hours(-60),
  confirmDueAt: null,
  held: false,
  reportableUntil: hours(600),
  returnReason: null,
  removedAt: null,
  verifiedAt: hours(-40),
  verifiedBy: 'seller',
  postedLink: null,
  receipt: null,
  disclosure: 'I belong to a review exchange.',
  aiAssisted: false,
  rating: 2,
  text: 'I belong to a review exchange. The pages print well.',
  usedFor: 'Two weeks of work',
  notFor: 'No one',
  serverTime: hours(0),
}

const report: Report = {
  id,
  subject: 'review',
  reviewId: id,
  productTitle: 'Quiet Week',
  reason: 'copied',
  explanation: 'The same words are on my listing.',
  state: 'open',
  createdAt: hours(-1),
  dueAt: hours(47),
  decidedAt: null,
  findings: null,
  decisionId: null,
  mayWithdraw: true,
}

const decision: Decision = {
  id,
  subject: 'review',
  aboutMyReport: false,
  reviewId: id,
  productTitle: 'Quiet Week',
  at: hours(-5),
  statement: {
    what: 'Your review was removed.',
    rule: 'A review is lawful.',
    evidence: 'It names a person.',
    automated: 'A person on our staff decided.',
    effect: 'It’s no longer shown here.',
    appeal: 'You can appeal within 14 days.',
  },
  sanction: null,
  overturnedAt: null,
  appealUntil: hours(300),
  appeal: null,
  serverTime: hours(0),
}

let reports: Report[]
let sent: { call: string; body: unknown }[]
let answer: unknown
let received: ReceivedReview

beforeEach(() => {
  received = review
  reports = []
  sent = []
  answer = done
  answerBy(async (call, request) => {
    if (request.method !== 'GET') {
      sent.push({ call, body: await request.clone().json() })
      return answer
    }
    if (call === 'GET me') return ada
    if (call === 'GET offers/current') return null
    if (call === 'GET reports') return { items: reports, next: null }
    if (call === 'GET decisions') return { items: [], next: null }
    if (call === `GET decisions/${id}`) return decision
    if (call === `GET received-reviews/${id}`) return received
    return undefined
  })
})
afterEach(() => {
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

test('a seller who checks a review reads that confirming it does not end their right to report', async () => {
  received = {
    ...review,
    status: 'reviewed',
    verifiedAt: null,
    confirmDueAt: hours(60),
    reportableUntil: hours(60),
  }
  await open(`/reviews/received/${id}`)
  await expect
    .element(page.getByText('You can report it now, and for 30 days once it’s final. A person decides.'))
    .toBeVisible()
})

test('a report needs a reason and a sentence, keeps its draft, and says why it was refused', async () => {
  await open(`/reviews/received/${id}`)
  await page.getByRole('button', { name: 'Report this review' }).click()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect.element(page.getByText('Choose what is wrong.')).toBeVisible()
  // It is posted on the marketplace, where it can be taken down again.
  await expect.element(page.getByRole('radio', { name: /cannot find the review/ })).toBeVisible()
  const text = 'The same words are on my listing.'
  await page.getByRole('textbox', { name: 'What did you find?' }).fill(text)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Report this review' }).click()
  await expect.element(page.getByRole('textbox', { name: 'What did you find?' })).toHaveValue(text)
  await page.getByRole('radio', { name: 'The text is copied or a duplicate' }).click()
  answer = refusal('REPORT_LIMIT', 429, 'You made 5 reports in 24 hours.')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect.element(page.getByText('You made 5 reports in 24 hours.')).toBeVisible()
  expect(sent[0]).toEqual({
    call: `POST received-reviews/${id}/report`,
    body: { reason: 'copied', explanation: text },
  })
})

test('the reports page shows how each report stands, and what an empty one is for', async () => {
  reports = [
    report,
    { ...report, id: '00000000-0000-4000-8000-000000000071', state: 'dismissed', dueAt: null },
  ]
  await open('/moderation')
  const list = page.getByRole('list', { name: 'reports' })
  await expect.element(list.getByText('Open', { exact: true })).toBeVisible()
  await expect.element(list.getByText('Dismissed', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Decisions about you' }).click()
  await expect.element(page.getByText('No decisions')).toBeVisible()
})

test('a decision shows its reasons, and an appeal is sent from its page', async () => {
  await open(`/moderation/${id}`)
  for (const part of Object.values(decision.statement))
    await expect.element(page.getByText(part ?? '', { exact: true })).toBeVisible()
  const words = 'It names no one; I read it again twice.'
  await page.getByRole('textbox', { name: 'Why is the decision wrong?' }).fill(words)
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await vi.waitFor(() =>
    expect(sent).toEqual([{ call: `POST decisions/${id}/appeal`, body: { explanation: words } }]),
  )
})
