import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { z } from 'zod'
import type { Offer } from '#contract/matching.ts'
import { api } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import '#web/kit/kit.css'
import { noteServerTime } from '#web/kit/time.ts'
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
  answers.set('POST /api/review-response', { message: '', reviewId: null })
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

test('accepting shows a toast and closes the dialog', async () => {
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(page.getByText('Review Accepted')).toBeVisible()
  await expect.element(page.getByText("You'll receive the coupon link shortly.")).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(club.sent('POST /api/review-response')).toEqual([{ queueId, accept: true }])
})

test('a decline needs a second press and no reason', async () => {
  const club = await openClub({ offer: anOffer() })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  expect(club.sent('POST /api/review-response')).toEqual([])
  await dialog.getByRole('button', { name: 'Confirm Decline' }).click()
  await expect.element(page.getByText("You've declined this review.")).toBeVisible()
  expect(club.sent('POST /api/review-response')).toEqual([{ queueId, accept: false }])
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
  answers.set('POST /api/review-response', { message: '', reviewId: null })
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

test('when the time is up, the dialog closes and says that this is not a decline', async () => {
  const club = await openClub({ offer: anOffer() })
  await expect.element(dialog).toBeVisible()
  // The server has no offer either when asked again.
  answers.set('GET /api/offers/current', null)
  noteServerTime(Date.now() + 1_740_000)
  await expect.element(page.getByText('The offer has expired')).toBeVisible()
  await expect.element(page.getByText(/Letting an offer expire is not a decline/)).toBeVisible()
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
  await dialog.getByRole('checkbox', { name: /I have read this/ }).click()
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
    queueId,
    productTitle: 'Quiet Week',
    productDescription: 'A planner on one page.',
    productImage: null,
    category: 'template',
    priceCents: 900,
    couponPrices: [0, 50],
    marketplaceName: 'Craftmarket',
    lane: 'public',
    disclosure: 'I belong to a review exchange.',
    consentNeeded: null,
    offeredAt: from(-60_000),
    expiresAt: from(1_740_000),
    declinesToday: 0,
    serverTime: from(0),
    ...part,
  }
}

const answers = new Map<string, unknown>()

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
  await render(
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
    offerArrives: () => {
      answers.set('GET /api/offers/current', anOffer())
      return ask()
    },
    offerEnds: () => {
      answers.set('GET /api/offers/current', null)
      return ask()
    },
    sent: (name: string) => calls.filter((made) => made.name === name).map(({ body }) => body),
    writes: () => calls.map(({ name }) => name).filter((name) => !name.startsWith('GET')),
  }
}
