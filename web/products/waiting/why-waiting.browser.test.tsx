import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Wait } from '#contract/waiting.ts'
import { planner, requestOf, show, answerWith } from '../testing.tsx'
import { WhyWaitingDialog } from './why-waiting-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

const request = requestOf('queued')
const hour = 3_600_000
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

const wait: Wait = {
  id: request.id,
  status: 'queued',
  position: 3,
  requestedAt: at(-2),
  heldBy: null,
  heldUntil: null,
  beaconUntil: null,
  couldBeAsked: 20,
  hereNow: 0,
  leftOut: [{ rule: 'paired_before', members: 5 }],
  atThisHour: { requests: 44, hours: 3.5 },
  typicalWaitHours: 6,
  busiest: { from: at(1), until: at(5) },
  steps: [{ kind: 'absent', at: at(22) }],
  pairWindowDays: 30,
  toWrite: 1,
  movesAhead: false,
  serverTime: at(0),
}

function open(answer: Partial<Wait>) {
  const sent = answerWith({ [`GET /requests/${request.id}/wait`]: { ...wait, ...answer } })
  return show(<WhyWaitingDialog product={{ ...planner, request }} open onClose={() => {}} />).then(() => sent)
}

test('says who could be asked, who is here, the typical wait, what comes next and what helps', async () => {
  await open({})
  const dialog = page.getByRole('dialog', { name: 'Why am I waiting?' })
  await expect.element(dialog.getByText('at least 20 members')).toBeVisible()
  await expect.element(dialog.getByText('fewer than 5 of them')).toBeVisible()
  await expect.element(dialog.getByText(/^2 hours .*, number 3 in the queue$/)).toBeVisible()
  await expect.element(dialog.getByText(/^3 hours 30 minutes at this time of day/)).toBeVisible()
  await expect.element(dialog.getByText(/Members who are away can be asked too/)).toBeVisible()
  await expect.element(dialog.getByRole('link', { name: 'Finish the review you owe' })).toBeVisible()
  await expect.element(dialog.getByText(/Two members meet at most once in 30 days/)).toBeVisible()
})

test('says that the draw waits for a public random number, as long as it does', async () => {
  const text = page.getByText(/^Within a minute\. It waits for a public random number/)
  await open({ beaconUntil: at(1 / 60) })
  await expect.element(text).toBeVisible()
})

test('says nothing of a public random number once its minute is over, or where there is none', async () => {
  const text = page.getByText(/public random number/)
  await open({ beaconUntil: at(-1 / 3600) })
  await expect.element(page.getByText('Could be asked')).toBeVisible()
  expect(text.query()).toBeNull()
})

test('says that the club’s history is too short for a typical wait', async () => {
  await open({ atThisHour: { requests: 19, hours: null }, typicalWaitHours: null })
  await expect.element(page.getByText('too few requests at this time of day to say')).toBeVisible()
})

test('says what holds a request back, and until when', async () => {
  await open({ heldBy: 'seller_at_limit', heldUntil: '2030-01-02T12:00:00.000Z' })
  await expect.element(page.getByText('You’ve received as many reviews as a member may')).toBeVisible()
  await expect.element(page.getByText(/It resumes by Jan 2, 2030/)).toBeVisible()
})
