import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FlagFile, FlagRow } from '#contract/staff/flags.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const sam = { ...ada, username: 'sam', role: 'support', twoFactor: true } as const
const flag: FlagRow = {
  id: '0192f0c0-0000-7000-8000-00000000000a',
  kind: 'similar_text',
  why: 'Version 1 of this review has 84% of its letter groups in common with another review.',
  about: [
    {
      label: 'Product',
      text: 'Planner of clara',
      memberId: null,
      href: 'https://makerlane.example/listing/1',
    },
    { label: 'Reviewer', text: 'dario', memberId: ada.id, href: null },
  ],
  foundAt: '2026-11-21T09:00:00Z',
  caseAbout: 'review',
  closed: null,
}
const file: FlagFile = {
  ...flag,
  texts: [
    { label: 'The flagged text', text: 'It prints cleanly.' },
    { label: 'The other review', text: 'It prints very cleanly.' },
  ],
}

const caseId = '0192f0c0-0000-7000-8000-00000000000c'

async function show(items: unknown, shown: FlagFile = file) {
  const sent: unknown[] = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return sam
    if (call === 'GET admin/moderation/flags')
      return items instanceof Response ? items.clone() : { items, next: null, open: 1 }
    if (call === `GET admin/moderation/flags/${flag.id}`) return shown
    if (call.endsWith('/dismiss')) {
      sent.push(await request.json())
      return done
    }
    if (call === `POST admin/moderation/flags/${flag.id}/case`) {
      sent.push(await request.json())
      return { caseId }
    }
    return undefined
  })
  const { router } = await open('/admin/moderation/flags')
  return { sent, router }
}

test('a flag is opened by keyboard, says why, and is dismissed with a reason', async () => {
  const { sent } = await show([flag])
  await expect.element(page.getByRole('cell', { name: flag.why })).toBeVisible()
  await userEvent.keyboard('j{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Similar text' })
  await expect.element(dialog.getByText('It prints very cleanly.')).toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'dario' }))
    .toHaveAttribute('href', `/admin/users/${ada.id}`)
  await expect.element(dialog.getByRole('button', { name: 'Dismiss flag' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('Both describe the same twelve pages.')
  await dialog.getByRole('button', { name: 'Dismiss flag' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent).toEqual([{ reason: 'Both describe the same twelve pages.' }])
})

test('a case is opened from a flag with a reason, and shown', async () => {
  const { sent, router } = await show([flag])
  await expect.element(page.getByRole('cell', { name: flag.why })).toBeVisible()
  await userEvent.keyboard('j{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Similar text' })
  await expect.element(dialog.getByRole('button', { name: 'Open a case' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('Most sentences are the same.')
  await dialog.getByRole('button', { name: 'Open a case' }).click()
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/admin/moderation/${caseId}`))
  expect(sent).toEqual([{ reason: 'Most sentences are the same.' }])
})

test('a ring can be dismissed, and opens no case', async () => {
  await show([flag], { ...file, kind: 'ring', texts: [], caseAbout: null })
  await expect.element(page.getByRole('cell', { name: flag.why })).toBeVisible()
  await userEvent.keyboard('j{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Ring' })
  await expect.element(dialog.getByText(/no one review or listing/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Open a case' })).not.toBeInTheDocument()
})

test('an empty list says so', async () => {
  await show([])
  await expect.element(page.getByText('No open flags')).toBeVisible()
})

test('a list that fails can be loaded again', async () => {
  await show(refusal('UNAVAILABLE', 503, 'This is not available right now.'))
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
