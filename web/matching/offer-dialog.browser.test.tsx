import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { z } from 'zod'
import type { Offer } from '#contract/matching.ts'
import { api } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { watchHands } from '#web/matching/hands.ts'
import '#web/kit/kit.css'
import { formatUntil, noteServerTime } from '#web/kit/time.ts'
import { KitRoot } from '#web/kit/kit-root.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { OfferDialog } from './offer-dialog.tsx'
import { OfferIndicator } from './offer-indicator.tsx'

const dialog = page.getByRole('dialog', { name: 'You’ve been asked for a review' })
const indicator = page.getByRole('button', { name: /Review offer/ })

beforeEach(() => {
  noteServerTime(Date.now())
  answers.clear()
  answers.set('POST /api/review-response', { message: '', reviewId: null, offersAgainAt: null })
})
afterEach(() => void vi.restoreAllMocks())

test('an offer opens by itself, and a key pressed at that moment does not answer it', async () => {
  const club = await openClub({ offer: null })
  await club.offerArrives()
  await expect.element(dialog.getByText('Quiet Week')).toBeVisible()
  await expect.element(dialog.getByText('with the coupon, for $0.00 or $0.50, within 72 hours')).toBeVisible()
  await expect
    .element(dialog.getByText('use it and submit an honest review, within 7 days in total'))
    .toBeVisible()
  await expect.element(dialog.getByText('Quiet Week')).toHaveFocus()
  await userEvent.keyboard(' {Enter}')
  expect(club.sent('POST /api/review-response')).toEqual([])
  await expect.element(dialog.getByRole('button', { name: 'Accept' })).toBeVisible()
})

test('a tab in the background does not ask for an offer, which would count as seen', async () => {
  const club = await openClub({ offer: null })
  onTestFinished(() => focusManager.setFocused(undefined))
  flushSync(() => focusManager.setFocused(false))
  const asked = club.sent('GET /api/offers/current').length
  await club.offerArrives()
  await expect.element(page.getByLabelText('Note')).toBeVisible()
  expect(club.sent('GET /api/offers/current')).toHaveLength(asked)
  focusManager.setFocused(true)
  await expect.element(dialog.getByText('Quiet Week')).toBeVisible()
})

test('accepting leads to the review, with a toast', async () => {
  answers.set('POST /api/review-response', { message: '', reviewId: 'r-1', offersAgainAt: null })
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(page.getByText('Review Accepted')).toBeVisible()
  await expect.element(page.getByText("You'll receive the coupon link shortly.")).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(club.sent('POST /api/review-response')).toEqual([{ queueId, accept: true }])
  await expect.poll(club.path).toBe('/reviews/r-1')
})

test('accepting over a form with unsaved changes stays there, with a link to the review', async () => {
  answers.set('POST /api/review-response', { message: '', reviewId: 'r-1', offersAgainAt: null })
  const club = await openClub({ offer: null })
  await page.getByLabelText('Subject').fill('An invoice')
  await club.offerArrives()
  await indicator.click()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(page.getByRole('button', { name: 'Open the review' })).toBeVisible()
  expect(club.path()).toBe('/')
  await page.getByRole('button', { name: 'Open the review' }).click()
  await expect.poll(club.path).toBe('/reviews/r-1')
})

test('a decline needs a second press and no reason', async () => {
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  expect(club.sent('POST /api/review-response')).toEqual([])
  await dialog.getByRole('button', { name: 'Confirm Decline' }).click()
  await expect.element(page.getByText("You've declined this review.")).toBeVisible()
  expect(club.sent('POST /api/review-response')).toEqual([{ queueId, accept: false }])
})

test('a decline with a cooldown says until when, by the clock', async () => {
  const until = new Date(Date.now() + 30 * 60_000).toISOString()
  await openClub({ offer: anOffer() })
  answers.set('POST /api/review-response', { message: '', reviewId: null, offersAgainAt: until })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByRole('button', { name: 'Confirm Decline' }).click()
  await expect.element(page.getByText(`No new offers ${formatUntil(until)}.`, { exact: false })).toBeVisible()
})

