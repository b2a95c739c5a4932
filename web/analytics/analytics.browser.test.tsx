import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { ChartCard } from './chart-card.tsx'
import { figures } from './figures.ts'
import { busyYear } from './testing.ts'

const { periods } = busyYear()

test('each chart has the same values as a table, with the club’s median where there is one', async () => {
  for (const figure of figures) await render(<ChartCard figure={figure} periods={periods} by="month" />)
  await expect
    .element(page.getByRole('button', { name: 'December 2025: You 100%, Club median 100%' }))
    .toBeInTheDocument()
  await page.getByText('As a table: Time to acceptance').click()
  const table = page.getByRole('table', { name: 'Time to acceptance by month' })
  await expect.element(table.getByRole('row', { name: 'April 2026 – 6.5 h' })).toBeVisible()
  expect(table.getByRole('row').elements()).toHaveLength(13)
  // The stars are the owner's own: nothing of the club stands beside them.
  await page.getByText('As a table: Stars received').click()
  const stars = page.getByRole('table', { name: 'Stars received by month' })
  expect(
    stars
      .getByRole('columnheader')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Month', 'You'])
})

test('a figure without values says when it begins', async () => {
  const quiet = periods.map((period) => ({ ...period, waitHours: null, club: null }))
  const waiting = figures.filter(({ title }) => title === 'Time to acceptance')
  for (const figure of waiting) await render(<ChartCard figure={figure} periods={quiet} by="month" />)
  await expect.element(page.getByText('Once a member accepts a request of yours.')).toBeVisible()
  expect(document.querySelector('svg[preserveAspectRatio]')).toBeNull()
})
