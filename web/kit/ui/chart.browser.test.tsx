import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { Chart } from './chart.tsx'

const months = ['June', 'July', 'August', 'September', 'October', 'November']
const points = months.map((name) => ({ name: `${name} 2026`, short: name.slice(0, 3) }))

beforeEach(async () => {
  await page.viewport(1280, 800)
  // The pointer is where the file before left it, and a chart reads out the point under it.
  await userEvent.hover(document.documentElement, { position: { x: 1270, y: 790 } })
})

async function show() {
  await render(
    <Chart
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

test('the heights follow one scale, and nothing is drawn for none', async () => {
  await show()
  const heightsOf = (name: string) =>
    [...document.querySelectorAll(`[data-bar="${name}"]`)].map((bar) => bar.getBoundingClientRect().height)
  const [given, received] = [heightsOf('Given'), heightsOf('Received')]
  expect(given).toHaveLength(6)
  expect(received).toHaveLength(5)
  expect((given[3] ?? 0) / (received[2] ?? 1)).toBeCloseTo(8 / 7, 1)
})

test('a line has a gap where there is no value, which reads as none', async () => {
  await render(
    <Chart
      label="Hours"
      points={points.slice(0, 3)}
      series={[{ name: 'Yours', tone: 'accent', line: 'solid', values: [2, null, 4] }]}
    />,
  )
  await expect.element(page.getByRole('button', { name: 'July 2026: Yours none' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'August 2026: Yours 4' })).toBeVisible()
  expect(document.querySelector('.visx-linepath')?.getAttribute('d')?.match(/M/g)).toHaveLength(2)
})

test.each([
  ['minutes as hours', [0.01], (hours: number) => `${Math.round(hours * 100) / 100} h`],
  ['almost one', [0.9], (value: number) => String(Math.round(value * 2) / 2)],
  ['seconds as hours', [0.001], (hours: number) => `${Math.round(hours * 100) / 100} h`],
  ['a whole number', [3], String],
])('no two lines of the scale read the same: %s', async (_, values, format) => {
  const one = [{ name: 'June 2026', short: 'Jun' }]
  await render(
    <Chart label="Hours" points={one} series={[{ name: 'Yours', tone: 'accent', values }]} format={format} />,
  )
  const labels = [...document.querySelectorAll('ol li')].map(({ textContent }) => textContent)
  expect(labels.length).toBeGreaterThan(0)
  expect(new Set(labels).size).toBe(labels.length)
})

test('on phones only the points that are wide enough to touch are shown', async () => {
  await page.viewport(390, 844)
  const many = Array.from({ length: 26 }, (_, at) => ({ name: `Week ${at + 1}`, short: `${at + 1}` }))
  await render(
    <Chart
      label="Weeks"
      points={many}
      series={[{ name: 'Given', tone: 'accent', values: many.map(() => 1) }]}
    />,
  )
  expect(page.getByRole('button').elements()).toHaveLength(12)
  await expect.element(page.getByRole('button', { name: /^Week 15:/ })).toBeVisible()
})
