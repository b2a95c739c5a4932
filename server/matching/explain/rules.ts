// Why the rotation leaves a member out of a request, by the functions and statements that the pass follows.
// It changes and locks nothing.
import { givingCap } from '#contract/matching-rules.ts'
import type { WaitingRule } from '#contract/staff/health.ts'
import { waitingRules } from '#contract/staff/health.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { bandLimit, barredFrom, hoursBefore, phases } from '../candidates.ts'
import type { Candidate } from '../candidates.ts'
import { lotteryValue, lotteryWeek, memberNumber, slateShare } from '#contract/draw.ts'
import type { SlateRule } from '#contract/draw.ts'
import { forbiddenOf } from '../history.ts'
import { windowStartNow } from '../pairs.ts'
import type { WindowStart } from '../pairs.ts'

export type Asked = {
  sellerId: string
  listingId: string
  ageHours: number
  waitedHours: number
  lotteryKey: Buffer
}
export type Member = Candidate & { tier: number }

/** The weights of the rules that a simulation may change. */
export type RuleWeights = {
  givingCap: number
  slate: SlateRule
  /** By phase: the hours of waiting after which its members are asked. */
  hoursBefore: readonly number[]
  since: WindowStart
}

function weightsOfToday({ config: { rotation } }: Ctx): RuleWeights {
  return {
    givingCap,
    slate: rotation.slate,
    hoursBefore: Object.values(phases).map(hoursBefore),
    since: windowStartNow,
  }
}

type Options = { everyone?: boolean; weights?: RuleWeights }

/**
 * For each request, for each of these members: the first rule that leaves them out, or null. `everyone`: as
 * if all of them were here and the slate was the whole club.
 */
export async function rulesFor(
  ctx: Ctx,
  requests: readonly Asked[],
  members: readonly Member[],
  { everyone = false, weights = weightsOfToday(ctx) }: Options = {},
): Promise<(WaitingRule | null)[][]> {
  const found = requests.map((request) =>
    members.map(
      (member) => (everyone ? null : notHere(request, member, weights)) ?? barred(request, member, weights),
    ),
  )
  const edges = requests.flatMap(({ listingId, sellerId }, at) =>
    members.flatMap(({ memberId }, place) =>
      found[at]?.[place] ? [] : [{ at, place, listing: listingId, seller: sellerId, reviewer: memberId }],
    ),
  )
  if (edges.length > 0) {
    const sent = edges.map(({ listing, seller, reviewer }, edge) => ({ edge, listing, seller, reviewer }))
    const { rows } = await forbiddenOf(sent, weights.since).execute(ctx.db)
    for (const { edge, reason } of rows) {
      const { at, place } = edges[edge] ?? {}
      const rule = waitingRules.find((each) => each === reason)
      const row = at === undefined ? undefined : found[at]
      if (row && place !== undefined && rule) row[place] = earlier(row[place] ?? null, rule)
    }
  }
  if (everyone) return found
  const inSlate = slateOf(requests, weights)
  return found.map((row, at) =>
    row.map((rule, place) => rule ?? (inSlate(at, members[place]) ? null : 'not_in_slate')),
  )
}

function notHere({ waitedHours }: Asked, { tier }: Member, weights: RuleWeights): WaitingRule | null {
  const hours = weights.hoursBefore[tier]
  return hours === undefined || waitedHours < hours ? 'not_here' : null
}

function barred(request: Asked, member: Member, { givingCap: cap }: RuleWeights): WaitingRule | null {
  const reason = barredFrom(request, member, cap)
  if (reason === 'over_cap') return member.overdue ? 'overdue' : 'over_cap'
  if (reason === 'own_product') return reason
  return member.band > bandLimit([request], cap) ? 'over_cap' : null
}

function earlier(one: WaitingRule | null, other: WaitingRule): WaitingRule {
  return one && waitingRules.indexOf(one) < waitingRules.indexOf(other) ? one : other
}

/** Whether a member is in the slate of a request now, the share of the club that it is drawn from. */
function slateOf(requests: readonly Asked[], { slate }: RuleWeights) {
  const week = lotteryWeek(Date.now())
  const shares = requests.map(({ ageHours }) => slateShare(ageHours * 3_600_000, slate))
  return (request: number, member: Member | undefined) => {
    const key = requests[request]?.lotteryKey
    if (!key || !member) return false
    return lotteryValue(key, memberNumber(member.auditKey, week)) < (shares[request] ?? 0)
  }
}
