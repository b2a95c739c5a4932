import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { noteServerTime } from '../time.ts'
import { Countdown } from './countdown.tsx'
import { TimeRing } from './progress-ring.tsx'

const noon = Date.parse('2026-11-21T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: noon, toFake: ['setInterval', 'clearInterval', 'Date'] })
  noteServerTime(noon)
})

afterEach(() => {
  vi.useRealTimers()
  noteServerTime(Date.now())
})

test('a countdown ends with its final text and never becomes negative', async () => {
  await render(
    <p>
      <Countdown to={noon + 61_000} as="clock" /> <Countdown to={noon + 61_000} done="Now" />
    </p>,
  )
  await expect.element(page.getByText('1:01 2m')).toBeVisible()
  vi.advanceTimersByTime(60_000)
  await expect.element(page.getByText('0:01 1m')).toBeVisible()
  vi.advanceTimersByTime(3_600_000)
  await expect.element(page.getByText('0:00 Now')).toBeVisible()
})

test("a countdown uses the server's time", async () => {
  noteServerTime(noon - 3_600_000)
  await render(<Countdown to={noon} />)
  await expect.element(page.getByText('1h 0m')).toBeVisible()
})

test('a time ring is empty and at zero after its end', async () => {
  await render(<TimeRing start={noon - 60_000} end={noon + 60_000} label="Time to answer" />)
  const ring = page.getByRole('progressbar', { name: 'Time to answer' })
  await expect.element(ring).toHaveAttribute('aria-valuenow', '50')
  vi.advanceTimersByTime(600_000)
  await expect.element(ring).toHaveAttribute('aria-valuenow', '0')
  await expect.element(page.getByText('0:00', { exact: true })).toBeVisible()
})
