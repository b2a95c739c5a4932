import { expect, test } from 'vitest'
import { membershipStates } from '#contract/membership.ts'
import { describeState } from './state-labels.ts'
import { paying } from './testing.ts'

const now = Date.parse('2026-11-21T09:00:00Z')
const later = '2026-11-25T09:00:00Z'

test.each(membershipStates)('%s promises someone who is suspended no part in the club', (state) => {
  for (const payments of ['live', 'closed'] as const) {
    const billing = { ...paying, state, payments, graceUntil: later, endsAt: later }
    const promises = /\bjoin\b|^you take part until|as before|come back/i
    expect(describeState(billing, { now, isSuspended: true })).not.toMatch(promises)
    expect(describeState(billing, { now, isSuspended: false })).not.toBe('')
  }
})
