// Why requests wait: for each of the oldest, how many members every rule of the rotation leaves out. It reads
// the rules that the pass follows, and changes and locks nothing.
import { sql } from 'kysely'
import type { WaitingRequest, WaitingRule } from '#contract/staff/health.ts'
import { waitingRules } from '#contract/staff/health.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { takesPart } from '#server/membership/standings.ts'
import { bandLimit, barredFrom, candidateColumns, hoursBefore, phases } from './candidates.ts'
import type { Candidate } from './candidates.ts'
import { lotteryValue, memberNumber, slateShare } from './draw.ts'
import type { Edge } from './history.ts'
import { forbiddenOf } from './history.ts'
import { readPairWindow, windowStart } from './pairs.ts'
import { tierNow } from './tiers.ts'

const mostRequests = 10
const mostCandidates = 1000
const weekMs = 7 * 24 * 3_600_000

type Waiting = Pick<WaitingRequest, 'queueId' | 'sellerId' | 'productTitle' | 'status' | 'requestedAt'> & {
  sellerStanding: 'in' | 'paused' | 'out'
  marketplaceClosed: boolean
  listingId: string
  ageHours: number
  lotteryKey: Buffer
}
type Available = Candidate & { tier: number }
/** The members whom no request may be offered to now, by the first rule that says so. */
type Unavailable = { members: number; notTakingPart: number; hasOffer: number; onCooldown: number }

/** The oldest waiting requests with the members that each rule leaves out, and how many wait in all. */
export async function explainWaiting(ctx: Ctx) {
  const { rows: counted } = await sql<{ queued: number; held: number }>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'held')::int as held
    from review_queue where status in ('queued', 'held')`.execute(ctx.db)
  const requests = await readOldest(ctx)
  const unavailable = await countUnavailable(ctx)
  const candidates = await readAvailable(ctx)
  const { members, notTakingPart, hasOffer, onCooldown } = unavailable
  const available = members - notTakingPart - hasOffer - onCooldown
  return {
    ...(counted[0] ?? { queued: 0, held: 0 }),
    members,
    notLookedAt: Math.max(0, available - candidates.length),
    oldest: await explain(ctx, requests, candidates, unavailable),
  }
}

async function readOldest(ctx: Ctx): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select q.id as queue_id, q.seller_id, q.listing_id, p.title as product_title, q.status,
      q.created_at as requested_at, t.standing as seller_standing, k.lane = 'closed' as marketplace_closed,
      q.lottery_key,
      extract(epoch from clock_timestamp() - q.created_at)::float8 / 3600 as age_hours
    from review_queue q join products p on p.id = q.product_id
      join marketplaces k on k.id = p.marketplace_id join standings t on t.member_id = q.seller_id
    where q.status in ('queued', 'held') order by q.prio_at, q.id limit ${mostRequests}`.execute(ctx.db)
  return rows
}

async function countUnavailable(ctx: Ctx): Promise<Unavailable> {
  const { rows } = await sql<Unavailable>`
    select count(*)::int as members,
      count(*) filter (where not part)::int as not_taking_part,
      count(*) filter (where part and open_offer_id is not null)::int as has_offer,
      count(*) filter (where part and open_offer_id is null and available_at > clock_timestamp())::int
        as on_cooldown
    from (select s.open_offer_id, s.available_at, ${takesPart('s.member_id')} as part
      from reviewer_states s) s`.execute(ctx.db)
  return rows[0] ?? { members: 0, notTakingPart: 0, hasOffer: 0, onCooldown: 0 }
}

/** The members who could be asked now, in the order of the rotation. */
async function readAvailable(ctx: Ctx): Promise<Available[]> {
  const { rows } = await sql<Available>`
    select ${candidateColumns}, ${tierNow} as tier from reviewer_states s
    where s.open_offer_id is null and s.available_at <= clock_timestamp() and ${takesPart('s.member_id')}
    order by s.band, s.turn_at, s.member_id limit ${mostCandidates}`.execute(ctx.db)
  return rows
}

