import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { OfferReasons } from '#contract/waiting.ts'
import { WhyOffered } from './why-offered.tsx'
import { answerWith, show } from '#web/products/testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const id = '00000000-0000-4000-8000-000000000007'

const cases: [OfferReasons, RegExp[]][] = [
  [
    { here: true, lookedAt: 20, group: 'owes' },
    [/^You were here/, /had received more/, /order, at least 20\. Of those in your group who may/],
  ],
  [
    { here: true, lookedAt: 0, group: 'even' },
    [/^You were here/, /^You were even/, /in this order\. Of those in your group/],
  ],
  [
    { here: false, lookedAt: 5, group: 'ahead' },
    [/^You were away\. After 72 hours/, /^You had given more/, /order, at least 5\. /],
  ],
  [
    { here: true, lookedAt: null, group: null },
    [/^You were here/, /^Those who received more/, /in this order\. Of those who may/],
  ],
]

test.each(cases)('%o is explained once it is opened', async (reasons, steps) => {
  const sent = answerWith({ [`GET /offers/${id}/why`]: reasons })
  await show(<WhyOffered id={id} />)
  expect(sent).toEqual([])
  await page.getByText('Why did I get this offer?').click()
  for (const text of steps) await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByText(/Stars and what reviews said play no part/)).toBeVisible()
})
