import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

let sent: unknown[]
let hours: object | null

beforeEach(() => {
  sent = []
  hours = null
  answerBy(answer)
})
afterEach(() => vi.unstubAllGlobals())

test('the hours are chosen by days and times, and at least one day is needed', async () => {
  await open('/settings/availability')
  await page.getByText('Ask me only between these hours').click()
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
    await page.getByRole('checkbox', { name: day }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Choose at least one day.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Sunday' }).click()
  await page.getByRole('combobox', { name: 'Until' }).click()
  await page.getByRole('option', { name: '2:00 AM' }).click()
  await expect.element(page.getByText(/It ends on the next day/)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Availability saved')).toBeVisible()
  expect(sent).toMatchObject([{ hours: { days: [7], from: 540, until: 120 } }])
})

async function answer(call: string, request: Request): Promise<unknown> {
  if (call === 'GET me') return ada
  if (call === 'GET offers/current') return null
  if (call === 'GET settings/asking-hours')
    return { hours, timeZone: null, quietUntil: null, quietFrom: null }
  if (call !== 'PUT settings/asking-hours') return undefined
  const body: unknown = await request.json()
  sent.push(body)
  hours = (body as { hours: object }).hours
  return done
}
