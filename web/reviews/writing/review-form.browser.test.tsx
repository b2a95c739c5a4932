import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import '#web/kit/kit.css'
import { KitRoot } from '#web/kit/kit-root.tsx'
import { ReviewForm } from './review-form.tsx'

const editor = page.getByRole('textbox', { name: 'Text of the review' })
const front = page.getByText(/I belong to a review exchange/)
const submit = page.getByRole('button', { name: 'Submit' })
const good =
  'I planned two working weeks with it. It keeps me from writing too much. ' +
  'The margins are narrow for my printer.'

beforeEach(() => {
  answers.clear()
  answers.set(`PUT ${path}/draft`, { savedAt: '2026-11-21T09:05:00.000Z' })
  answers.set(`POST ${path}/check`, { duplicate: false })
  answers.set(`POST ${path}/submit`, { ok: true })
})
// A form saves unsaved changes when it unmounts. It unmounts here, before the next test records its calls.
afterEach(async () => {
  await cleanup()
  vi.restoreAllMocks()
})

test('the disclosure is shown above the editor and cannot be edited', async () => {
  await open()
  await expect.element(front).toBeVisible()
  await editor.fill('Nice.')
  await expect.element(front).toBeVisible()
  await expect.element(editor).toHaveValue('Nice.')
})

test('words and sentences are counted while typing, and the checks change', async () => {
  await open()
  await expect.element(check(/40 words or 3 sentences.*not yet/)).toBeVisible()
  await editor.fill(good)
  await expect.element(page.getByText('21 words · 3 sentences')).toBeVisible()
  await expect.element(check(/40 words or 3 sentences.*done/)).toBeVisible()
  await expect.element(check(/No links.*done/)).toBeVisible()
  await editor.fill(`${good} Write to me at anna@shop.example.`)
  await expect.element(check(/Leave out links/)).toBeVisible()
})

test('a near-duplicate is reported in the checks of the text', async () => {
  answers.set(`POST ${path}/check`, { duplicate: true })
  const club = await open()
  await editor.fill(good)
  await expect.element(check(/This text is very similar to another review/)).toBeVisible()
  expect(club.sent(`POST ${path}/check`)).toEqual([{ text: good }])
})

test('the draft is saved automatically, once for continuous typing', async () => {
  const club = await open()
  await editor.fill(good)
  await expect.element(page.getByText(/^Saved/)).toBeVisible()
  expect(club.sent(`PUT ${path}/draft`)).toEqual([
    { draft: { rating: null, text: good, usedFor: '', notFor: '', aiAssisted: false }, basedOn: null },
  ])
})

test('a draft saved in another tab is shown beside this one, and the member chooses', async () => {
  const other = { draft: { ...emptyDraft, text: 'From the other tab.', rating: 4 }, draftSavedAt: savedAt(7) }
  for (const [button, kept] of [
    ['Keep what’s on this page', good],
    ['Use the newer version', 'From the other tab.'],
  ] as const) {
    answers.set(`PUT ${path}/draft`, refusal(409, 'DRAFT_NEWER', 'You saved a newer version.'))
    answers.set(`GET ${path}`, aReview(other))
    const club = await open()
    await editor.fill(good)
    await expect.element(page.getByText('From the other tab.')).toBeVisible()
    await expect.element(page.getByText('4 of 5 stars')).toBeVisible()
    await expect.element(editor).toHaveValue(good)
    answers.set(`PUT ${path}/draft`, { savedAt: savedAt(8) })
    await page.getByRole('button', { name: button }).click()
    await expect.element(editor).toHaveValue(kept)
    await expect.element(page.getByText('There’s a newer version of this review')).not.toBeInTheDocument()
    await editor.fill(`${kept} And more.`)
    await expect.element(page.getByText(/^Saved/)).toBeVisible()
    expect(club.sent(`PUT ${path}/draft`)[1]).toMatchObject({ basedOn: savedAt(7) })
    await cleanup()
  }
})

test('a save whose answer was lost is no newer draft', async () => {
  answers.set(`PUT ${path}/draft`, refusal(409, 'DRAFT_NEWER', 'You saved a newer version.'))
  answers.set(`GET ${path}`, aReview({ draft: { ...emptyDraft, text: good }, draftSavedAt: savedAt(7) }))
  await open()
  await editor.fill(good)
  await expect.element(page.getByText(/^Saved/)).toBeVisible()
})