test('the four counted reasons come before those without penalty, and only one can be chosen', async () => {
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  const reasons = dialog.getByRole('radio')
  await expect.element(reasons.last()).toBeVisible()
  expect(reasons.elements().map((reason) => reason.closest('label')?.textContent)).toEqual([
    'Not relevant to me',
    'Already reviewed similar',
    'Busy right now',
    'Other',
    'I already own it',
    'Conflict of interest',
    'The listing is broken',
    'I cannot use the format',
  ])
  await dialog.getByRole('radio', { name: 'Busy right now' }).click()
  await dialog.getByRole('radio', { name: 'I already own it' }).click()
  await expect.element(dialog.getByRole('radio', { name: 'Busy right now' })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Confirm Decline' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(club.sent('POST /api/review-response')).toEqual([{ queueId, accept: false, reason: 'already_own' }])
})

test('an honest reason has no penalty twice a day, and says what is remembered', async () => {
  await openClub({ offer: anOffer({ format: 'figma', freeDeclinesToday: 1, declinesToday: 1 }) })
  await expect.element(dialog.getByText('Figma ·')).toBeVisible()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect.element(dialog.getByText('No penalty, 1 left today')).toBeVisible()
  await dialog.getByRole('radio', { name: 'I cannot use the format' }).click()
  await expect
    .element(
      dialog.getByText(/This decline doesn’t count. You won’t be offered this category in this format/),
    )
    .toBeVisible()
})

test('the third decline of a day for an honest reason announces what it costs', async () => {
  await openClub({ offer: anOffer({ freeDeclinesToday: 2, declinesToday: 1 }) })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect.element(dialog.getByText('No more without penalty today')).toBeVisible()
  await dialog.getByRole('radio', { name: 'I already own it' }).click()
  await expect
    .element(
      dialog.getByText(/2nd decline today. You won’t get new offers for 30 minutes, until .* You won’t be/),
    )
    .toBeVisible()
})

test('the third refusal in a row announces the rest that it begins', async () => {
  await openClub({ offer: anOffer({ refusals: 2, freeDeclinesToday: 1 }) })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect
    .element(
      dialog.getByText(/1st decline today. It has no cooldown. It’s the 3rd offer in a row .* for 24 hours/),
    )
    .toBeVisible()
  await dialog.getByRole('radio', { name: 'I already own it' }).click()
  await expect.element(dialog.getByText(/This decline doesn’t count/)).toBeVisible()
  await expect.element(dialog.getByText(/in a row/)).not.toBeInTheDocument()
})

test('choosing Other shows the hint, and the second decline of a day announces 30 minutes', async () => {
  await openClub({ offer: anOffer({ declinesToday: 1 }) })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByRole('radio', { name: 'Other' }).click()
  await expect
    .element(dialog.getByText("After 2 declines today, you'll wait before seeing new offers."))
    .toBeVisible()
  await expect
    .element(dialog.getByText(/2nd decline today. You won’t get new offers for 30 minutes/))
    .toBeVisible()
})

test('a refusal is shown in the dialog, and a final one leaves only Close', async () => {
  answers.set('POST /api/review-response', refusal(409, 'OFFER_WITHDRAWN', 'This offer was withdrawn.'))
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog.getByText('This offer was withdrawn.')).toBeVisible()
  await club.offerEnds()
  await expect.element(dialog.getByText('This offer was withdrawn.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a server error shows a plain message, and the offer can still be accepted', async () => {
  answers.set('POST /api/review-response', refusal(500, 'INTERNAL_SERVER_ERROR', 'relation does not exist'))
  await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog.getByText('Failed to accept review. Please try again.')).toBeVisible()
  answers.set('POST /api/review-response', { message: '', reviewId: null, offersAgainAt: null })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('an offer waits in the top bar while a field has text', async () => {
  const club = await openClub({ offer: null })
  await page.getByRole('textbox', { name: 'Note' }).fill('half a sent')
  await club.offerArrives()
  await expect.element(indicator).toBeVisible()
  expect(dialog.query()).toBeNull()
  await expect.element(page.getByRole('textbox', { name: 'Note' })).toHaveFocus()
  await indicator.click()
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(indicator).toBeVisible()
})

test('an offer opens over an empty field', async () => {
  const club = await openClub({ offer: null })
  await page.getByRole('textbox', { name: 'Note' }).click()
  await club.offerArrives()
  await expect.element(dialog).toBeVisible()
})

test('an offer waits while a form has unsaved changes, wherever the focus is', async () => {
  const club = await openClub({ offer: null })
  await page.getByLabelText('Subject').fill('An invoice')
  await userEvent.tab()
  await club.offerArrives()
  await expect.element(indicator).toBeVisible()
  expect(dialog.query()).toBeNull()
  await expect.element(page.getByRole('button', { name: 'Send' })).toHaveFocus()
})

test('an offer waits while another dialog is open', async () => {
  const club = await openClub({ offer: null, otherDialog: true })
  await club.offerArrives()
  await expect.poll(() => document.body.textContent).toContain('Review offer')
  expect(dialog.query()).toBeNull()
})

test('an offer that was closed does not open again, after a reload either', async () => {
  const first = anOffer()
  const club = await openClub({ offer: first })
  await expect.element(dialog.getByRole('button', { name: 'Accept' })).toBeVisible()
  await expect.poll(pressesReachTheDialog).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(() => club.writes()).toEqual([`POST /api/offers/${queueId}/aside`])
  await club.leave()
  // The call has not reached the server yet.
  await openClub({ offer: first })
  await expect.element(indicator).toBeVisible()
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  await indicator.click()
  await expect.element(dialog).toBeVisible()
})

test('an offer that was closed on another device does not open here, and closes if it is open', async () => {
  const club = await openClub({ offer: anOffer({ setAside: true }) })
  await expect.element(indicator).toBeVisible()
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  const next = anOffer({ offeredAt: from(-1_000) })
  await club.offerArrives(next)
  await expect.element(dialog).toBeVisible()
  await club.offerArrives({ ...next, setAside: true })
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(indicator).toBeVisible()
})

test('an offer within 30 seconds of an answer waits in the top bar, then opens', async () => {
  await openClub({ offer: anOffer({ quietUntil: from(20_000) }) })
  await expect.element(indicator).toBeVisible()
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  noteServerTime(Date.now() + 20_000)
  await expect.element(dialog).toBeVisible()
})

test('a newcomer’s first offer waits until they have seen the dashboard for a minute', async () => {
  localStorage.setItem('dashboard-seconds', '59')
  await openClub({ offer: anOffer({ newcomer: true }) })
  await expect.element(indicator).toBeVisible()
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  localStorage.setItem('dashboard-seconds', '60')
  await expect.element(dialog).toBeVisible()
  localStorage.clear()
})

test('an offer never opens under a resting pointer, nor under one on a button', async () => {
  const unwatch = watchHands()
  onTestFinished(unwatch)
  const club = await openClub({ offer: null })
  movePointer(innerWidth / 2, innerHeight / 2)
  await club.offerArrives()
  await expect.element(indicator).toBeVisible()
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  const { x, y } = indicator.element().getBoundingClientRect()
  movePointer(x + 2, y + 2)
  await afterTwoLooks()
  expect(dialog.query()).toBeNull()
  document.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, pointerType: 'mouse' }))
  await expect.element(dialog).toBeVisible()
})

test('a press at the moment an offer opens neither answers nor closes it', async () => {
  const atFirst = new Promise<boolean>((resolve) => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('[role=dialog]')) return
      watcher.disconnect()
      resolve(pressesReachTheDialog())
    })
    watcher.observe(document.body, { childList: true, subtree: true })
  })
  const club = await openClub({ offer: null })
  await club.offerArrives()
  expect(await atFirst).toBe(false)
  await expect.poll(pressesReachTheDialog).toBe(true)
  expect(club.writes()).toEqual([])
})

