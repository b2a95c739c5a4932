// What requests that have waited for more than a day find in the club: whom the rules leave out, and who of
// the others came lately. It says why a goal of the waiting times is missed.
import { sql } from 'kysely'
import type { WaitingRule } from '#contract/staff/health.ts'
import { ageColumns, candidateColumns, waitingSince } from '#server/matching/candidates.ts'
import { rulesFor } from '#server/matching/explain/rules.ts'
import type { Asked, Member } from '#server/matching/explain/rules.ts'
import { tierNow } from '#server/matching/tiers.ts'
import { takesPart } from '#server/membership/standings.ts'
import type { VirtualClub } from './club.ts'

/** Sums over all looks at all such requests. */
export type Reasons = {
  requests: number
  /** Members who take part, without the seller. */
  members: number
  /** Of the members whom no rule leaves out: those who came within a day, within three days, and the rest. */
  free: { day: number; threeDays: number; longer: number }
  leftOut: Partial<Record<WaitingRule, number>>
}

export const noReasons = (): Reasons => ({
  requests: 0,
  members: 0,
  free: { day: 0, threeDays: 0, longer: 0 },
  leftOut: {},
})

/** The requests of one look: the oldest. */
const mostRequests = 20

type Row = Member & { hoursAway: number }

/** Adds what the requests that wait for more than a day find now. Presence does not count. */
export async function addReasons({ system }: VirtualClub, sums: Reasons): Promise<void> {
  const { rows: requests } = await sql<Asked>`
    select q.seller_id, q.listing_id, q.lottery_key, ${ageColumns}
    from review_queue q
    where q.status = 'queued' and q.seller_id in (select member_id from standings where standing = 'in')
      and ${waitingSince} < clock_timestamp() - interval '24 hours'
      and (q.waits_until is null or q.waits_until < clock_timestamp())
    order by ${waitingSince} limit ${mostRequests}`.execute(system.db)
  if (requests.length === 0) return
  const { rows: members } = await sql<Row>`
    select ${candidateColumns}, ${tierNow} as tier,
      coalesce(extract(epoch from clock_timestamp() - s.last_seen_at)::float8 / 3600, 1e6) as hours_away
    from reviewer_states s where ${takesPart('s.member_id')}`.execute(system.db)
  const found = await rulesFor(system, requests, members, { everyone: true })
  for (const rules of found) {
    sums.requests += 1
    for (const [place, rule] of rules.entries()) {
      if (rule === 'own_product') continue
      sums.members += 1
      if (rule) sums.leftOut[rule] = (sums.leftOut[rule] ?? 0) + 1
      else sums.free[sinceWhen(members[place]?.hoursAway ?? 0)] += 1
    }
  }
}

function sinceWhen(hours: number): keyof Reasons['free'] {
  if (hours <= 24) return 'day'
  return hours <= 72 ? 'threeDays' : 'longer'
}
