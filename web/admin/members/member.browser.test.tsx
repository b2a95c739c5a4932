import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

const id = '0192f0c0-0000-7000-8000-000000000002'
const entryId = '0192f0c0-0000-7000-8000-000000000005'

const ben: MemberPage = {
  id,
  email: 'ben@mail.example',
  emailVerified: true,
  emailBounced: false,
  username: 'ben',
  displayName: '',
  fullName: 'Ben Adeyinka',
  avatar: null,
  role: 'user',
  twoFactor: false,
  locale: 'en-US',
  timeZone: null,
  createdAt: '2026-11-01T09:00:00Z',
  lastSeenAt: null,
  membership: {
    state: 'active',
    source: null,
    currentPeriodEnd: '2026-12-01T09:00:00Z',
    pausedUntil: null,
    endsAt: null,
    graceUntil: null,
  },
  standing: { takesPart: true, whyNot: null, whyNoOffer: 'COOLDOWN', cooldownUntil: null, declinesToday: 2 },
  suspension: null,
  balance: { balance: 1, given: 2, received: 1, pendingGive: 0, pendingTake: 0, openRequests: 0 },
  counts: { products: 1, requests: 3, offers: 4, reviews: 2 },
  strikes: [],
  fromBefore: { strikes: 0, sanctions: 0 },
  otherAccounts: [],
  devices: [],
  notes: [],
  reports: [],
  shops: [],
  declarations: [],
}

let member: MemberPage
let role: 'admin' | 'support'
let failure: Response | null
let sent: { call: string; body: unknown }[]

beforeEach(() => {
  member = ben
  role = 'admin'
  failure = null
  sent = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return { ...ada, role, twoFactor: true }
    if (call === `GET admin/users/${id}`) return failure ?? member
    if (call === `GET admin/users/${id}/ledger`)
      return {
        items: [
          {
            id: entryId,
            at: '2026-11-20T09:00:00Z',
            reason: 'gave',
            delta: 1,
            balance: 1,
            exchangeId: null,
            product: null,
            corrects: null,
            corrected: false,
          },
        ],
        next: null,
      }
    if (call === `GET admin/users/${id}/mails`) return { items: [], next: null }
    if (call.startsWith('POST admin/users/')) {
      sent.push({ call, body: await request.json() })
      return done
    }
    return undefined
  })
})

test('the page says in words where the member stands', async () => {
  await open(`/admin/users/${id}`)
  await expect.element(page.getByRole('heading', { name: 'ben', exact: true })).toBeVisible()
  await expect.element(page.getByText(/No offers now: On cooldown after several declines/)).toBeVisible()
  await expect.element(page.getByText(/2 counted declines today/)).toBeVisible()
})

test('the page says what counts from accounts that were deleted', async () => {
  member = { ...ben, fromBefore: { strikes: 2, sanctions: 1 } }
  await open(`/admin/users/${id}`)
  await expect
    .element(page.getByText('From accounts that were deleted, 2 strikes and 1 sanction count as well.'))
    .toBeVisible()
})

test('an admin clears what counts from before, only where something does', async () => {
  await open(`/admin/users/${id}`)
  await expect.element(page.getByRole('button', { name: 'Grant membership' })).toBeVisible()
  const name = 'Clear what counts from before'
  expect(page.getByRole('button', { name }).elements()).toEqual([])
  member = { ...ben, fromBefore: { strikes: 0, sanctions: 1 } }
  await open(`/admin/users/${id}?again`)
  await page.getByRole('button', { name }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Another person at this address.')
  await page.getByRole('button', { name: 'Clear them' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sent.at(-1)).toEqual({
    call: `POST admin/users/${id}/clear-kept`,
    body: { reason: 'Another person at this address.' },
  })
})

test('the page leads to other accounts of the person, and says which are suspended', async () => {
  const other = '0192f0c0-0000-7000-8000-0000000000aa'
  member = { ...ben, otherAccounts: [{ id: other, name: 'ben-two', suspended: true }] }
  await open(`/admin/users/${id}`)
  const entry = page.getByRole('listitem').filter({ hasText: 'ben-two' })
  await expect.element(entry.getByRole('link')).toHaveAttribute('href', `/admin/users/${other}`)
  await expect.element(entry.getByText('Suspended')).toBeVisible()
})

test('support sees neither sign-out, grants nor corrections', async () => {
  role = 'support'
  member = { ...ben, fromBefore: { strikes: 2, sanctions: 1 } }
  await open(`/admin/users/${id}?tab=ledger`)
  await expect.element(page.getByText('Gave a review')).toBeVisible()
  for (const name of ['Sign out everywhere', 'Grant membership', 'Clear what counts', 'Correct']) {
    expect(page.getByRole('button', { name }).elements()).toEqual([])
  }
  await expect.element(page.getByRole('button', { name: 'Suspend' })).toBeVisible()
})

test('a suspension needs a reason, by keyboard alone', async () => {
  await open(`/admin/users/${id}`)
  const button = page.getByRole('button', { name: 'Suspend' })
  await expect.element(button).toBeVisible()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Two accounts.')
  await userEvent.keyboard('{Tab}{Tab}{Enter}')
  await expect.element(page.getByText('Member suspended')).toBeVisible()
  expect(sent).toEqual([
    { call: `POST admin/users/${id}/suspend`, body: { reason: 'Two accounts.', days: 7 } },
  ])
})

test('an admin corrects an entry of the ledger by its opposite', async () => {
  await open(`/admin/users/${id}?tab=ledger`)
  await page.getByRole('button', { name: 'Correct' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Another product.')
  await page.getByRole('button', { name: 'Correct the entry' }).click()
  await expect.element(page.getByText('Entry corrected')).toBeVisible()
  expect(sent.at(-1)?.call).toBe(`POST admin/users/${id}/ledger/${entryId}/correct`)
})

test('an empty tab says so', async () => {
  await open(`/admin/users/${id}?tab=mails`)
  await expect.element(page.getByText('No mails')).toBeVisible()
})

test.each([
  ['NOT_FOUND', 404, 'This member doesn’t exist'],
  ['OWN_MATTER', 403, 'This is your own account'],
  ['UNAVAILABLE', 503, 'The member could not be loaded'],
] as const)('%s is explained', async (code, status, title) => {
  failure = refusal(code, status, 'A message.')
  await open(`/admin/users/${id}`)
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
})
