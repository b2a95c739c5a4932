/**
 * A nudge lets an absent member know that a request waits for someone like them. It binds no one: it is not
 * an offer, keeps no place and has no answer but a visit, after which the draw asks who is present.
 *
 * What a cheat could make of it:
 *
 * - Learn who asks: every nudge is the same text. It names no product, seller, request or number, and which
 *   member was nudged about which request is stored nowhere.
 * - Steer: the member follows from the request's committed lottery among those whom a pass could ask. A
 *   seller cannot choose the moment, since the ticket stays, nor a member, since an answer in time gives no
 *   place.
 * - Learn the lottery: a pair that works together learns from a nudge, or from none, whether the mate was in
 *   the slate and free. The mate would learn the same by staying present, and be drawn besides.
 * - Use up the hour of a request: a member who ignores nudges costs a request one hour, once a day.
 */
import { sql } from 'kysely'
import { drawSpare, drawSpareMost, drawSpareWidening, nudges } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { takesPart } from '#server/membership/standings.ts'
import { isReachable } from '#server/notifications/preferences.ts'
import { lockOpenMarketplaces } from '#server/products/lanes.ts'
import { ageColumns, askedAt, bandLimit, barredFrom, candidateColumns, phases } from '../candidates.ts'
import type { Candidate } from '../candidates.ts'
import { lotteryValue, lotteryWeek, memberNumber, slateShare } from '#contract/draw.ts'
import { forbiddenOf, historyOf } from '../history.ts'
import { notifyNudged } from '../notices.ts'
import { windowStartNow } from '../pairs.ts'
import { tierNow } from '../tiers.ts'

const batch = 20
const mostBatches = 50

type Waiting = {
  id: string
  sellerId: string
  listingId: string
  prioAt: string
  ageHours: number
  waitedHours: number
  lotteryKey: Buffer
  at: string
}
type Place = Pick<Waiting, 'id' | 'prioAt'>
/** Which member was nudged about which request. It exists only here, while the job runs. */
type Nudge = { queueId: string; memberId: string }

/**
 * Nudges absent members about requests that have waited for `nudges.afterMinutes`, the first in the queue
 * first: one member per request and hour, and a member at most once in 24 hours. A member can be nudged only
 * about a request that a pass could offer them now if they were here, and only if mails or push messages
 * about it reach them. Running it again, or on several workers at once, nudges no one twice.
 */
export async function nudgeMembers(ctx: Ctx): Promise<Nudge[]> {
  const made: Nudge[] = []
  let behind: Place | null = null
  for (let round = 0; round < mostBatches; round += 1) {
    const result: Batch = await inTransaction(ctx, (ctx) => nudgeBatch(ctx, behind))
    made.push(...result.made)
    if (result.isLast) break
    behind = result.last
  }
  return made
}

type Batch = { made: Nudge[]; last: Place | null; isLast: boolean }

async function nudgeBatch(ctx: Ctx, behind: Place | null): Promise<Batch> {
  const requests = await takeRequests(ctx, behind)
  const last = requests.at(-1) ?? null
  if (!last) return { made: [], last, isLast: true }
  const { made, isAnyoneAway } = await findAbsent(ctx, requests)
  if (made.length > 0) {
    const queueIds = made.map(({ queueId }) => queueId)
    const memberIds = made.map(({ memberId }) => memberId)
    await sql`update review_queue set nudged_at = clock_timestamp()
      where id = any(${queueIds}::uuid[])`.execute(ctx.db)
    await sql`update reviewer_states set nudged_at = clock_timestamp()
      where member_id = any(${memberIds}::uuid[])`.execute(ctx.db)
    await notifyNudged(ctx, memberIds)
  }
  return { made, last, isLast: requests.length < batch || !isAnyoneAway }
}

/** The first requests that have waited long enough since they were made and since their last nudge. */
async function takeRequests(ctx: Ctx, behind: Place | null): Promise<Waiting[]> {
  const open = await lockOpenMarketplaces(ctx)
  const further = behind ? sql`and (q.prio_at, q.id) > (${behind.prioAt}, ${behind.id})` : sql``
  const { rows } = await sql<Waiting>`
    select q.id, q.seller_id, q.listing_id, q.prio_at, q.lottery_key,
      ${ageColumns},
      clock_timestamp() as at
    from review_queue q join products p on p.id = q.product_id
    where q.status = 'queued' and p.marketplace_id = any(${open}::uuid[])
      and q.waits_until <= clock_timestamp()
      and ${askedAt} <= clock_timestamp() - make_interval(mins => ${nudges.afterMinutes})
      and (q.nudged_at is null
        or q.nudged_at <= clock_timestamp() - make_interval(mins => ${nudges.perRequestMinutes}))
      ${further}
    order by q.prio_at, q.id limit ${batch}
    for no key update of q skip locked`.execute(ctx.db)
  return rows
}

/**
 * Chooses among the first absent members of the rotation. While a request is left and more may follow, it
 * chooses again among more of them, as a pass does: those who may not meet the first sellers in the queue
 * would stand in the way of all others.
 */
