import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { BarChart } from './bar-chart.tsx'

const months = ['June', 'July', 'August', 'September', 'October', 'November']
const points = months.map((name) => ({ name: `${name} 2026`, short: name.slice(0, 3) }))

beforeEach(() => page.viewport(1280, 800))

async function show() {
  await render(
    <BarChart
      label="Reviews by month"
      points={points}
      series={[
        { name: 'Given', tone: 'accent', values: [2, 5, 3, 8, 6, 4] },
        { name: 'Received', tone: 'neutral', values: [1, 4, 0, 7, 6, 5] },
      ]}
    />,
  )
  return document.querySelector('figcaption')
}

test('every point says its values, and the line above shows the latest', async () => {
  const readout = await show()
  const chart = page.getByRole('list', { name: 'Reviews by month' })
  await expect.element(chart.getByRole('button', { name: 'August 2026: Given 3, Received 0' })).toBeVisible()
  expect(chart.getByRole('button').elements()).toHaveLength(points.length)
  expect(readout?.textContent).toBe('November 2026Given 4Received 5')
})

test('the pointer and the arrow keys choose a point; one point takes the tab', async () => {
  const readout = await show()
  await page.getByRole('button', { name: /^July/ }).hover()
  await expect.poll(() => readout?.textContent).toBe('July 2026Given 5Received 4')
  await userEvent.tab()
  await userEvent.keyboard('{Home}')
  await expect.element(page.getByRole('button', { name: /^June/ })).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}{ArrowRight}')
  await expect.element(page.getByRole('button', { name: /^August/ })).toHaveFocus()
  expect(readout?.textContent).toBe('August 2026Given 3Received 0')
  expect(document.querySelectorAll('button[tabindex="0"]')).toHaveLength(1)
})

test('the heights follow one scale', async () => {
  await show()
  const bars = [...page.getByRole('button', { name: /^September/ }).element().children]
  const [given = 0, received = 0] = bars.map((bar) => bar.getBoundingClientRect().height)
  expect(given / received).toBeCloseTo(8 / 7, 1)
  const [none] = [...page.getByRole('button', { name: /^August/ }).element().children].slice(1)
  expect(none?.getBoundingClientRect().height).toBe(0)
})