test('the clock begins at 30:00, with the time of the day beside the time left', async () => {
  await openClub({ offer: anOffer({ offeredAt: from(500), expiresAt: from(1_800_500) }) })
  await expect.element(dialog.getByText('30:00')).toBeVisible()
  await expect.element(dialog.getByText(/^until .*\d:\d\d.*, 30 minutes left$/)).toBeVisible()
})

test('when the time is up, the dialog closes and says that this is not a decline', async () => {
  const club = await openClub({ offer: anOffer() })
  await expect.element(dialog).toBeVisible()
  // The server has no offer either when asked again.
  answers.set('GET /api/offers/current', null)
  noteServerTime(Date.now() + 1_740_000)
  // A toast of the test before may still be there, under the pointer.
  await expect.element(page.getByText('The offer has expired').first()).toBeVisible()
  await expect.element(page.getByText(/Letting an offer expire is not a decline/).first()).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(indicator).not.toBeInTheDocument()
  expect(club.sent('POST /api/review-response')).toEqual([])
})

test('the dialog closes when the offer is withdrawn', async () => {
  const club = await openClub({ offer: anOffer() })
  await expect.element(dialog).toBeVisible()
  await club.offerEnds()
  await expect.element(page.getByText('The offer is no longer open')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('the marketplace’s notice is shown first, and the consent is stored before the answer', async () => {
  const club = await openClub({ offer: anOffer({ consentNeeded }) })
  answers.set(`POST /api/marketplaces/${marketplaceId}/consent`, { ok: true })
  await expect.element(dialog.getByText('Exchanged reviews must say so.')).toBeVisible()
  await expect
    .element(dialog.getByRole('button', { name: 'Accept' }))
    .toHaveAttribute('aria-disabled', 'true')
  const box = dialog.getByRole('checkbox', { name: /I have read the notice/ })
  const accept = dialog.getByRole('button', { name: 'Accept' })
  await expect.element(accept).toHaveAccessibleDescription('Read the notice and tick the box to accept.')
  expect(accept.element().parentElement?.contains(box.element())).toBe(true)
  await box.click()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(club.writes()).toEqual([
    `POST /api/marketplaces/${marketplaceId}/consent`,
    'POST /api/review-response',
  ])
})

const queueId = '00000000-0000-4000-8000-000000000001'
const marketplaceId = '00000000-0000-4000-8000-000000000002'
const consentNeeded = {
  marketplaceId,
  policyVersion: 2,
  policyUrl: 'https://craftmarket.example/policy',
  policySentence: 'Exchanged reviews must say so.',
}

function from(milliseconds: number) {
  return new Date(Date.now() + milliseconds).toISOString()
}

function anOffer(part: Partial<Offer> = {}): Offer {
  return {
    id: '00000000-0000-4000-8000-00000000000f',
    queueId,
    productTitle: 'Quiet Week',
    productDescription: 'A planner on one page.',
    productImage: null,
    imageFocus: { x: 50, y: 50 },
    category: 'template',
    format: null,
    priceCents: 900,
    couponCents: null,
    couponPrices: [0, 50],
    marketplaceName: 'Craftmarket',
    lane: 'public',
    disclosure: 'I belong to a review exchange.',
    consentNeeded: null,
    offeredAt: from(-60_000),
    expiresAt: from(1_740_000),
    declinesToday: 0,
    freeDeclinesToday: 0,
    refusals: 0,
    setAside: false,
    quietUntil: null,
    newcomer: false,
    serverTime: from(0),
    ...part,
  }
}

const answers = new Map<string, unknown>()

/** Until the page has looked twice whether the offer may open. Each look reads what this tab has closed. */
async function afterTwoLooks() {
  const looks = vi.spyOn(Storage.prototype, 'getItem')
  await expect
    .poll(() => looks.mock.calls.filter(([key]) => key === 'closed-offer').length)
    .toBeGreaterThan(1)
  looks.mockRestore()
}

function movePointer(clientX: number, clientY: number) {
  const at = { clientX, clientY, bubbles: true, pointerType: 'mouse' }
  document.body.dispatchEvent(new PointerEvent('pointermove', at))
}

function pressesReachTheDialog(): boolean {
  const popup = document.querySelector('[role=dialog]')
  return popup !== null && getComputedStyle(popup).pointerEvents !== 'none'
}

function refusal(status: number, code: string, message: string) {
  return new Response(JSON.stringify({ defined: status < 500, code, status, message }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/**
 * A page with a field, a form, the offer's indicator and its dialog. The fake server answers from `answers`.
 */
async function openClub({ offer, otherDialog = false }: { offer: Offer | null; otherDialog?: boolean }) {
  const calls: { name: string; body: unknown }[] = []
  answers.set('GET /api/offers/current', offer)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const name = `${request.method} ${new URL(request.url).pathname}`
    const text = await request.text()
    calls.push({ name, body: text ? JSON.parse(text) : undefined })
    if (name === 'POST /api/review-response') answers.set('GET /api/offers/current', null)
    const answer = answers.get(name)
    return answer instanceof Response ? answer.clone() : Response.json(answer ?? null)
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const { unmount } = await render(
    <QueryClientProvider client={queries}>
      {/* This router has no screens, and the types only accept the product's router. */}
      <RouterContextProvider router={router as never}>
        <KitRoot>
          <OfferIndicator />
          <label>
            Note <input />
          </label>
          <Form
            schema={z.object({ subject: z.string() })}
            defaultValues={{ subject: '' }}
            onSubmit={() => undefined}
          >
            <Field name="subject" label="Subject">
              <Input />
            </Field>
            <SubmitButton>Send</SubmitButton>
          </Form>
          <Dialog open={otherDialog} title="Something else" />
          <OfferDialog />
        </KitRoot>
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  await expect
    .poll(() => queries.getQueryState(api.matching.findCurrentOffer.queryKey())?.status)
    .toBe('success')
  const ask = () => queries.invalidateQueries({ queryKey: api.matching.findCurrentOffer.key() })
  return {
    offerArrives: (offer = anOffer()) => {
      answers.set('GET /api/offers/current', offer)
      return ask()
    },
    path: () => router.history.location.pathname,
    leave: unmount,
    offerEnds: () => {
      answers.set('GET /api/offers/current', null)
      return ask()
    },
    sent: (name: string) => calls.filter((made) => made.name === name).map(({ body }) => body),
    writes: () => calls.map(({ name }) => name).filter((name) => !name.startsWith('GET')),
  }
}
