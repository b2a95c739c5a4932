// A rest: a time without offers after several in a row that the member did not accept. A refusal is a counted
// decline, or an offer to a present member that ran out although they saw it or stayed for a while, or that
// is the second in a row they left unopened. Free declines, offers to absent members and withdrawn offers are
// none. An acceptance ends the run of refusals.
import { sql } from 'kysely'
import { restHours, rests } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notifyRestBegan, settleRestNotice } from '../notices.ts'
import { refreshTiers } from '../tiers.ts'

/** More in a row change nothing. */
const mostCounted = 1000

/**
 * Counts the refusal of an offer, and begins a rest from the third in a row on. The caller holds the member's
 * lock and settles the tier afterwards. Returns whether a rest began.
 */
export async function countRefusal(
  ctx: Ctx,
  { offerId, reviewerId }: { offerId: string; reviewerId: string },
): Promise<boolean> {
  const { rows } = await sql<{ refusals: number }>`
    update reviewer_states set refusals = least(refusals + 1, ${mostCounted}) where member_id = ${reviewerId}
    returning refusals`.execute(ctx.db)
  const refusals = rows[0]?.refusals ?? 0
  const hours = restHours(refusals)
  if (hours === 0) return false
  const began = await sql<{ until: string; readyFrom: string | null }>`
    update reviewer_states s set rest_until = clock_timestamp() + make_interval(hours => ${hours})
    where member_id = ${reviewerId} returning s.rest_until as until, ${endsFrom} as ready_from`.execute(
    ctx.db,
  )
  const [rest] = began.rows
  if (rest) await notifyRestBegan(ctx, { offerId, reviewerId, refusals, ...rest })
  return true
}

/** In SQL: from when the rest of the row `s` can be ended; null for at once, or without a rest. */
export const endsFrom = sql<string | null>`(case when s.refusals >= ${sql.lit(rests.manyAfter)}
  then s.rest_until - make_interval(hours => ${sql.lit(rests.readyHours)}) end)`

/** Ends my run of refusals and a rest: I accepted an offer. The caller holds my lock. */
export async function endRun(ctx: MemberCtx): Promise<void> {
  const { numAffectedRows } = await sql`
    update reviewer_states set refusals = 0, rest_until = null
    where member_id = ${ctx.who.id} and refusals > 0`.execute(ctx.db)
  if (numAffectedRows === 1n) await settleRestNotice(ctx, ctx.who.id)
}

/**
 * Ends my rest: I am ready for offers again. A cooldown and the limits of the day and week stay, and so does
 * the run, so the next refusal begins a longer rest. Does nothing without a rest. Refuses RESTING, with the
 * moment from which it can be ended, in the first part of a rest after very many refusals.
 */
export function endRest(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    const { rows } = await sql<{ endsFrom: string | null }>`
      select case when ${endsFrom} > clock_timestamp() then ${endsFrom} end as ends_from
      from reviewer_states s where member_id = ${memberId} and rest_until > clock_timestamp()`.execute(ctx.db)
    const [rest] = rows
    if (!rest) return
    if (rest.endsFrom) throw refuse('RESTING', { at: rest.endsFrom })
    await sql`update reviewer_states set rest_until = null
      where member_id = ${memberId} and rest_until > clock_timestamp()`.execute(ctx.db)
    await refreshTiers(ctx, [memberId])
    await settleRestNotice(ctx, memberId)
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await ctx.kit.jobs.send(ctx, 'match-requests')
  })
}

/**
 * Whether the member let an offer pass that ran out: it was live, and they saw it or were here at any time
 * from some minutes after it came, or left their live offer before it unopened, too, whatever they declined
 * for free meanwhile. Presence alone would let two who agreed leave the offers of all others unopened and go
 * in time: the live event shows one of them that the other's request was drawn.
 */
export async function hasLetPass(ctx: Ctx, offerId: string): Promise<boolean> {
  const { rows } = await sql<{ letPass: boolean }>`
    select o.live and (o.seen_at is not null
        or coalesce(s.last_seen_at >= o.offered_at + make_interval(mins => ${rests.hereMinutes}), false)
        or coalesce(before.unopened, false)) as let_pass
    from offers o join reviewer_states s on s.member_id = o.reviewer_id
    left join lateral (
      select e.state = 'expired' and e.seen_at is null and e.responded_at >= e.expires_at as unopened
      from offers e
      where e.reviewer_id = o.reviewer_id and e.live and e.offered_at < o.offered_at
        and (e.state in ('accepted', 'expired') or e.state = 'declined'
          and exists (select from decline_history d where d.offer_id = e.id and d.counted))
      order by e.offered_at desc limit 1
    ) before on true
    where o.id = ${offerId}`.execute(ctx.db)
  return rows[0]?.letPass ?? false
}
