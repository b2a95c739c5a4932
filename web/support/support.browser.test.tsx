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

async function openAs({ demo }: { demo: boolean }) {
  answerBy((call) => {
    if (call === 'GET me') return { ...ada, demo }
    if (call === 'GET support') return { items: [], next: null }
    return call === 'POST support' ? done : undefined
  })
  await open('/support')
}

async function send() {
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option').first().click()
  await page.getByLabelText('Subject').fill('Where is my card?')
  await page.getByLabelText('Message').fill('I cannot find it.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Support request submitted successfully')).toBeVisible()
}
