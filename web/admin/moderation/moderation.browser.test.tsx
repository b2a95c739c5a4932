import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CaseFile, CaseRow } from '#contract/staff/moderation.ts'
import { readDraft } from '#web/kit/ui/kept-draft.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'

const id = '00000000-0000-4000-8000-000000000060'
const otherId = '00000000-0000-4000-8000-000000000061'
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

function aRow(part: Partial<CaseRow> = {}): CaseRow {
  return {
    id,
    appealId: null,
    subject: 'review',
    state: 'open',
    productTitle: 'Quiet Week',
    category: 'template',
    reasons: ['no_use'],
    flagged: false,
    openedAt: hours(-50),
    dueAt: hours(-2),
    closedAt: null,
    outcome: null,
    takenBy: null,
    ...part,
  }
}

function aFile(part: Partial<CaseFile> = {}): CaseFile {
  return {
    ...aRow(),
    product: { title: 'Quiet Week', description: null, listingHref: 'https://makerlane.example/listing/1' },
    reports: [
      {
        reason: 'no_use',
        explanation: 'It repeats the listing.',
        version: 1,
        at: hours(-50),
        withdrawn: false,
      },
    ],
    review: {
      id: otherId,
      status: 'reviewed',
      lane: 'public',
      disclosure: 'I belong to a review exchange.',
      acceptedAt: hours(-99),
      purchasedAt: hours(-98),
      submittedAt: hours(-60),
      verifiedAt: null,
      removedAt: null,
      paidCents: 50,
      proof: { id: otherId, kind: 'file', orderId: null, mime: 'image/png' },
      postedLink: null,
      versions: [
        {
          version: 1,
          text: 'The pages print well.',
          usedFor: 'Two weeks of work',
          notFor: 'No one',
          aiAssisted: false,
          at: hours(-60),
        },
      ],
    },
    stoodBy: null,
    answerDueAt: null,
    decisions: [],
    appeals: [],
    before: { sanctions: 0, strikes: 0, decisions: 0 },
    assignedTo: null,
    mayDecide: true,
    mayReturn: true,
    mayRemove: true,
    nextSanction: { usual: 0, serious: 2 },
    serverTime: new Date().toISOString(),
    ...part,
  }
}

let rows: CaseRow[]
let file: CaseFile
let failing: boolean
let sent: { call: string; body: unknown }[]

beforeEach(() => {
  rows = [aRow(), aRow({ id: otherId, productTitle: 'Loud Month', dueAt: hours(20) })]
  file = aFile()
  failing = false
  sent = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return { ...ada, role: 'support', twoFactor: true }
    if (request.method !== 'GET') {
      sent.push({ call, body: await request.clone().json() })
      return done
    }
    if (failing) return new Response('{}', { status: 404 })
    if (call === 'GET admin/moderation/cases') {
      const counts = { open: rows.length, overdue: 1, mine: 0, appeals: 0 }
      return { items: rows, next: null, counts, serverTime: new Date().toISOString() }
    }
    return call.startsWith('GET admin/moderation/cases/') ? file : new Response('{}', { status: 404 })
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the queue runs each clock, and j and Enter open a case', async () => {
  const { router } = await open('/admin/moderation')
  await expect.element(page.getByText(/^(Overdue by 2h \dm|Overdue by 1h 5\dm)$/)).toBeVisible()
  await expect.element(page.getByText(/^(20h \dm|19h 5\dm) left$/)).toBeVisible()
  await userEvent.keyboard('jj{Enter}')
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/admin/moderation/${otherId}`))
})

test('the queue says that it is empty, and that it could not be loaded', async () => {
  rows = []
  await open('/admin/moderation')
  await expect.element(page.getByText('Nothing to decide')).toBeVisible()
})

test('a failing queue can be tried again', async () => {
  failing = true
  await open('/admin/moderation')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('a case is decided by keyboard, with the statement of reasons shown before it is sent', async () => {
  await open(`/admin/moderation/${id}`)
  await expect.element(page.getByText('It repeats the listing.')).toBeVisible()
  await userEvent.keyboard('t')
  await vi.waitFor(() => expect(sent).toMatchObject([{ body: { from: null } }]))
  await userEvent.keyboard('d')
  await userEvent.keyboard(' {ArrowDown}')
  await expect.element(page.getByRole('radio', { name: /Return for an edit/ })).toBeChecked()
  await page.getByRole('combobox', { name: 'Rule' }).click()
  await page.getByRole('option', { name: /describes the writer’s own use/ }).click()
  const findings = 'The text repeats the listing and names no use.'
  await page.getByRole('textbox', { name: 'What it is based on' }).fill(findings)
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect.element(preview.getByText('Your review was returned for an edit.')).toBeVisible()
  await expect.element(preview.getByText(findings)).toBeVisible()
  await expect.element(preview.getByText(/^You can appeal within 14 days\./)).toBeVisible()
  await page.getByRole('button', { name: 'Send decision' }).click()
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject({
    call: `POST admin/moderation/cases/${id}/decide`,
    body: {
      outcome: 'returned',
      rule: 'no_use',
      findings,
      unfounded: false,
      sanction: false,
      serious: false,
    },
  })
})

test('a case that a colleague took, or that I decided before, has no form', async () => {
  file = aFile({ takenBy: 'other', assignedTo: otherId })
  const first = await open(`/admin/moderation/${id}`)
  await expect.element(page.getByText(/A colleague is working on this case/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send decision' })).not.toBeInTheDocument()
  expect(first.router.state.location.pathname).toContain(id)
})

test('findings that were typed come back after another page, and not after they were sent', async () => {
  const findings = page.getByRole('textbox', { name: 'What it is based on' })
  file = aFile({ takenBy: 'me', assignedTo: ada.id })
  const { router } = await open(`/admin/moderation/${id}`)
  await findings.fill('The text repeats the listing and names no use.')
  await router.navigate({ to: '/admin/moderation' })
  await expect.element(findings).not.toBeInTheDocument()
  router.history.back()
  await expect.element(findings).toHaveValue('The text repeats the listing and names no use.')
  await page.getByRole('radio', { name: /Dismiss/ }).click()
  await page.getByRole('button', { name: 'Send decision' }).click()
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  await vi.waitFor(() => expect(readDraft(`decide:${id}`)).toBe(''))
})
