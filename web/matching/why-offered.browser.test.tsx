import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { OfferReasons } from '#contract/waiting.ts'
import { WhyOffered } from './why-offered.tsx'
import { answerWith, show } from '#web/products/testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const id = '00000000-0000-4000-8000-000000000007'

const cases: [OfferReasons, RegExp, RegExp][] = [
  [{ here: true, lookedAt: 20, group: 'owes' }, /^You were here/, /at least 20\. .* You were one of them/],
  [{ here: true, lookedAt: 0, group: 'even' }, /^You were here/, /rotation\. .* You were even/],
  [{ here: false, lookedAt: 5, group: 'ahead' }, /^You were away\. After 24 hours/, /You have given more/],
]

test.each(cases)('%o is explained once it is opened', async (reasons, presence, group) => {
  const sent = answerWith({ [`GET /offers/${id}/why`]: reasons })
  await show(<WhyOffered id={id} />)
  expect(sent).toEqual([])
  await page.getByText('Why did I get this offer?').click()
  for (const text of [presence, group]) await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByText(/Stars and earlier reviews play no part/)).toBeVisible()
})
