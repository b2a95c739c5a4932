// The check of a draw on /fairness/check: how long its worker takes to recompute a draw, by the number of
// candidates.
import type { Browser } from 'playwright'
import { paths } from '#web/paths.ts'
import { honestDraw } from '#web/marketing/draws/testing.ts'
import { withDemoBrowser } from './demo-browser.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'

const candidates = [100, 1000, 10_000]
const rounds = 20

export function measureDrawCheck(): Promise<Section[]> {
  return withDemoBrowser(async (browser, origin) => {
    const rows: Section['rows'] = []
    for (const members of candidates) {
      const { worker, whole, receiptKb } = await timesOf(browser, origin, members)
      const [first = Number.NaN, ...further] = worker
      rows.push([
        members.toLocaleString('en-US'),
        Math.round(receiptKb),
        first,
        quantile(further, 0.5),
        Math.max(...further),
        quantile(whole, 0.5),
      ])
    }
    return [
      {
        title: 'The check of a draw in a browser',
        about:
          `The built page with the receipt of an honest draw, checked ${rounds + 1} times. The worker: ` +
          'from the message with the receipt to the message with the report, so with reading and ' +
          'checking the JSON. The page: from the press to the shown verdict, with the public files by ' +
          'the network of the machine itself. The first check of a page also compiles the code. Goal: ' +
          '10,000 candidates in less than 50 ms.',
        columns: ['candidates', 'receipt, kB', 'worker ms, first', 'then p50', 'longest', 'page ms, p50'],
        rows,
      },
    ]
  })
}

async function timesOf(browser: Browser, origin: string, members: number) {
  const { receipt, days, day } = honestDraw({ members, club: origin })
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(timeWorkers)
  await page.route(`**${paths.drawDaysFile()}`, (route) => route.fulfill({ json: days }))
  await page.route(`**${paths.drawDayFile(day.day)}`, (route) => route.fulfill({ json: day }))
  await page.goto(paths.drawCheck())
  const text = JSON.stringify(receipt)
  const whole: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    // Another text each time, so that a verdict is of this round.
    await page.getByRole('textbox', { name: 'Receipt' }).fill(`${text}${' '.repeat(round)}`)
    const took = await page.evaluate<number>(`(${pressAndWait})()`)
    if (round > 0) whole.push(took)
  }
  const worker = await page.evaluate<number[]>('globalThis.checkTimes')
  await context.close()
  if (worker.length !== rounds + 1) throw new Error(`The worker answered ${worker.length} times.`)
  return { worker, whole, receiptKb: Buffer.byteLength(text) / 1000 }
}

// Strings, because they run in the page and not in this program.
const timeWorkers = `
  globalThis.checkTimes = []
  const post = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.name === 'receipt') {
      const start = performance.now()
      const listen = ({ data }) => {
        if (data.id !== message.id) return
        checkTimes.push(performance.now() - start)
        this.removeEventListener('message', listen)
      }
      this.addEventListener('message', listen)
    }
    return post.call(this, message, ...rest)
  }`

const pressAndWait = `async () => {
  const checked = checkTimes.length
  const start = performance.now()
  const press = [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Check')
  press.click()
  const isShown = () => [...document.querySelectorAll('[role=status], output')]
    .some(({ innerText }) => innerText.includes('Every step holds'))
  do {
    await new Promise(requestAnimationFrame)
    if (performance.now() - start > 30_000) throw new Error('No verdict was shown.')
  } while (checkTimes.length === checked || !isShown())
  return performance.now() - start
}`
