import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { matchingRefusals } from '#contract/matching.ts'
import type { Balance, Cooldown } from '#contract/matching.ts'
import { ada, answerBy, open } from '#web/shell/testing.tsx'

const hour = 3_600_000

afterEach(() => void vi.unstubAllGlobals())

test('the declines of a day are whole on a phone, with their time, reason and cooldown', async () => {
  await page.viewport(390, 844)
  answerBy((call) => (call === 'GET me' ? ada : call === 'GET cooldown' ? declined() : undefined))
  await open('/cooldown')
  const table = page.getByRole('region', { name: 'Declined today' })
  const row = table.getByRole('row').nth(1)
  await expect.element(row).toBeVisible()
  expect(row.element().textContent).toContain('Not relevant to me')
  await expect.element(row.getByText('30 minutes')).toBeVisible()
  for (const time of row.element().querySelectorAll('time'))
    if (time.checkVisibility()) expect(time.textContent).toMatch(/M$/)
  const frame = table.element()
  expect(frame.scrollWidth).toBe(frame.clientWidth)
})

test.each([
  {
    code: 'GIVING_CAP' as const,
    shown: matchingRefusals.GIVING_CAP.message,
    next: 'As soon as that changes',
  },
  // The page knows the end of a cooldown by the clock, before the balance is read again.
  { code: 'COOLDOWN' as const, shown: /you can get an offer at any time/, next: 'Now' },
])('without a cooldown, a member refused offers by $code reads what is so', async ({ code, shown, next }) => {
  const free = { ...declined(), cooldownUntil: null, history: [] }
  answerBy((call) => {
    if (call === 'GET me') return ada
    if (call === 'GET cooldown') return free
    return call === 'GET balance' ? refusedBy(code) : undefined
  })
  await open('/cooldown')
  await expect.element(page.getByText(shown)).toBeVisible()
  await expect.element(page.getByText(next, { exact: true })).toBeVisible()
})

function refusedBy(code: 'GIVING_CAP' | 'COOLDOWN'): Balance {
  return {
    given: 1,
    received: 0,
    carried: 0,
    corrected: 0,
    balance: 1,
    pendingGive: 0,
    pendingTake: 0,
    openRequests: 0,
    giveFirst: false,
    offerRefusal: { code, message: matchingRefusals[code].message },
  }
}

function declined(): Cooldown {
  const now = Date.now()
  return {
    declinesToday: 2,
    freeDeclinesToday: 0,
    cooldownUntil: new Date(now + hour / 2).toISOString(),
    lastDeclineReset: new Date(now).toISOString(),
    refusals: 2,
    restUntil: null,
    readyFrom: null,
    acceptedToday: 0,
    acceptedInWeek: 0,
    history: [
      {
        id: '0192f0c0-0000-7000-8000-00000000000a',
        createdAt: new Date(now).toISOString(),
        reason: 'not_relevant',
        counted: true,
        cooldownAppliedMinutes: 30,
        productTitle: 'A planner for weeks that begin on a Sunday and end where they began',
      },
    ],
    serverTime: new Date(now).toISOString(),
  }
}
