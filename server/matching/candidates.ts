// Whom a request may be offered to, before history is checked: by the request's wait and the member's
// balance. The pass and the staff's page about waiting requests read the same rules here.
import { sql } from 'kysely'
import { queuePlaces } from '#contract/matching.ts'
import { capRelaxation, escalationHours, givingCap } from '#contract/matching-rules.ts'
import type { Receiving } from '#contract/matching-rules.ts'
import type { SkipReason } from '#contract/draw.ts'

/** The tier that a pass takes its candidates from: present members, absent members, members on stand-by. */
export const phases = { present: 0, absent: 1, standby: 2 } as const
export type Phase = (typeof phases)[keyof typeof phases]

export type Candidate = {
  memberId: string
  band: number
  turnAt: string
  gross: number
  /** How far a review for them is, which relaxes the giving cap sooner. */
  receiving: Receiving
  auditKey: Buffer
  overdue: boolean
}

/**
 * In SQL: how far along the review is that the member of the row `s` will receive next. One that was
 * returned, or that a report holds, counts as bought. It is looked up only for members at the cap: it changes
 * nothing for others.
 */
export const receiving = sql<Receiving>`(case
  when s.pending_take = 0 or s.balance + s.pending_give < ${sql.lit(givingCap)} then 'nothing' else coalesce((
    select case when bool_or(t.status = 'reviewed' and t.held_at is null) then 'submitted' else 'bought' end
    from reviews t where t.seller_id = s.member_id and t.status in ('purchased', 'reviewed', 'returned')
    having count(*) > 0
  ), 'accepted') end)`

/** In SQL: the columns of a candidate, of the row `s` of the reviewer states. */
export const candidateColumns = sql`s.member_id, s.band, s.turn_at, s.balance + s.pending_give as gross,
  ${receiving} as receiving, s.audit_key, exists (select from reviews r
  where r.reviewer_id = s.member_id and r.status = 'pending'
    and r.purchase_due_at < clock_timestamp()) as overdue`

/** In SQL: when the seller of the row `q` asked. A successor of a lapsed request is as old as that one. */
export const askedAt = sql<string>`coalesce(q.asked_at, q.created_at)`

/**
 * In SQL: since when the request `q` waits. Days of writing, times on hold and those until a moment
 * (limits/resuming.ts) are left out.
 */
export const waitingSince = sql<string>`coalesce(q.waiting_since, ${askedAt})`

/** In SQL: the columns of the age of the request `q`, which opens its slate, and of the time it waited. */
export const ageColumns = sql`extract(epoch from clock_timestamp() - ${askedAt})::float8 / 3600 as age_hours,
  extract(epoch from clock_timestamp() - ${waitingSince})::float8 / 3600 as waited_hours`

/** In SQL: the place of the request `q` in the queue, as far as places are counted; null unless it waits. */
export const placeInQueue = sql<number | null>`case when q.status = 'queued' then (select count(*)::int
  from (select from review_queue a where a.status = 'queued' and (a.prio_at, a.id) <= (q.prio_at, q.id)
    order by a.prio_at, a.id limit ${sql.lit(queuePlaces + 1)}) counted) end`

/** The hours that a request waits before it is offered to the members of a phase. */
export function hoursBefore(phase: Phase): number {
  if (phase === phases.present) return 0
  return phase === phases.absent ? escalationHours.absent : escalationHours.standby
}

/** The highest band that any of these requests may reach after its wait. */
export function bandLimit(requests: readonly { waitedHours: number }[], cap = givingCap): number {
  const relaxation = Math.max(...requests.map(({ waitedHours }) => capRelaxation(waitedHours, 'submitted')))
  return Math.min(3 + cap + relaxation, 8)
}

/** Why a candidate may not take a request, whatever history says; null when they may. */
export function barredFrom(
  request: { sellerId: string; waitedHours: number },
  member: Pick<Candidate, 'memberId' | 'gross' | 'receiving' | 'overdue'>,
  cap = givingCap,
): SkipReason | null {
  if (request.sellerId === member.memberId) return 'own_product'
  const relaxation = capRelaxation(request.waitedHours, member.receiving)
  if (member.overdue || member.gross >= cap + relaxation) return 'over_cap'
  return null
}
