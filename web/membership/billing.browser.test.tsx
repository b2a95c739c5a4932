import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Me } from '#contract/members.ts'
import { joinTermsVersion, membershipRefusals } from '#contract/membership.ts'
import type { Billing } from '#contract/membership.ts'
import { noteReader } from '#web/kit/time.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'
import { anInvoice, newcomer, paying } from './testing.ts'

/** The state of the fake server, the actions it received, and what it refuses. */
let billing: Billing
let me: Me
let actions: { action: string; body: unknown }[]
let refuses: Response | null
let fails: boolean
/** What each action changes. */
let effects: Record<string, Partial<Billing>>

beforeEach(async () => {
  await page.viewport(1280, 800)
  billing = paying
  me = { ...ada, payments: 'live', timeZone: 'America/New_York' }
  actions = []
  refuses = null
  fails = false
  effects = {}
  location.hash = ''
  answerBy(answer)
})

afterEach(() => {
  vi.unstubAllGlobals()
  noteReader({ locale: 'en-US', timeZone: null })
})

const date = (text: string) => page.getByText(text).first()
const dialog = page.getByRole('alertdialog')

describe('the page', () => {
  test('shows the plan, the next charge in the member’s zone, the card, invoices and history', async () => {
    await open('/billing')
    await expect.element(date('It renews on Dec 21, 2026 at 4:00 AM for $8.00.')).toBeVisible()
    await expect.element(page.getByText('$8.00 on Dec 21, 2026 at 4:00 AM (America/New York)')).toBeVisible()
    await expect.element(page.getByText('Visa •••• ending in 4242')).toBeVisible()
    const pdf = page.getByRole('link', { name: /^PDF of invoice EVEN-0001/ })
    await expect.element(pdf).toHaveAttribute('href', `/api/billing/invoices/${anInvoice.id}/pdf`)
    await expect.element(pdf).toHaveAttribute('target', '_blank')
    await expect.element(page.getByText('$1.52 of it taxes')).toBeVisible()
    await expect.element(page.getByText('You joined')).toBeVisible()
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await expect
      .element(sidebar.getByRole('link', { name: 'Billing' }))
      .toHaveAttribute('aria-current', 'page')
    await expect.element(page.getByText('Test payment')).not.toBeInTheDocument()
  })

  test.each<[string, Partial<Billing>, RegExp]>([
    ['Payment failed', { state: 'past_due', graceUntil: '2026-11-24T09:00:00Z' }, /take part until Nov 24/],
    ['Payment failed', { state: 'past_due', graceUntil: '2026-11-20T09:00:00Z' }, /until a payment succeeds/],
    [
      'Paused',
      { state: 'paused', pause: { from: '2026-11-20T09:00:00Z', until: '2026-12-05T09:00:00Z' } },
      /resumes automatically on Dec 5, 2026 at 4:00 AM/,
    ],
    ['Canceled', { state: 'cancelled', endsAt: '2026-12-21T09:00:00Z' }, /runs until Dec 21, 2026/],
    ['Refunded', { state: 'refunded' }, /first payment back/],
    ['Ended', { state: 'ended' }, /You can join again/],
    ['Disputed', { state: 'disputed' }, /Your bank disputes a payment/],
    ['Active', { source: 'grant', nextCharge: null }, /It runs until Dec 21, 2026 at 4:00 AM and then ends/],
  ])('says %s and what that means now', async (label, change, text) => {
    billing = { ...paying, ...change }
    await open('/billing')
    await expect.element(page.getByText(label, { exact: true })).toBeVisible()
    await expect.element(page.getByText(text)).toBeVisible()
  })

  test('labels test payments', async () => {
    billing = { ...paying, payments: 'test' }
    await open('/billing')
    await expect.element(page.getByText('Test payment', { exact: true })).toBeVisible()
  })

  test('makes no claim about payment where none can be made', async () => {
    billing = { ...newcomer, payments: 'closed' }
    await open('/billing')
    await expect.element(page.getByText(/Paid membership is not open yet/)).toBeVisible()
    const text = page.getByRole('main').element().textContent
    expect(text).not.toMatch(/\$8|refund|renew|Join/i)
  })

  test('says that nothing was charged when it cannot be loaded, and loads again', async () => {
    fails = true
    await open('/billing')
    await expect.element(page.getByText('Your membership could not be loaded')).toBeVisible()
    fails = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
  })

  test('says what the payment partner still has to confirm', async () => {
    billing = { ...paying, state: 'cancelled', endsAt: paying.paidUntil, pending: 'cancel' }
    await open('/billing')
    await expect.element(page.getByText(/^We’re confirming your cancellation/)).toBeVisible()
  })

  test('opens the payment partner’s page for the card', async () => {
    await open('/billing')
    await page.getByRole('button', { name: 'Change card' }).click()
    await expect.poll(() => location.hash).toBe('#partner')
  })
})

