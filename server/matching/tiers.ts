// A member's tier states whether the draw may ask them now: 0 present, 1 absent, 2 on stand-by, 9 not at all.
// It is computed from the other columns of the row, so that one index finds the candidates of a pass.
import { sql } from 'kysely'
import { presence, standbyHours } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'

/** In SQL: the tier of a row, from its other columns. */
export const tierNow = sql<number>`(case
  when standing <> 'in' or open_offer_id is not null or available_at > clock_timestamp() then 9
  when here_until > clock_timestamp() then 0
  when standby or last_seen_at is null
    or last_seen_at < clock_timestamp() - make_interval(hours => ${sql.lit(standbyHours)}) then 2
  else 1 end)::smallint`

/**
 * Sets the tier of these members from their other columns. Each change of those columns must be followed by
 * this.
 */
export async function settleTiers(ctx: Ctx, memberIds: string[]) {
  await sql`update reviewer_states set tier = ${tierNow} where member_id = any(${memberIds}::uuid[])`.execute(
    ctx.db,
  )
}

/**
 * Reports that I am present, so I may get live offers for `presence.lastsSeconds`. Starts a pass when
 * requests wait.
 */
export async function bePresent(ctx: MemberCtx) {
  const { rows } = await sql<{ mayDraw: boolean }>`
    update reviewer_states set
      here_until = clock_timestamp() + make_interval(secs => ${presence.lastsSeconds}),
      last_seen_at = clock_timestamp(),
      standby = false,
      tier = case when standing <> 'in' or open_offer_id is not null or available_at > clock_timestamp()
        then 9 else 0 end
    where member_id = ${ctx.who.id}
    returning tier = 0 and exists (select from review_queue where status = 'queued') as may_draw`.execute(
    ctx.db,
  )
  if (rows[0]?.mayDraw) await ctx.kit.jobs.send(ctx, 'match-requests')
}

/**
 * Updates tiers that changed with time: presence that expired, cooldowns and limits that ended, long
 * absences.
 */
export async function sweepTiers(ctx: Ctx) {
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 0 and here_until <= clock_timestamp() limit 500
        for update skip locked)
    )`.execute(ctx.db)
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 9 and standing = 'in' and open_offer_id is null
        and available_at <= clock_timestamp() limit 500 for update skip locked)
    )`.execute(ctx.db)
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 1
        and last_seen_at < clock_timestamp() - make_interval(hours => ${standbyHours}) limit 500
          for update skip locked)
    )`.execute(ctx.db)
}