async function findAbsent(ctx: Ctx, requests: Waiting[]): Promise<{ made: Nudge[]; isAnyoneAway: boolean }> {
  for (let spare = drawSpare; ; spare *= drawSpareWidening) {
    const size = batch + spare
    const candidates = await takeAbsent(ctx, requests, size)
    const made = candidates.length > 0 ? await choose(ctx, requests, candidates) : []
    if (made.length === requests.length || candidates.length < size || spare >= drawSpareMost)
      return { made, isAnyoneAway: candidates.length > 0 }
  }
}

/**
 * The first absent members of the rotation who were not nudged lately and whom a nudge reaches. They are
 * looked up in the order of the rotation until there are enough: `offset 0` keeps PostgreSQL from testing the
 * whole club first. The locked rows are tested again, because another worker may have nudged them meanwhile.
 */
async function takeAbsent(ctx: Ctx, requests: Waiting[], size: number): Promise<Candidate[]> {
  const absent = sql.lit(phases.absent)
  const mayBeNudged = sql`${tierNow} = ${absent} and (nudged_at is null
    or nudged_at <= clock_timestamp() - make_interval(hours => ${sql.lit(nudges.perMemberHours)}))`
  return runPrepared(
    ctx.db,
    sql<Candidate>`
    select ${candidateColumns} from reviewer_states s
    where s.member_id = any(array(
        select first.member_id from (
          select * from reviewer_states
          where tier = ${absent} and band <= ${sql.lit(bandLimit(requests))}
          order by tier, band, turn_at, member_id offset 0) first
        where ${mayBeNudged} and ${takesPart('first.member_id')}
          and ${isReachable('nudges', 'first.member_id')}
        limit ${sql.lit(size)}))
      and ${mayBeNudged}
    order by s.tier, s.band, s.turn_at, s.member_id
    for no key update of s skip locked`,
  )
}

type ScoredEdge = { request: number; candidate: number; score: number }

/** The pairs that a pass could make if these members were present, by request, the lowest score first. */
function findEdges(ctx: Ctx, requests: Waiting[], candidates: Candidate[]): ScoredEdge[][] {
  const { slate } = ctx.config.rotation
  const week = lotteryWeek(Date.parse(requests[0]?.at ?? ''))
  const numbers = candidates.map(({ auditKey }) => memberNumber(auditKey, week))
  return requests.map((asked, request) => {
    const share = slateShare(asked.ageHours * 3_600_000, slate)
    const edges = candidates.flatMap((member, candidate) => {
      const value = lotteryValue(asked.lotteryKey, numbers[candidate] ?? Buffer.alloc(8))
      if (value >= share || barredFrom(asked, member) !== null) return []
      return [{ request, candidate, score: member.band + value }]
    })
    return edges.toSorted((one, other) => one.score - other.score)
  })
}

/**
 * In the order of the queue, the lowest score among the members who are left, as the draw would begin. As in
 * a pass, chosen pairs are checked against history until all are allowed; after a first fault, history is
 * read for all at once.
 */
async function choose(ctx: Ctx, requests: Waiting[], candidates: Candidate[]): Promise<Nudge[]> {
  let edges = findEdges(ctx, requests, candidates)
  const allowed = new Set<ScoredEdge>()
  for (let look = 1; ; look += 1) {
    const chosen = chooseFirst(edges)
    const open = chosen.filter((edge) => !allowed.has(edge))
    const forbidden = await findForbidden(ctx, open, requests, candidates)
    if (forbidden.size === 0) {
      return chosen.flatMap(({ request, candidate }) => {
        const queueId = requests[request]?.id
        const memberId = candidates[candidate]?.memberId
        return queueId && memberId ? [{ queueId, memberId }] : []
      })
    }
    for (const edge of open) if (!forbidden.has(edge)) allowed.add(edge)
    const barred = look === 1 ? await readHistory(ctx, requests, candidates) : new Set<string>()
    edges = edges.map((ofRequest) =>
      ofRequest.filter((edge) => !forbidden.has(edge) && !barred.has(`${edge.request}:${edge.candidate}`)),
    )
  }
}

/** The pairs of all these that history forbids. What members stated is found when a pair is chosen. */
async function readHistory(ctx: Ctx, requests: Waiting[], candidates: Candidate[]): Promise<Set<string>> {
  const rows = await runPrepared(ctx.db, historyOf({ requests, candidates }, windowStartNow))
  return new Set(
    rows.flatMap(({ request, places }) => places.split(',').map((place) => `${request}:${place}`)),
  )
}

function chooseFirst(edges: ScoredEdge[][]): ScoredEdge[] {
  const taken = new Set<number>()
  return edges.flatMap((ofRequest) => {
    const best = ofRequest.find(({ candidate }) => !taken.has(candidate))
    if (!best) return []
    taken.add(best.candidate)
    return [best]
  })
}

async function findForbidden(
  ctx: Ctx,
  edges: ScoredEdge[],
  requests: Waiting[],
  candidates: Candidate[],
): Promise<Set<ScoredEdge>> {
  if (edges.length === 0) return new Set()
  const sent = edges.map(({ request, candidate }, edge) => ({
    edge,
    listing: requests[request]?.listingId,
    seller: requests[request]?.sellerId,
    reviewer: candidates[candidate]?.memberId,
  }))
  const rows = await runPrepared(ctx.db, forbiddenOf(sent, windowStartNow))
  return new Set(rows.flatMap(({ edge }) => edges[edge] ?? []))
}
