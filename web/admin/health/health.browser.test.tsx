import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const admin = { ...ada, role: 'admin' as const, twoFactor: true }
const id = '0192f0c0-0000-7000-8000-0000000000d1'
const at = '2026-11-21T09:00:00Z'

const parts: Record<string, unknown> = {
  'GET admin/health/processes': {
    serverTime: at,
    processes: [
      {
        id,
        kind: 'web',
        version: '0.1.0 (1a2b3c4)',
        node: 'v24.21.0',
        host: 'one',
        pid: 12,
        streams: 31,
        startedAt: '2026-11-21T07:00:00Z',
        seenAt: at,
        silent: false,
      },
    ],
  },
  'GET admin/health/queues': {
    queues: [{ name: 'send-mails', waiting: 2, active: 1, retrying: 0, waitSeconds: 5 }],
    failed: [
      { id, queue: 'send-mails', data: '{"mailId":"m"}', error: 'It hung up.', attempts: 3, failedAt: at },
    ],
    failedCount: 1,
  },
  'GET admin/health/outbox': {
    waiting: 4,
    waitSeconds: 70,
    sentIn24Hours: 900,
    failed: [
      {
        id,
        template: 'reset-password',
        maskedAddress: '••••@shop.example',
        memberId: null,
        error: '550 no',
        attempts: 1,
        createdAt: at,
        failedAt: at,
        complete: false,
      },
    ],
    failedCount: 1,
    bounced: [],
    bouncedCount: 0,
  },
  'GET admin/health/database': {
    version: '18.1',
    bytes: 1_400_000_000,
    connections: 9,
    mostConnections: 100,
    tables: [{ name: 'public.events', bytes: 80_000_000, rows: 400_000 }],
    slowMissing: 'not_loaded',
    slow: [],
  },
  'GET admin/health/invariants': {
    rules: 61,
    runs: [{ id, requestedAt: at, startedAt: at, finishedAt: at, breaches: [], error: null }],
  },
  'GET admin/health/storage': {
    measured: { files: 1200, bytes: 60_000_000, at },
    disk: { freeBytes: 5_000_000_000, totalBytes: 20_000_000_000 },
  },
  'GET admin/health/backups': {
    backups: [{ at, snapshotAt: at, bytes: 4_200_000, rows: 9000, files: 77, encrypted: true }],
    drills: [{ at, snapshotAt: at, seconds: 0, rows: 0, files: 0, fault: 'It is damaged or cut off.' }],
    goodDrill: { at, snapshotAt: at, seconds: 190 },
  },
  'GET admin/health/rotation': {
    queued: 1,
    held: 0,
    members: 48,
    notLookedAt: 0,
    oldest: [
      {
        queueId: id,
        sellerId: id,
        productTitle: 'Kitchen ledger',
        status: 'queued',
        requestedAt: at,
        heldBy: null,
        excluded: [{ rule: 'paired_before', members: 11 }],
        askable: 0,
      },
    ],
  },
}

const today = {
  slatePercent: 10,
  slateDoublingMinutes: 30,
  givingCap: 1,
  pairWindowDays: 30,
  absentHours: 24,
  standbyHours: 48,
  offerMinutes: 30,
}
const outcome = { served: 2, withCandidates: 3, medianCandidates: 4, offersOver: 0 }
const advice = {
  members: 20,
  weeklyRate: 1.2,
  pairWindowDays: 30,
  bound: 2.217,
  largestBound: 4.75,
  perWeek: 8,
  membersNeeded: 33,
  state: 'too_small',
  perWeekPossible: 4,
  longWaits: 1,
  liveOffers: 1234,
  answeredInSession: 642,
  liveOfferMinutes: 120,
  refreshedAt: at,
}
Object.assign(parts, {
  'GET admin/health/advice': advice,
  'GET admin/health/simulation': {
    weights: today,
    requests: 6,
    members: 21,
    today: outcome,
    other: { ...outcome, served: 5 },
    oldest: [
      {
        queueId: id,
        productTitle: 'Field notes',
        requestedAt: at,
        candidatesToday: 3,
        candidatesOther: 9,
        servedToday: false,
        servedOther: true,
      },
    ],
  },
})

function serve({ me = admin as typeof ada, failing = '', instead = {} as Record<string, unknown> } = {}) {
  const sent: { call: string; body: unknown }[] = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return me
    if (call === failing) return refusal('UNAVAILABLE', 500, 'Not now.')
    const part = instead[call] ?? parts[call]
    if (part) return part
    sent.push({ call, body: await request.json().catch(() => undefined) })
    return call === 'POST admin/health/invariants' ? { id } : done
  })
  return sent
}

