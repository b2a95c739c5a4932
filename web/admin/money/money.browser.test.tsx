import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Money } from '#contract/staff/money.ts'
import { ada, answerBy, open, refusal } from '#web/shell/testing.tsx'

const admin = { ...ada, role: 'admin' as const, twoFactor: true }
const id = '0192f0c0-0000-7000-8000-0000000000d1'
const other = '0192f0c0-0000-7000-8000-0000000000d2'
const at = '2026-11-21T09:00:00Z'
const month = { paused: 1, pastDue: 1, refunds: 1, disputes: 0, paidCents: 4000, refundedCents: 800 }

let money: Money
let fails: boolean

beforeEach(async () => {
  await page.viewport(1280, 800)
  fails = false
  money = {
    payments: 'live',
    measuredAt: at,
    months: [
      { ...month, month: '2026-10', active: 4, joined: 4, ended: 0 },
      { ...month, month: '2026-11', active: 6, joined: 3, ended: 1 },
    ],
    recurringCents: 4800,
    states: {
      none: 2,
      active: 6,
      past_due: 1,
      paused: 1,
      cancelled: 1,
      refunded: 1,
      ended: 3,
      disputed: 0,
    },
    reconciliation: {
      finishedAt: at,
      compared: 9,
      differences: [{ memberId: id, field: 'status', ours: 'active', partners: 'past_due' }],
    },
    disputes: [
      {
        id,
        memberId: id,
        name: 'ben',
        cents: 800,
        reason: 'fraudulent',
        status: 'needs_response',
        openedAt: at,
      },
    ],
    sharedCards: [
      {
        members: [
          { id, name: 'ben' },
          { id: other, name: 'clara' },
        ],
        since: at,
      },
    ],
    failedOrders: [{ id, memberId: id, kind: 'cancel', failedAt: at, error: 'No such subscription' }],
  }
  serve(admin)
})

afterEach(() => vi.unstubAllGlobals())

function serve(me: typeof ada) {
  answerBy((call) => {
    if (call === 'GET me') return me
    if (call !== 'GET admin/money') return undefined
    return fails ? refusal('INTERNAL', 500, 'no') : money
  })
}

test('admins see revenue, states, months as chart and table, and what needs a person', async () => {
  await open('/admin/money')
  await expect.element(page.getByText('$48.00', { exact: true })).toBeVisible()
  await expect.element(page.getByText(/last on Nov 21, 2026 at 9:00/)).toBeVisible()
  const chart = page.getByRole('list', { name: 'Changes of membership by month' })
  await expect
    .element(chart.getByRole('button', { name: 'November 2026: Joined 3, Ended 1, Refunds 1, Disputes 0' }))
    .toBeVisible()
  const rows = page.getByRole('table', { name: 'Memberships and payments by month' }).getByRole('row')
  await expect.element(rows.nth(1)).toBeVisible()
  const cells = [...rows.nth(1).element().children].map(({ textContent }) => textContent)
  expect(cells.slice(1)).toEqual(['6', '3', '1', '1', '1', '1', '0', '$40.00', '$8.00'])
  await expect.element(page.getByText('1 difference')).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Needs response' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'clara' }))
    .toHaveAttribute('href', `/admin/users/${other}`)
  await expect.element(page.getByText('No such subscription')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Export CSV (2)' })).toBeVisible()
  await expect.element(page.getByText('Test payment')).not.toBeInTheDocument()
})

test('tests are labeled, and a club without payments says so', async () => {
  money = { ...money, payments: 'test' }
  const { queryClient } = await open('/admin/money')
  await expect.element(page.getByText('Test payment')).toBeVisible()
  money = { ...money, payments: 'closed', months: [], reconciliation: null }
  await queryClient.invalidateQueries()
  await expect.element(page.getByText('Paid membership is not open')).toBeVisible()
  await expect.element(page.getByText('No month yet')).toBeVisible()
})

test('figures that cannot be read are read again by a press', async () => {
  fails = true
  await open('/admin/money')
  await expect.element(page.getByText('The figures could not be loaded')).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('$48.00', { exact: true })).toBeVisible()
})

test('support does not see Money in the navigation, and reads at its address whom it is for', async () => {
  serve({ ...admin, role: 'support' })
  await open('/admin/money')
  await expect.element(page.getByRole('link', { name: 'Health' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Money' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'For admins only' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})
