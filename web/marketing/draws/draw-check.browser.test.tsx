import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/marketing/site.css'
import { paths } from '#web/paths.ts'
import { createChecker } from './checker.ts'
import { DrawCheck } from './draw-check.tsx'
import { checkIds } from './ids.ts'
import { honestDraw } from './testing.ts'
import type { DrawFiles } from './testing.ts'

afterEach(() => vi.restoreAllMocks())

/** The club's answers, by address; any other is not there. */
function serve(files: Record<string, unknown>) {
  vi.spyOn(window, 'fetch').mockImplementation(async (address) => {
    const found = files[address instanceof Request ? address.url : String(address)]
    return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
  })
}

const publicFiles = ({ days, day }: DrawFiles) => ({
  [paths.drawDaysFile()]: days,
  [paths.drawDayFile(day.day)]: day,
})
const receiptField = () => page.getByRole('textbox', { name: 'Receipt' })
const verdict = () => page.getByRole('status').last()

test('the worker checks a pasted receipt of 10,000 candidates, by keyboard, then a changed one', async () => {
  const files = honestDraw({ members: 10_000, club: location.origin })
  serve(publicFiles(files))
  await page.viewport(390, 844)
  await render(<DrawCheck checker={createChecker({ signedIn: false })} signedIn={false} />)

  await receiptField().fill(JSON.stringify(files.receipt))
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(verdict()).toHaveTextContent('Every step holds')
  await expect.element(page.getByText('It is their own product').first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(390)

  const nonce = `${files.receipt.nonce.startsWith('0') ? '1' : '0'}${files.receipt.nonce.slice(1)}`
  await receiptField().fill(JSON.stringify({ ...files.receipt, nonce }))
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(page.getByText(/^This step failed: /).first()).toBeVisible()
})

test('a member’s own draws lead to their checks; what can’t be loaded is asked for again', async () => {
  serve({})
  await render(<DrawCheck checker={createChecker({ signedIn: true })} signedIn />)
  await expect.element(page.getByText('That didn’t work')).toBeVisible()
  const request = '00000000-0000-7000-8000-0000000000d1'
  const draw = { request, side: 'seller', title: 'Even Keel', day: '2026-11-25', published: true }
  serve({ [paths.ownDraws()]: [draw] })
  await page.getByRole('button', { name: 'Try again' }).click()
  const check = page.getByRole('link', { name: 'Check the draw of Even Keel' })
  await expect.element(check).toHaveAttribute('href', paths.drawCheck(request))
  await expect.element(page.getByText(/The secret of Nov 25, 2026 is published/)).toBeVisible()
})

test('a request’s receipt loads by its address, and what is missing is said with the way on', async () => {
  const files = honestDraw({ club: location.origin })
  const { request } = files.receipt
  serve({ ...publicFiles(files), [paths.drawReceiptFile(request)]: files.receipt })
  const view = await render(
    <DrawCheck checker={createChecker({ signedIn: false })} signedIn={false} request={request} />,
  )
  await expect.element(verdict()).toHaveTextContent('Every step holds')
  await view.unmount()

  serve({})
  await render(<DrawCheck checker={createChecker({ signedIn: false })} signedIn={false} request={request} />)
  await expect.element(page.getByText('There is no receipt for this').first()).toBeVisible()
  await receiptField().fill('not a receipt')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect.element(page.getByText('There is no receipt for this')).not.toBeInTheDocument()
})

/** The part of the page that checks, as the server renders it, with its script. */
async function openPage() {
  const place = document.createElement('div')
  place.dataset['drawCheck'] = ''
  place.innerHTML = renderToString(<DrawCheck checker={null} signedIn={false} />, {
    identifierPrefix: checkIds,
  })
  document.body.append(place)
  await import('./start.ts')
  return place
}

test('what was typed and pressed before the code came counts, and the field stays the same', async () => {
  const files = honestDraw({ club: location.origin })
  serve(publicFiles(files))
  const warned = vi.spyOn(console, 'error')
  const place = await openPage()
  const [field, button] = [place.querySelector('textarea'), place.querySelector('button')]
  if (!field || !button) throw new Error('the page has no form')
  field.value = JSON.stringify(files.receipt)
  button.click()
  field.focus()
  field.setSelectionRange(3, 5)
  await expect.element(verdict()).toHaveTextContent('Every step holds')
  expect(document.activeElement).toBe(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([3, 5])
  expect(field.value).toBe(JSON.stringify(files.receipt))
  expect(warned).not.toHaveBeenCalled()
  place.remove()
})
