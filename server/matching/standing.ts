// Where each member stands in the rotation: whether they may take part at all, whether they are here, and from when they may
// be asked again. One row per member, kept by this file's functions; the draw reads nothing else about a candidate.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { presence, standbyHours } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { holdRequests, resumeRequests } from './requests.ts'
import { withdrawOffersTo } from './withdrawals.ts'

/** The tier of a row as its other columns say: 9 not to be asked, 0 present, 2 on stand-by, 1 absent. */
export const tierNow = sql<number>`(case
  when standing <> 'in' or open_offer_id is not null or available_at > clock_timestamp() then 9
  when here_until > clock_timestamp() then 0
  when standby or last_seen_at is null or last_seen_at < clock_timestamp() - make_interval(hours => ${sql.lit(standbyHours)}) then 2
  else 1 end)::smallint`

/** Gives a member their row, as a newcomer at the end of the rotation. Does nothing when it is there. */
export async function enterRotation(ctx: Ctx, memberId: string) {
  await ctx.db
    .insertInto('reviewerStates')
    .values({ memberId, auditKey: randomBytes(32), lastSeenAt: sql<string>`clock_timestamp()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await refreshStanding(ctx, memberId)
}

/**
 * Brings a member's standing in line with account and membership. Whoever leaves or pauses gives up an open offer
 * without penalty, and their requests wait on hold; whoever comes back is in the rotation again, their requests at the old place.
 */
export async function refreshStanding(ctx: Ctx, memberId: string) {
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ before: string; after: 'in' | 'paused' | 'out' }>`
      with now_is as (
        select m.id, case
          when not m.email_verified or m.username is null or m.suspended_at is not null or m.erased_at is not null
            or s.status is distinct from 'active' then 'out'
          when s.paused_from <= clock_timestamp() and s.paused_until > clock_timestamp() then 'paused'
          else 'in' end as standing
        from members m left join memberships s on s.member_id = m.id where m.id = ${memberId}
      )
      update reviewer_states r set standing = n.standing
      from now_is n, reviewer_states old
      where r.member_id = n.id and old.member_id = r.member_id
      returning old.standing as before, r.standing as after`.execute(ctx.db)
    const change = rows[0]
    if (!change) return
    await settleTiers(ctx, [memberId])
    if (change.before === change.after) return
    if (change.after === 'in') {
      await resumeRequests(ctx, memberId)
      await ctx.kit.jobs.send(ctx, 'match-requests')
    } else {
      await withdrawOffersTo(ctx, memberId)
      await holdRequests(ctx, memberId)
    }
  })
}

/** Sets the tier of these members from their other columns. Every change of such a column ends with this. */
export async function settleTiers(ctx: Ctx, memberIds: string[]) {
  await sql`update reviewer_states set tier = ${tierNow} where member_id = any(${memberIds}::uuid[])`.execute(
    ctx.db,
  )
}

/** I am here: for the next moments offers may be made to me live. Draws at once when I could take something that waits. */
export async function bePresent(ctx: MemberCtx) {
  const { rows } = await sql<{ mayDraw: boolean }>`
    update reviewer_states set
      here_until = clock_timestamp() + make_interval(secs => ${presence.lastsSeconds}),
      last_seen_at = clock_timestamp(),
      standby = false,
      tier = case when standing <> 'in' or open_offer_id is not null or available_at > clock_timestamp() then 9 else 0 end
    where member_id = ${ctx.who.id}
    returning tier = 0 and exists (select from review_queue where status = 'queued') as may_draw`.execute(
    ctx.db,
  )
  if (rows[0]?.mayDraw) await ctx.kit.jobs.send(ctx, 'match-requests')
}

/** Moves members whose time has come between tiers: presence that ran out, cooldowns and limits that ended, long absences. */
export async function sweepTiers(ctx: Ctx) {
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 0 and here_until <= clock_timestamp() limit 500 for update skip locked)
    )`.execute(ctx.db)
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 9 and standing = 'in' and open_offer_id is null
        and available_at <= clock_timestamp() limit 500 for update skip locked)
    )`.execute(ctx.db)
  await sql`
    update reviewer_states set tier = ${tierNow} where member_id in (
      (select member_id from reviewer_states where tier = 1
        and last_seen_at < clock_timestamp() - make_interval(hours => ${standbyHours}) limit 500 for update skip locked)
    )`.execute(ctx.db)
}

/** Finds members whose standing no longer fits, because a pause began or ended or a period ran out, and refreshes them. */
export async function refreshStandings(ctx: Ctx) {
  const { rows } = await sql<{ memberId: string }>`
    select r.member_id from reviewer_states r join members m on m.id = r.member_id
      left join memberships s on s.member_id = r.member_id
    where r.standing <> case
      when not m.email_verified or m.username is null or m.suspended_at is not null or m.erased_at is not null
        or s.status is distinct from 'active' then 'out'
      when s.paused_from <= clock_timestamp() and s.paused_until > clock_timestamp() then 'paused'
      else 'in' end
    limit 1000`.execute(ctx.db)
  for (const { memberId } of rows) await refreshStanding(ctx, memberId)
}