async function explain(
  ctx: Ctx,
  requests: Waiting[],
  candidates: Available[],
  unavailable: Unavailable,
): Promise<WaitingRequest[]> {
  const edges: (Edge & { request: number; member: Available })[] = []
  const counts = requests.map(() => new Map<WaitingRule, number>())
  const leaveOut = (request: number, rule: WaitingRule) =>
    counts[request]?.set(rule, (counts[request]?.get(rule) ?? 0) + 1)
  for (const [at, request] of requests.entries()) {
    for (const member of candidates) {
      const rule = ruledOut(request, member)
      if (rule) leaveOut(at, rule)
      else
        edges.push({
          edge: edges.length,
          request: at,
          member,
          listing: request.listingId,
          seller: request.sellerId,
          reviewer: member.memberId,
        })
    }
  }
  const forbidden = await readForbidden(ctx, edges)
  const askable = requests.map(() => 0)
  const inSlate = slateOf(ctx, requests)
  for (const { edge, request, member } of edges) {
    const rule = forbidden.get(edge) ?? (inSlate(request, member) ? null : 'not_in_slate')
    if (rule) leaveOut(request, rule)
    else askable[request] = (askable[request] ?? 0) + 1
  }
  return requests.map((request, at) => {
    const { queueId, sellerId, productTitle, status, requestedAt } = request
    const heldBy = holdOf(request)
    const found = new Map<WaitingRule, number>([
      ['not_taking_part', unavailable.notTakingPart],
      ['has_offer', unavailable.hasOffer],
      ['on_cooldown', unavailable.onCooldown],
      ...(counts[at] ?? []),
    ])
    return {
      queueId,
      sellerId,
      productTitle,
      status,
      requestedAt,
      heldBy,
      excluded: heldBy ? [] : listed(found),
      askable: heldBy ? 0 : (askable[at] ?? 0),
    }
  })
}

function holdOf({ status, sellerStanding, marketplaceClosed }: Waiting): WaitingRequest['heldBy'] {
  if (marketplaceClosed) return 'marketplace_closed'
  if (status === 'queued') return null
  if (sellerStanding === 'in') return 'about_to_resume'
  return sellerStanding === 'paused' ? 'seller_paused' : 'seller_out'
}

function listed(found: Map<WaitingRule, number>) {
  return waitingRules.flatMap((rule) => {
    const members = found.get(rule) ?? 0
    return members > 0 ? [{ rule, members }] : []
  })
}

/** The first rule, before history, that leaves out an available member. */
function ruledOut(request: Waiting, member: Available): WaitingRule | null {
  const phase = Object.values(phases).find((each) => each === member.tier)
  if (phase === undefined || request.ageHours < hoursBefore(phase)) return 'not_here'
  const barred = barredFrom(request, member)
  if (barred === 'over_cap') return member.overdue ? 'overdue' : 'over_cap'
  if (barred === 'own_product') return 'own_product'
  return member.band > bandLimit([request]) ? 'over_cap' : null
}

/** For each edge that history forbids, the first of its reasons. */
async function readForbidden(ctx: Ctx, edges: readonly Edge[]): Promise<Map<number, WaitingRule>> {
  if (edges.length === 0) return new Map()
  const since = windowStart(await readPairWindow(ctx))
  const sent = edges.map(({ edge, listing, seller, reviewer }) => ({ edge, listing, seller, reviewer }))
  const { rows } = await forbiddenOf(sent, since).execute(ctx.db)
  const found = new Map<number, WaitingRule>()
  for (const { edge, reason } of rows) {
    const rule = waitingRules.find((each) => each === reason)
    const known = found.get(edge)
    if (rule && (!known || waitingRules.indexOf(rule) < waitingRules.indexOf(known))) found.set(edge, rule)
  }
  return found
}

/** Whether a member is in the slate of a request now, the share of the club that it is drawn from. */
function slateOf(ctx: Ctx, requests: Waiting[]) {
  const { slateStart: start, slateDoublingMinutes } = ctx.config.rotation
  const now = Date.now()
  const week = Math.floor(now / weekMs)
  const shares = requests.map(({ ageHours }) =>
    slateShare(ageHours * 3_600_000, { start, doublingMs: slateDoublingMinutes * 60_000 }),
  )
  return (request: number, { auditKey }: Available) => {
    const key = requests[request]?.lotteryKey
    return key !== undefined && lotteryValue(key, memberNumber(auditKey, week)) < (shares[request] ?? 0)
  }
}