test('a draft that cannot be saved is kept, and the page says so', async () => {
  answers.set(`PUT ${path}/draft`, fault())
  const club = await open()
  await editor.fill(good)
  await expect.element(page.getByText(/Not saved yet/)).toBeVisible()
  await expect.element(editor).toHaveValue(good)
  await club.leave()
  expect(club.cached()?.draft.text).toBe(good)
})

test('a draft too long to be saved says so, and is saved once it is shorter', async () => {
  answers.set(`PUT ${path}/draft`, refusal(400, 'BAD_REQUEST', 'Input validation failed'))
  await open()
  await editor.fill(good.repeat(200))
  await expect.element(page.getByText(/Not saved: it is too long/)).toBeVisible()
  answers.set(`PUT ${path}/draft`, { savedAt: savedAt(8) })
  await editor.fill(good)
  await expect.element(page.getByText(/^Saved/)).toBeVisible()
})

test('an answer that arrives while the member writes does not change the text', async () => {
  const club = await open()
  await editor.fill(good)
  await club.update({ late: true, draft: { ...emptyDraft, text: 'An older draft.' } })
  await expect.element(editor).toHaveValue(good)
})

test('missing parts are listed, and nothing is sent before they are complete', async () => {
  const club = await open()
  for (const reason of [
    'Answer both questions about how you used the product, each with at least 10 characters.',
    'Choose a rating from 1 to 5 stars.',
    'Write at least 40 words or 3 sentences.',
    'Post the review on the marketplace, then confirm it here.',
    'Confirm that you bought and used the product yourself.',
  ]) {
    await expect.element(missing(reason)).toBeVisible()
  }
  await submit.click({ force: true })
  expect(club.sent(`POST ${path}/submit`)).toEqual([])
})

test('a complete review is submitted with its disclosure in front', async () => {
  const club = await open()
  await fillIn()
  await submit.click()
  await expect.element(page.getByText('Review submitted')).toBeVisible()
  expect(club.sent(`POST ${path}/submit`)).toEqual([
    {
      rating: 2,
      text: `${disclosure}\n\n${good}`,
      usedFor: 'Planning two weeks of work',
      notFor: 'People who work on paper',
      aiAssisted: false,
      attested: true,
      posted: true,
      postedLink: null,
    },
  ])
})

test('a link to another site is refused as the link to the review', async () => {
  await open()
  await fillIn()
  await page.getByRole('textbox', { name: /Link to your review/ }).fill('https://elsewhere.example/r/1')
  await expect
    .element(missing('Enter the link to your review on the marketplace, or leave it empty.'))
    .toBeVisible()
  await page.getByRole('textbox', { name: /Link to your review/ }).fill('https://www.craftmarket.example/r/1')
  await expect.element(page.getByText('Your review is ready to submit.')).toBeVisible()
})

test('a refused submission keeps everything and says why', async () => {
  answers.set(`POST ${path}/submit`, refusal(400, 'PERSONAL_DATA', 'Say it without the link.'))
  await open()
  await fillIn()
  await submit.click()
  await expect.element(page.getByText('Say it without the link.')).toBeVisible()
  await expect.element(editor).toHaveValue(good)
  await expect.element(page.getByRole('checkbox', { name: /I have posted it/ })).toBeChecked()
})

test('a review can be written before it can be submitted', async () => {
  await open({ usableFrom: new Date(Date.now() + 600_000).toISOString() })
  await fillIn()
  await expect.element(page.getByText(/You can submit it from/)).toBeVisible()
  await expect.element(missing('Use the product a little longer before you review it.')).toBeVisible()
})

test('a review that is not posted has no disclosure and no posting card', async () => {
  const club = await open({ marketplace: { ...aReview().marketplace, lane: 'private' } })
  expect(front.query()).toBeNull()
  expect(page.getByRole('checkbox', { name: /I have posted it/ }).query()).toBeNull()
  await fillIn({ posting: false })
  await submit.click()
  await expect.element(page.getByText('Review submitted')).toBeVisible()
  expect(club.sent(`POST ${path}/submit`)).toMatchObject([{ text: good, posted: false }])
})

