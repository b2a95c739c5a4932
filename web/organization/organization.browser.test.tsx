import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Organization } from '#contract/organization.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'
import { aFullOrganization } from './testing.ts'

let organization: Organization
let sent: { call: string; body: unknown }[]

beforeEach(() => {
  organization = aFullOrganization
  sent = []
  answerBy(answer)
})
afterEach(() => vi.unstubAllGlobals())

test('each entry shows how it stands, and who named the member can be answered by keyboard', async () => {
  await open('/org')
  await expect.element(page.getByRole('heading', { name: 'Organization', level: 1 })).toBeVisible()
  await expect.element(page.getByText('They disagree')).toBeVisible()
  await expect.element(page.getByText('Removed, ends on Dec 20, 2026')).toBeVisible()
  const confirm = page.getByRole('button', { name: 'Confirm @clara' })
  ;(confirm.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Your answer is saved')).toBeVisible()
  expect(sent).toMatchObject([{ body: { belongs: true } }])
})

test('a refusal stays at the field with what was typed; a full list says why nothing is added', async () => {
  await open('/org')
  await page.getByRole('button', { name: 'Add to competitors' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a competitor' })
  await dialog.getByLabelText('Who it is').fill('@unknown-one')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(dialog.getByText('No member has this username.')).toBeVisible()
  await expect.element(dialog.getByLabelText('Who it is')).toHaveValue('@unknown-one')
  await userEvent.keyboard('{Escape}')
  organization = { ...aFullOrganization, limit: { used: 8, most: 8 } }
  await page.getByRole('button', { name: 'Remove @juno' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect
    .element(page.getByRole('button', { name: 'Add to competitors' }))
    .toHaveAccessibleDescription(/You have 8 of 8/)
})

async function answer(call: string, request: Request): Promise<unknown> {
  if (call === 'GET me') return ada
  if (call === 'GET organization') return organization
  if (call === 'GET offers/current') return null
  if (!call.startsWith('POST organization')) return undefined
  sent.push({ call, body: await request.json().catch(() => null) })
  return call === 'POST organization/declarations'
    ? refusal('UNKNOWN_MEMBER', 404, 'No member has this username.', { field: 'named' })
    : done
}
