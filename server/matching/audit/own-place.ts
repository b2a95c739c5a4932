// What a member needs to see that a draw did not leave them out: their number of the week, their place in the
// rotation, and the latest passes.
import { sql } from 'kysely'
import { lotteryWeek, lotteryWeekMs, memberNumber } from '#contract/draw.ts'
import { hexOf } from '#contract/draw-receipt.ts'
import type { DrawPlace } from '#contract/matching.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { tierNow } from '../tiers.ts'

const latest = 20

type Row = { auditKey: Buffer; tier: number; band: number; turnAt: string; now: string }
type PassRow = {
  id: string
  at: string
  phase: number
  candidates: number
  list: Buffer | null
  why: DrawPlace['passes'][number]['why']
}

/** My place now, with the latest passes of the last day; null for a user who is not in the rotation. */
export async function findDrawPlace(ctx: MemberCtx): Promise<DrawPlace | null> {
  const { rows } = await sql<Row>`
    select audit_key, ${tierNow} as tier, band, turn_at, clock_timestamp() as now from reviewer_states
    where member_id = ${ctx.who.id}`.execute(ctx.db)
  const me = rows[0]
  if (!me) return null
  const passes = await sql<PassRow>`
    select p.id, p.at, p.phase, p.candidates, p.list, case
        when p.at < (select created_at from members where id = ${ctx.who.id}) then 'joined_later'
        when exists (select from offers o where o.reviewer_id = ${ctx.who.id} and o.offered_at < p.at
          and (o.responded_at is null or o.responded_at > p.at)) then 'had_offer' end as why
    from match_passes p where p.at > clock_timestamp() - interval '24 hours'
    order by p.at desc, p.id desc limit ${latest}`.execute(ctx.db)
  const week = lotteryWeek(Date.parse(me.now))
  return {
    number: hexOf(memberNumber(me.auditKey, week)),
    weekEndsAt: new Date((week + 1) * lotteryWeekMs).toISOString(),
    asked: tierName(me.tier),
    band: me.band,
    turnAt: me.turnAt,
    passes: passes.rows.map(({ id, at, phase, candidates, list, why }) => {
      const number = memberNumber(me.auditKey, lotteryWeek(Date.parse(at)))
      const place = placeIn(list, Buffer.from(number))
      return { id, at, asked: phaseName(phase), candidates, place, why: place === null ? why : null }
    }),
  }
}

function placeIn(list: Buffer | null, number: Buffer): number | null {
  for (let at = 0; list && at + 9 <= list.length; at += 9) {
    if (number.equals(list.subarray(at, at + 8))) return at / 9 + 1
  }
  return null
}

function phaseName(phase: number) {
  if (phase === 0) return 'present'
  return phase === 1 ? 'absent' : 'standby'
}

function tierName(tier: number): DrawPlace['asked'] {
  return tier < 3 ? phaseName(tier) : 'not'
}
