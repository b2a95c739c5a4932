import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { PageGiven } from '#contract/pages.ts'
import '#web/marketing/site.css'
import { FairnessPage } from './fairness-page.tsx'
import { figures } from './testing.ts'

const given: PageGiven = { origin: 'https://club.example', demo: false, payments: 'live', signedIn: false }

test.each([
  ['with every figure', figures],
  ['without figures', undefined],
])('on a phone the page fits its width %s', async (_, shown) => {
  await page.viewport(390, 844)
  await render(<FairnessPage {...given} {...(shown ? { figures: shown } : {})} />)
  expect(document.documentElement.scrollWidth).toBe(390)
  const table = document.querySelector('table')?.parentElement
  expect(table?.scrollWidth).toBe(table?.clientWidth)
})
