// Why requests wait: for each of the oldest, and for any one, how many members every rule of the rotation
// leaves out. It reads the rules that the pass follows, and changes and locks nothing.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { RequestRules, WaitingRequest, WaitingRule } from '#contract/staff/health.ts'
import { waitingRules } from '#contract/staff/health.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { firstId } from '#server/kit/db/db.ts'
import { isTakingPart, takesPart } from '#server/membership/standings.ts'
import { ageColumns, askedAt, candidateColumns } from './candidates.ts'
import { heldBy } from './explain/holds.ts'
import type { HoldFacts } from './explain/holds.ts'
import { rulesFor } from './explain/rules.ts'
import type { Asked, Member } from './explain/rules.ts'
import { isAtLimit } from './limits/received.ts'
import { endedByItsSeller } from './limits/taken-back.ts'
import { availableAt, isAvailable, isQuiet, tierNow } from './tiers.ts'

export { adviseClub } from './explain/advice.ts'
export { simulateRotation } from './explain/simulation.ts'

const mostRequests = 10
const mostCandidates = 1000
/** Of one request, members are looked at in so many portions of `mostCandidates`. */
const mostPortions = 20

type Waiting = Asked & HoldFacts & Pick<WaitingRequest, 'queueId' | 'productTitle' | 'status' | 'requestedAt'>
/** The members whom no request may be offered to now, by the first rule that says so. */
type Unavailable = {
  members: number
  notTakingPart: number
  hasOffer: number
  onCooldown: number
  inQuietHours: number
}
type Counts = Map<WaitingRule | null, number>

/**
 * The oldest waiting requests with the members that each rule leaves out, and how many wait in all. `shown`
 * is a condition of the requests `q` that are listed.
 */
export async function explainWaiting(ctx: Ctx, shown: RawBuilder<boolean> = sql`true`) {
  const { rows: counted } = await sql<{ queued: number; held: number }>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'held')::int as held
    from review_queue where status in ('queued', 'held')`.execute(ctx.db)
  const requests = await readWaiting(ctx, shown)
  const unavailable = await countUnavailable(ctx)
  const candidates = await readAvailable(ctx, sql`s.band, s.turn_at, s.member_id`)
  const rules = await rulesFor(ctx, requests, candidates)
  return {
    ...(counted[0] ?? { queued: 0, held: 0 }),
    members: unavailable.members,
    notLookedAt: Math.max(0, availableOf(unavailable) - candidates.length),
    oldest: requests.map((request, at): WaitingRequest => {
      const { queueId, sellerId, productTitle, status, requestedAt } = request
      const counts: Counts = new Map()
      for (const rule of rules[at] ?? []) count(counts, rule)
      return {
        queueId,
        sellerId,
        productTitle,
        status,
        requestedAt,
        ...explained(request, counts, unavailable),
      }
    }),
  }
}

/** The members that each rule leaves out of a request that waits; null for one that does not. */
export async function explainRequest(ctx: Ctx, queueId: string): Promise<RequestRules | null> {
  const [request] = await readWaiting(ctx, sql`q.id = ${queueId}`)
  if (!request) return null
  const unavailable = await countUnavailable(ctx)
  const counts: Counts = new Map()
  let lookedAt = 0
  let after = firstId
  for (let portion = 0; portion < mostPortions; portion += 1) {
    const members = await readAvailable(ctx, sql`s.member_id`, after)
    const [rules = []] = await rulesFor(ctx, [request], members)
    for (const rule of rules) count(counts, rule)
    lookedAt += members.length
    after = members.at(-1)?.memberId ?? after
    if (members.length < mostCandidates) break
  }
  return {
    requestedAt: request.requestedAt,
    members: unavailable.members,
    notLookedAt: Math.max(0, availableOf(unavailable) - lookedAt),
    ...explained(request, counts, unavailable),
  }
}

function count(counts: Counts, rule: WaitingRule | null) {
  counts.set(rule, (counts.get(rule) ?? 0) + 1)
}

function explained(request: HoldFacts, counts: Counts, unavailable: Unavailable) {
  const held = heldBy(request)
  if (held) return { heldBy: held, excluded: [], askable: 0 }
  const { notTakingPart, hasOffer, onCooldown, inQuietHours } = unavailable
  const found: Counts = new Map([
    ...counts,
    ['not_taking_part', notTakingPart],
    ['has_offer', hasOffer],
    ['on_cooldown', onCooldown],
    ['in_quiet_hours', inQuietHours],
  ])
  const excluded = waitingRules.flatMap((rule) => {
    const members = found.get(rule) ?? 0
    return members > 0 ? [{ rule, members }] : []
  })
  return { heldBy: null, excluded, askable: counts.get(null) ?? 0 }
}

function availableOf({ members, notTakingPart, hasOffer, onCooldown, inQuietHours }: Unavailable) {
  return members - notTakingPart - hasOffer - onCooldown - inQuietHours
}

async function readWaiting(ctx: Ctx, which: ReturnType<typeof sql>): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select q.id as queue_id, q.seller_id, q.listing_id, p.title as product_title, q.status,
      ${askedAt} as requested_at, t.standing as seller_standing, k.lane = 'closed' as marketplace_closed,
      q.waits_until > clock_timestamp() as waits, ${isAtLimit} as at_limit,
      ${endedByItsSeller} as took_back,
      q.lottery_key,
      ${ageColumns}
    from review_queue q join products p on p.id = q.product_id
      join marketplaces k on k.id = p.marketplace_id join standings t on t.member_id = q.seller_id
    where q.status in ('queued', 'held') and ${which}
    order by q.prio_at, q.id limit ${mostRequests}`.execute(ctx.db)
  return rows
}

async function countUnavailable(ctx: Ctx): Promise<Unavailable> {
  const { rows } = await sql<Unavailable>`
    select count(*)::int as members,
      count(*) filter (where rule = 'not_taking_part')::int as not_taking_part,
      count(*) filter (where rule = 'has_offer')::int as has_offer,
      count(*) filter (where rule = 'on_cooldown')::int as on_cooldown,
      count(*) filter (where rule = 'in_quiet_hours')::int as in_quiet_hours
    from (select case
        when not ${isTakingPart('s.standing')} or not ${takesPart('s.member_id')} then 'not_taking_part'
        when s.open_offer_id is not null then 'has_offer'
        when ${availableAt} > clock_timestamp() then 'on_cooldown'
        when ${isQuiet} then 'in_quiet_hours' end as rule
      from reviewer_states s) s`.execute(ctx.db)
  return rows[0] ?? { members: 0, notTakingPart: 0, hasOffer: 0, onCooldown: 0, inQuietHours: 0 }
}

/** The members who could be asked now, in this order, after one of them. */
async function readAvailable(ctx: Ctx, order: ReturnType<typeof sql>, after = firstId): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select ${candidateColumns}, ${tierNow} as tier from reviewer_states s
    where ${isAvailable} and s.member_id > ${after}
    order by ${order} limit ${mostCandidates}`.execute(ctx.db)
  return rows
}
