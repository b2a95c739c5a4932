// What the next pass would do with other weights: on the rows of this moment, by the rules that the pass
// follows. It reads only, and as much as one pass takes.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { drawSpareMost } from '#contract/matching-rules.ts'
import { fixedWeights } from '#contract/staff/rotation.ts'
import type { Outcome, Simulation, Weights } from '#contract/staff/rotation.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { ageColumns, askedAt, candidateColumns, phases } from '../candidates.ts'
import { readPairWindow, windowStart } from '../pairs.ts'
import { solve } from '../passes/solve.ts'
import { isAvailable, tierNow } from '../tiers.ts'
import { rulesFor } from './rules.ts'
import type { Asked, Member, RuleWeights } from './rules.ts'

/** The requests that a pass takes, and the members of its widest window for each phase. */
const mostRequests = 50
const mostMembers = 64 + drawSpareMost

type Request = Asked &
  Pick<Simulation['oldest'][number], 'queueId' | 'productTitle' | 'requestedAt'> & { isListed: boolean }
type Drawn = { candidates: number[]; served: boolean[] }

/**
 * The next pass with the weights of today and with others, side by side. Read it in one snapshot. `listed`,
 * in SQL about the request `q`: which of the requests are listed one by one.
 */
export async function simulateRotation(
  ctx: Ctx,
  other: Weights,
  listed = sql<boolean>`true`,
): Promise<Simulation> {
  const { start, doublingMs } = ctx.config.rotation.slate
  const { same, reverse } = await readPairWindow(ctx)
  const { liveOfferMinutes } = await ctx.db
    .selectFrom('rotationFigures')
    .select('liveOfferMinutes')
    .executeTakeFirstOrThrow()
  const today: Simulation['weights'] = {
    ...fixedWeights,
    slatePercent: start * 100,
    slateDoublingMinutes: doublingMs / 60_000,
    pairWindowDays: same,
    offerMinutes: liveOfferMinutes,
  }
  const changed = { ...today, ...other }
  const ratio = same && reverse ? reverse / same : 2
  const requests = await readRequests(ctx, listed)
  const members = await readMembers(ctx)
  const run = (weights: Simulation['weights']) =>
    draw(ctx, requests, members, {
      givingCap: weights.givingCap,
      slate: { start: weights.slatePercent / 100, doublingMs: weights.slateDoublingMinutes * 60_000 },
      hoursBefore: [0, weights.absentHours, weights.standbyHours],
      since: windowStart({
        same: weights.pairWindowDays,
        reverse:
          weights.pairWindowDays === same
            ? reverse
            : weights.pairWindowDays && Math.round(weights.pairWindowDays * ratio),
      }),
    })
  const now = await run(today)
  const then = await run(changed)
  const over = await countOver(ctx, [today.offerMinutes, changed.offerMinutes])
  return {
    weights: today,
    requests: requests.length,
    members: members.length,
    today: outcomeOf(now, over[0] ?? 0),
    other: outcomeOf(then, over[1] ?? 0),
    oldest: requests.flatMap(({ queueId, productTitle, requestedAt, isListed }, at) =>
      isListed
        ? {
            queueId,
            productTitle,
            requestedAt,
            candidatesToday: now.candidates[at] ?? 0,
            candidatesOther: then.candidates[at] ?? 0,
            servedToday: now.served[at] ?? false,
            servedOther: then.served[at] ?? false,
          }
        : [],
    ),
  }
}

/** The waiting requests that a pass may take, in its order. */
async function readRequests(ctx: Ctx, listed: RawBuilder<boolean>): Promise<Request[]> {
  const { rows } = await sql<Request>`
    select q.id as queue_id, q.seller_id, q.listing_id, q.lottery_key, p.title as product_title,
      ${askedAt} as requested_at, ${listed} as is_listed,
      ${ageColumns}
    from review_queue q join products p on p.id = q.product_id join marketplaces k on k.id = p.marketplace_id
    where q.status = 'queued' and k.lane <> 'closed' and q.waits_until <= clock_timestamp()
    order by q.prio_at, q.id limit ${mostRequests}`.execute(ctx.db)
  return rows
}

/** Of each tier, the first members who may be asked now, in the order of the rotation. */
async function readMembers(ctx: Ctx): Promise<Member[]> {
  const ofTier = (tier: number) => sql`(
    select ${candidateColumns}, ${tierNow} as tier from reviewer_states s
    where ${isAvailable} and ${tierNow} = ${tier}
    order by s.band, s.turn_at, s.member_id limit ${mostMembers})`
  const { rows } = await sql<Member>`${sql.join(
    Object.values(phases).map(ofTier),
    sql` union all `,
  )}`.execute(ctx.db)
  return rows
}

/** Draws in phases as a run of the draw does: first the present members, then the others for old requests. */
async function draw(
  ctx: Ctx,
  requests: readonly Request[],
  members: readonly Member[],
  weights: RuleWeights,
): Promise<Drawn> {
  const rules = await rulesFor(ctx, requests, members, { weights })
  const served = requests.map(() => false)
  for (const phase of Object.values(phases)) {
    const open = [...requests.keys()].filter((at) => !served[at])
    const places = [...members.keys()].filter((place) => members[place]?.tier === phase)
    if (open.length === 0 || places.length === 0) continue
    const { candidateOf } = solve({
      requests: open.map((at) => ({ sellerId: requests[at]?.sellerId ?? '' })),
      candidates: places.map((place) => ({ memberId: members[place]?.memberId ?? '' })),
      score(request, candidate) {
        const [at = 0, place = 0] = [open[request], places[candidate]]
        return rules[at]?.[place] === null ? (members[place]?.band ?? 0) : Number.POSITIVE_INFINITY
      },
    })
    for (const [request, at] of open.entries()) served[at] = (candidateOf[request] ?? -1) >= 0
  }
  return { candidates: rules.map((row) => row.filter((rule) => rule === null).length), served }
}

async function countOver(ctx: Ctx, minutes: readonly number[]) {
  const { rows } = await sql<{ over: number }>`
    select (select count(*)::int from offers o where o.state = 'open' and o.live
      and o.offered_at <= clock_timestamp() - make_interval(mins => m)) as over
    from unnest(${`{${minutes.join(',')}}`}::int[]) with ordinality as t(m, n) order by n`.execute(ctx.db)
  return rows.map(({ over }) => over)
}

function outcomeOf({ candidates, served }: Drawn, offersOver: number): Outcome {
  const sorted = candidates.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return {
    served: served.filter(Boolean).length,
    withCandidates: candidates.filter((count) => count > 0).length,
    medianCandidates: (low + high) / 2,
    offersOver,
  }
}