test('the page about health shows every part', async () => {
  serve()
  await open('/admin/health')
  await expect.element(page.getByText('0.1.0 (1a2b3c4)')).toBeVisible()
  await expect.element(page.getByText(/61 rules checked/)).toBeVisible()
  await expect.element(page.getByText('It hung up.')).toBeVisible()
  await expect.element(page.getByText('1.4 GB')).toBeVisible()
  await expect.element(page.getByText(/shared_preload_libraries/)).toBeVisible()
  await expect.element(page.getByText(/met the seller recently/)).toBeVisible()
  await expect.element(page.getByText('5 GB of 20 GB')).toBeVisible()
})

test('a part that cannot be read says so, and the others stay', async () => {
  serve({ failing: 'GET admin/health/database' })
  await open('/admin/health')
  await expect.element(page.getByText('Database could not be read')).toBeVisible()
  await expect.element(page.getByText('It hung up.')).toBeVisible()
})

const ago = (days: number) => new Date(Date.parse(at) - days * 24 * 3600 * 1000).toISOString()
const made = (days: number) => [
  { at: ago(days), snapshotAt: ago(days), bytes: 4_200_000, rows: 9000, files: 77, encrypted: true },
]
const tried = (days: number) => ({ at: ago(days), snapshotAt: ago(days), seconds: 190 })

test.each([
  ['There is no backup', { backups: [], goodDrill: null }],
  ['A backup is overdue', { backups: made(2), goodDrill: tried(2) }],
  ['No recent backup was tried', { backups: made(0), goodDrill: null }],
  ['No recent backup was tried', { backups: made(0), goodDrill: tried(41) }],
  [null, { backups: made(0), goodDrill: tried(39) }],
])('backups show what to mend first: %s', async (title, backups) => {
  serve({ instead: { 'GET admin/health/backups': { drills: [], ...backups } } })
  await open('/admin/health')
  await expect.element(page.getByText('Last good drill')).toBeVisible()
  const shown = page.getByText(/^(There is no backup|A backup is overdue|No recent backup was tried)$/)
  expect(shown.elements().map(({ textContent }) => textContent)).toEqual(title ? [title] : [])
})

test('an admin retries a job, discards it with a reason, and starts a check', async () => {
  const sent = serve()
  await open('/admin/health')
  await page.getByRole('button', { name: 'Retry: send-mails' }).click()
  await expect.element(page.getByText('The job runs again')).toBeVisible()
  await page.getByRole('button', { name: 'Discard: send-mails' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByText('Please give a reason')).toBeVisible()
  await page.getByLabelText('Reason').fill('Answered by hand.')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect.element(page.getByText('The check has started')).toBeVisible()
  expect(sent.map(({ call }) => call)).toEqual([
    `POST admin/health/jobs/${id}/retry`,
    `POST admin/health/jobs/${id}/discard`,
    'POST admin/health/invariants',
  ])
  expect(sent[1]?.body).toEqual({ reason: 'Answered by hand.' })
})

test('support reads everything and changes nothing', async () => {
  serve({ me: { ...admin, role: 'support' } })
  await open('/admin/health')
  await expect.element(page.getByText('It hung up.')).toBeVisible()
  for (const name of ['Retry: send-mails', 'Run now', 'Count now'])
    await expect.element(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
})

test('a club that is too small for its limits is said so, with what helps', async () => {
  serve()
  await open('/admin/health')
  await expect.element(page.getByText('Too small for 8 reviews a week')).toBeVisible()
  await expect
    .element(page.getByText(/Either 13 more members take part, or the weekly limits should be 4\./))
    .toBeVisible()
})

test('an admin tries other weights and sees them beside today’s', async () => {
  serve()
  await open('/admin/health')
  const row = page.getByRole('row', { name: /Requests served by the next draw/ })
  await expect.element(row).toHaveTextContent('Requests served by the next draw25')
  await expect.element(page.getByText('9, served')).toBeVisible()
  await page.getByLabelText('Reviews a member may be ahead').fill('2')
  const asked = vi.spyOn(globalThis, 'fetch')
  await page.getByRole('button', { name: 'Try these' }).click()
  await expect
    .poll(() => asked.mock.calls.map(([to]) => (to instanceof Request ? to.url : String(to))).join(' '))
    .toContain('simulation?givingCap=2')
})

test('weights that could not be tried stay in their fields', async () => {
  serve()
  await open('/admin/health')
  const field = page.getByLabelText('Reviews a member may be ahead')
  await field.fill('2')
  serve({ failing: 'GET admin/health/simulation' })
  await page.getByRole('button', { name: 'Try these' }).click()
  await expect.element(page.getByText('These weights could not be tried')).toBeVisible()
  await expect.element(field).toHaveValue('2')
})

test('the support does not see what only an admin may try', async () => {
  serve({ me: { ...ada, role: 'support', twoFactor: true } as typeof ada })
  await open('/admin/health')
  await expect.element(page.getByText('Size of the club')).toBeVisible()
  await expect.element(page.getByText('52% of 1,234')).toBeVisible()
  await expect.element(page.getByText('Other weights')).not.toBeInTheDocument()
})