const id = '00000000-0000-4000-8000-000000000005'
const path = `/api/reviews/${id}`
const disclosure = 'I belong to a review exchange and bought this with a discount code; my opinion is my own.'
const savedAt = (minute: number) => `2026-11-21T09:0${minute}:00.000Z`
const emptyDraft = { rating: null, text: '', usedFor: '', notFor: '', aiAssisted: false }

function check(name: RegExp) {
  return page
    .getByRole('list', { name: 'Checks of the text' })
    .getByRole('listitem')
    .filter({ hasText: name })
}

function missing(reason: string) {
  return page.getByRole('listitem').filter({ hasText: reason })
}

async function fillIn({ posting = true } = {}) {
  await page.getByRole('textbox', { name: 'What did you use it for?' }).fill('Planning two weeks of work')
  await page.getByRole('textbox', { name: 'Who should not buy it?' }).fill('People who work on paper')
  await page.getByRole('radio', { name: '2 stars' }).click()
  await editor.fill(good)
  if (posting) await page.getByRole('checkbox', { name: /I have posted it on Craftmarket/ }).click()
  await page.getByRole('checkbox', { name: /I bought and used this product myself/ }).click()
}

function aReview(part: Partial<ReviewWorkspace> = {}): ReviewWorkspace {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
  return {
    id,
    queueId: null,
    status: 'purchased',
    product: {
      title: 'Quiet Week',
      description: null,
      category: 'template',
      image: null,
      imageFocus: { x: 50, y: 50 },
      priceCents: 900,
      couponCents: null,
    },
    marketplace: {
      name: 'Craftmarket',
      host: 'craftmarket.example',
      lane: 'public',
      disclosure,
      verifiedPurchaseWord: 'Verified purchase',
      couponPrices: [0, 50],
      policyUrl: 'https://craftmarket.example/policy',
    },
    couponLink: 'https://craftmarket.example/listing/1?coupon=EVEN',
    acceptedAt: hours(-3),
    purchaseDueAt: hours(69),
    dueAt: hours(165),
    purchasedAt: hours(-2),
    paidCents: 50,
    usableFrom: hours(-1),
    submittedAt: null,
    confirmDueAt: null,
    returnedAt: null,
    returnReason: null,
    returnDueAt: null,
    verifiedAt: null,
    lapsedAt: null,
    held: false,
    removedAt: null,
    proof: { id, kind: 'order', orderId: '314159', fileName: null, mime: null },
    draft: emptyDraft,
    draftSavedAt: null,
    postedLink: null,
    receipt: null,
    late: false,
    partnerLeft: false,
    marketplaceClosed: false,
    endedByStaff: false,
    removal: null,
    countsAsGiven: false,
    serverTime: hours(0),
    ...part,
  }
}

const answers = new Map<string, unknown>()

function refusal(status: number, code: string, message: string) {
  return Response.json({ defined: true, code, status, message }, { status })
}

function fault() {
  return Response.json(
    { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: '' },
    { status: 500 },
  )
}

/** The form, with a fake server that answers from `answers`. */
async function open(part: Partial<ReviewWorkspace> = {}) {
  const calls: { name: string; body: unknown }[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const name = `${request.method} ${new URL(request.url).pathname}`
    calls.push({ name, body: request.method === 'GET' ? null : await request.json() })
    const answer = answers.get(name)
    return answer instanceof Response ? answer.clone() : Response.json(answer ?? null)
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryKey = api.reviews.getReview.queryKey({ input: { id } })
  queries.setQueryData(queryKey, aReview(part))
  const shown = (review: ReviewWorkspace | null) => (
    <QueryClientProvider client={queries}>
      <KitRoot>{review ? <ReviewForm review={review} /> : null}</KitRoot>
    </QueryClientProvider>
  )
  const screen = await render(shown(aReview(part)))
  return {
    leave: () => screen.rerender(shown(null)),
    update: (newer: Partial<ReviewWorkspace>) => screen.rerender(shown(aReview({ ...part, ...newer }))),
    cached: () => queries.getQueryData(queryKey),
    sent: (name: string) => calls.filter((made) => made.name === name).map(({ body }) => body),
  }
}
