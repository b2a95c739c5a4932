import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Cooldown } from '#contract/matching.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

afterEach(() => void vi.unstubAllGlobals())

const after = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const resting: Cooldown = {
  declinesToday: 1,
  freeDeclinesToday: 2,
  cooldownUntil: null,
  lastDeclineReset: null,
  refusals: 4,
  restUntil: after(30),
  readyFrom: null,
  acceptedToday: 0,
  acceptedInWeek: 0,
  history: [],
  serverTime: new Date().toISOString(),
}

test('a rest says why and until when, and ends when its member is ready', async () => {
  let isOver = false
  answerBy((call) => {
    if (call === 'POST rest/end') {
      isOver = true
      return done
    }
    if (call === 'GET me') return ada
    return call === 'GET cooldown' ? { ...resting, restUntil: isOver ? null : resting.restUntil } : undefined
  })
  await open('/cooldown')
  await expect.element(page.getByRole('heading', { name: 'Resting' })).toBeVisible()
  await expect.element(page.getByText('1and 2 that don’t count')).toBeVisible()
  await expect.element(page.getByText(/You didn’t accept 4 offers in a row/)).toBeVisible()
  const current = page.getByRole('listitem').filter({ hasText: 'Your rest now' })
  await expect.element(current).toHaveTextContent('4th in a row48 hoursYour rest now')
  await page.getByRole('button', { name: 'I’m ready' }).click()
  await expect.element(page.getByRole('heading', { name: 'Available' })).toBeVisible()
  await expect.element(page.getByText('Your next rest')).toBeVisible()
  await expect.element(page.getByText('Your rest is over')).toBeVisible()
})

test('a rest that cannot be ended yet says from when it can', async () => {
  const readyFrom = after(60)
  answerBy((call) => {
    if (call === 'GET me') return ada
    return call === 'GET cooldown'
      ? { ...resting, refusals: 12, restUntil: after(144), readyFrom }
      : undefined
  })
  await open('/cooldown')
  await expect.element(page.getByText(/you can end it from .+ on\./)).toBeVisible()
  const button = page.getByRole('button', { name: 'I’m ready' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect
    .element(button)
    .toHaveAccessibleDescription(`You can end this rest from ${formatDateTime(readyFrom)} on.`)
})
