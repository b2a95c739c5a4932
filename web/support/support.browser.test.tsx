import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

afterEach(() => vi.unstubAllGlobals())

test('the support page says that a person answers by email', async () => {
  await openAs({ demo: false })
  await expect.element(page.getByText(/A person reads every message and answers by email/)).toBeVisible()
  await send()
  await expect.element(page.getByText('We’ll confirm it by email and answer there.')).toBeVisible()
})

test('the support page of the demo says who can answer', async () => {
  await openAs({ demo: true })
  await expect.element(page.getByText(/only its staff accounts can answer/)).toBeVisible()
  await expect.element(page.getByText(/A person reads/)).not.toBeInTheDocument()
  await send()
  await expect.element(page.getByText('In this demo, sign in as its staff to answer it.')).toBeVisible()
  await expect.element(page.getByText(/answer there/)).not.toBeInTheDocument()
})

test('the member reads the answers of the staff and writes back', async () => {
  const id = '0192f0c0-0000-7000-8000-0000000000c1'
  const message = {
    id,
    reference: 'ABCD1234',
    subject: 'Where is my card?',
    status: 'resolved',
    createdAt: '2026-11-20T09:00:00Z',
    answeredAt: '2026-11-20T10:00:00Z',
  }
  const sent: unknown[] = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return ada
    if (call === 'GET support') return { items: [message], next: null }
    if (call === `GET support/${id}`)
      return {
        ...message,
        message: 'I cannot find it.',
        entries: [{ id, mine: false, body: 'It is on your page.', createdAt: message.answeredAt }],
      }
    if (call !== `POST support/${id}/replies`) return undefined
    sent.push(await request.json())
    return done
  })
  await open('/support')
  await page.getByRole('link', { name: 'Where is my card?' }).click()
  await expect.element(page.getByText('It is on your page.')).toBeVisible()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Please fill in all fields')).toBeVisible()
  await page.getByLabelText('Message').fill('Found it.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Your message was sent')).toBeVisible()
  expect(sent).toEqual([{ message: 'Found it.' }])
})

test('a message whose answer was lost is sent again as the same one, a further one as another', async () => {
  const keys: (string | null)[] = []
  answerBy((call, request) => {
    if (call === 'GET me') return ada
    if (call === 'GET support') return { items: [], next: null }
    if (call !== 'POST support') return undefined
    keys.push(request.headers.get('idempotency-key'))
    return keys.length === 1 ? Promise.reject(new TypeError('Failed to fetch')) : done
  })
  await open('/support')
  await fill()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Failed to submit support request').first()).toBeVisible()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Support request submitted successfully')).toBeVisible()
  await send()
  await expect.poll(() => keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(2)
  expect(keys[1]).toBe(keys[0])
})

async function openAs({ demo }: { demo: boolean }) {
  answerBy((call) => {
    if (call === 'GET me') return { ...ada, demo }
    if (call === 'GET support') return { items: [], next: null }
    return call === 'POST support' ? done : undefined
  })
  await open('/support')
}

async function fill() {
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option').first().click()
  await page.getByLabelText('Subject').fill('Where is my card?')
  await page.getByLabelText('Message').fill('I cannot find it.')
}

async function send() {
  await fill()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Support request submitted successfully')).toBeVisible()
}