describe('the actions', () => {
  test('cancel takes two presses and no reason, and can be taken back', async () => {
    effects['POST billing/cancel'] = { state: 'cancelled', endsAt: paying.paidUntil }
    effects['POST billing/keep'] = { state: 'active', endsAt: null }
    await open('/billing')
    await page.getByRole('button', { name: 'Cancel membership…' }).click()
    await expect.element(dialog.getByText(/It runs until Dec 21, 2026 at 4:00 AM/)).toBeVisible()
    expect(dialog.getByRole('textbox').elements()).toHaveLength(0)
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await page.getByRole('button', { name: 'Keep membership' }).click()
    await expect.element(page.getByText('You keep your membership')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Cancel membership…' })).toBeVisible()
    expect(actions.map(({ action }) => action)).toEqual(['POST billing/cancel', 'POST billing/keep'])
  })

  test('cancel works by keyboard alone, and the focus begins on the safe button', async () => {
    effects['POST billing/cancel'] = { state: 'cancelled', endsAt: paying.paidUntil }
    await open('/billing')
    const cancel = page.getByRole('button', { name: 'Cancel membership…' })
    await expect.element(cancel).toBeVisible()
    // The focus is moved as tabbing to it would.
    if (cancel.element() instanceof HTMLElement) (cancel.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByRole('button', { name: 'Don’t cancel' })).toHaveFocus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(page.getByText('Canceled', { exact: true })).toBeVisible()
  })

  test('a pause shows the accepted reviews first, says when it ends, and ends by a press', async () => {
    billing = { ...paying, reviewsToWrite: 1 }
    effects['POST billing/pause'] = {
      state: 'paused',
      pause: { from: '2026-11-21T09:00:00Z', until: '2026-12-05T09:00:00Z' },
    }
    effects['POST billing/resume'] = { state: 'active', pause: null }
    await open('/billing')
    await page.getByRole('button', { name: 'Pause…' }).click()
    const window = page.getByRole('dialog', { name: 'Pause your membership' })
    await expect.element(window.getByRole('link', { name: 'A map of old Delft' })).toBeVisible()
    const [first] = window.element().querySelectorAll('h3, ul')
    expect(first?.textContent).toBe('A review you’ve accepted keeps its deadline')
    await window.getByLabelText('I’m away until').fill('2026-12-05')
    await expect.element(window.getByText(/^Resumes automatically on Dec 5, 2026 at 4:00 AM/)).toBeVisible()
    await window.getByRole('button', { name: 'Pause membership' }).click()
    await page.getByRole('button', { name: 'Resume now' }).click()
    await expect.element(page.getByText('Your membership runs again')).toBeVisible()
    expect(actions.at(0)).toEqual({ action: 'POST billing/pause', body: { days: 14 } })
  })

  test('a day on which a pause may not end is refused once, in one place', async () => {
    await open('/billing')
    await page.getByRole('button', { name: 'Pause…' }).click()
    const window = page.getByRole('dialog', { name: 'Pause your membership' })
    await window.getByLabelText('I’m away until').fill('2027-11-21')
    await window.getByRole('button', { name: 'Pause membership' }).click()
    await expect.element(window.getByLabelText('I’m away until')).toHaveAttribute('aria-invalid', 'true')
    expect(window.getByText(/^Choose a day/).elements()).toHaveLength(1)
    expect(actions).toEqual([])
  })

  test('a second pause says when it is possible, and a paused member can cancel', async () => {
    billing = { ...paying, pauseAgainAt: '2027-01-20T09:00:00Z' }
    await open('/billing')
    const pause = page.getByRole('button', { name: 'Pause…' })
    await expect.element(pause).toHaveAccessibleDescription(/You can pause again on Jan 20, 2027/)
  })

  test('pausing does not block canceling', async () => {
    billing = {
      ...paying,
      state: 'paused',
      pause: { from: paying.since ?? '', until: '2026-12-05T09:00:00Z' },
    }
    await open('/billing')
    await expect.element(page.getByRole('button', { name: 'Cancel membership…' })).toBeVisible()
  })

  test('a refund says the amount and that the membership ends now', async () => {
    billing = { ...paying, refund: { cents: 952, until: '2026-11-25T09:00:00Z' } }
    effects['POST billing/refund'] = { state: 'refunded', refund: null, nextCharge: null, pending: 'refund' }
    await open('/billing')
    await page.getByRole('button', { name: 'Get $9.52 back…' }).click()
    await expect.element(dialog.getByText(/full \$9\.52 back.*your membership ends now/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Refund and end membership' }).click()
    await expect.element(page.getByText(/^We’re confirming your refund/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: /back…$/ })).not.toBeInTheDocument()
  })

  test('a refusal stays in the dialog, and an error of ours is not shown as it is', async () => {
    billing = { ...paying, refund: { cents: 800, until: '2026-11-25T09:00:00Z' } }
    const { status, message } = membershipRefusals.REFUND_USED
    refuses = refusal('REFUND_USED', status, message)
    await open('/billing')
    await page.getByRole('button', { name: 'Get $8.00 back…' }).click()
    await dialog.getByRole('button', { name: 'Refund and end membership' }).click()
    await expect.element(dialog.getByText(message)).toBeVisible()
    refuses = Response.json({ message: 'relation orders' }, { status: 500 })
    await dialog.getByRole('button', { name: 'Refund and end membership' }).click()
    await expect.element(dialog.getByText(/Nothing was changed/)).toBeVisible()
  })
})

describe('joining', () => {
  beforeEach(() => {
    billing = newcomer
    me = { ...me, membership: { ...me.membership, state: 'none', status: 'none', source: null } }
  })

  /** By the keyboard: a click can miss the box while what is above it still loads. */
  async function agree() {
    const box = page.getByRole('checkbox', { name: /I agree to the terms/ })
    await expect.element(box).toBeVisible()
    ;(box.element() as HTMLElement).focus()
    await userEvent.keyboard(' ')
    await expect.element(box).toBeChecked()
  }
  const pay = page.getByRole('button', { name: /^(Continue to payment|Resume payment|Opening)/ })

  test('says price, renewal, taxes, canceling and refund, and needs the consent', async () => {
    await open('/billing')
    for (const text of [
      /a month$/,
      /Every month until/,
      /shown before you pay/,
      /runs to the end of/,
      /within 7 days/,
    ])
      await expect.element(page.getByText(text).first()).toBeVisible()
    await expect.element(pay).toHaveAccessibleDescription('Tick the box above to continue.')
    expect(actions).toEqual([])
  })

  test('asks no one to pay who is suspended', async () => {
    me = { ...ada, suspension: { reason: 'Three missed reviews.', until: null } }
    await open('/billing')
    await expect.element(page.getByText('Joining waits for your suspension to end')).toBeVisible()
    await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
    await open('/billing?checkout=cancelled')
    await expect.element(page.getByText('Nothing was charged.', { exact: true })).toBeVisible()
    await expect.element(page.getByText(/continue below/)).not.toBeInTheDocument()
  })

  test('opens one payment page, however often the button is pressed', async () => {
    await open('/billing')
    await agree()
    await pay.dblClick()
    await expect.poll(() => location.hash).toBe('#partner')
    await expect.element(pay).toHaveAttribute('aria-busy', 'true')
    expect(actions).toEqual([{ action: 'POST billing/checkout', body: { terms: joinTermsVersion } }])
  })

  test.each(['PAYMENTS_UNAVAILABLE', 'ALREADY_MEMBER', 'TERMS_CHANGED'] as const)(
    'says inline when the server refuses %s',
    async (code) => {
      const { status, message } = membershipRefusals[code]
      refuses = refusal(code, status, message)
      await open('/billing')
      await agree()
      await pay.click()
      await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
      await expect.element(pay).not.toHaveAttribute('aria-busy')
      expect(location.hash).toBe('')
    },
  )

  test('a payment that was left can be resumed, and nothing was charged', async () => {
    billing = { ...newcomer, checkoutOpen: true }
    await open('/billing?checkout=cancelled')
    await expect.element(page.getByText(/Nothing was charged/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Resume payment' })).toBeVisible()
  })

  test('coming back from payment asks once if confirmation is late, then opens the dashboard', async () => {
    effects['POST billing/refresh'] = paying
    const { router } = await open('/billing?checkout=done')
    await expect.element(page.getByText('Confirming your payment…')).toBeVisible()
    await expect.poll(() => router.state.location.href, { timeout: 5_000 }).toBe('/dashboard')
    await expect.element(page.getByText('Your membership is active')).toBeVisible()
    expect(actions).toEqual([{ action: 'POST billing/refresh', body: null }])
  })

  test('a confirmation that arrived first opens the dashboard without asking', async () => {
    billing = paying
    const { router } = await open('/billing?checkout=done')
    await expect.poll(() => router.state.location.href).toBe('/dashboard')
    expect(actions).toEqual([])
  })
})

describe('the notice on the other pages', () => {
  const noticeOf = (change: Partial<Me['membership']>, payments: Me['payments'] = 'live') => {
    me = { ...me, payments, membership: { ...me.membership, ...change } }
    return open('/support')
  }
  const link = (name: string) => page.getByRole('link', { name })

  test.each<[string, Partial<Me['membership']>, RegExp, string]>([
    ['none', { state: 'none' }, /not a member yet/, 'Join for $8.00 a month'],
    [
      'past_due',
      { state: 'past_due', graceUntil: '2026-11-24T09:00:00Z' },
      /take part until Nov 24, 2026 at 4:00 AM/,
      'Change card',
    ],
    [
      'paused',
      { state: 'paused', pausedUntil: '2026-12-05T09:00:00Z' },
      /automatically on Dec 5/,
      'Resume now',
    ],
    [
      'cancelled',
      { state: 'cancelled', endsAt: '2026-12-21T09:00:00Z' },
      /ends on Dec 21/,
      'Keep membership',
    ],
  ])('says %s with its date, and leads to Billing', async (_, change, text, label) => {
    await noticeOf(change)
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(link(label)).toHaveAttribute('href', '/billing')
  })

  test('asks no one to pay where payments are closed', async () => {
    await noticeOf({ state: 'none' }, 'closed')
    await expect.element(page.getByText(/Paid membership is not open yet/)).toBeVisible()
    expect(link('Join for $8.00 a month').elements()).toHaveLength(0)
  })
})

async function answer(call: string, request: Request): Promise<unknown> {
  if (call === 'GET me') return me
  if (call === 'GET support') return { items: [], next: null }
  if (call === 'GET next-steps') return nextSteps
  if (call === 'GET billing') return fails ? Response.json({}, { status: 500 }) : billing
  if (call === 'GET billing/invoices') return { items: [anInvoice], next: null }
  if (!call.startsWith('POST billing/')) return undefined
  const text = await request.text()
  actions.push({ action: call, body: text ? JSON.parse(text) : null })
  if (refuses) return refuses.clone()
  billing = { ...billing, ...effects[call] }
  return /checkout|portal/.test(call) ? { url: `${location.href.split('#')[0]}#partner` } : done
}

const nextSteps = {
  toWrite: [
    {
      id: '0192f0c0-0000-7000-8000-0000000000b1',
      productTitle: 'A map of old Delft',
      productImage: null,
      category: 'design',
      status: 'purchased',
      late: false,
      dueAt: '2026-11-23T09:00:00Z',
      rating: null,
      acceptedAt: '2026-11-20T09:00:00Z',
      verifiedAt: null,
      partnerLeft: false,
      marketplaceClosed: false,
      endedByStaff: false,
      removal: null,
      requestGoesOn: false,
      held: false,
    },
  ],
  toConfirm: [],
  firstSteps: { connected: true, asked: true, answered: true },
  serverTime: ada.serverTime,
}
