// A strike is a missed review, or a report without any basis. Three in 90 days suspend a member. Those of an
// account that was deleted count in every other one of its member (server/moderation/kept-records.ts).
import { sql } from 'kysely'
import { strikes } from '#contract/matching-rules.ts'
import type { MissedReviews } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { today } from '#server/kit/db/db.ts'
import { suspendByRule } from '#server/membership/suspensions.ts'
import { personOf } from './identities.ts'

/** What a member reads whom strikes suspended; a report without any basis counts as missed. */
export const strikeReason = `You missed ${strikes.limit} reviews in ${strikes.days} days.`

/** What a strike is for. */
export type StrikeCause = { reviewId: string } | { reportId: string }

/**
 * Adds a strike, once for each review or report. At the limit the member is suspended, and notified of it.
 * The caller holds the member's lock.
 */
export async function addStrike(ctx: Ctx, memberId: string, about: StrikeCause): Promise<void> {
  const added = await ctx.db
    .insertInto('strikes')
    .values({ id: newId(), memberId, ...about })
    // One that an appeal withdrew counts again, from now on.
    .onConflict((conflict) =>
      conflict
        .column('reviewId' in about ? 'reviewId' : 'reportId')
        .doUpdateSet({ withdrawnAt: null, createdAt: sql<string>`clock_timestamp()` })
        .where('strikes.withdrawnAt', 'is not', null),
    )
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows !== 1n) throw new Error('The strikes already have this one.')
  if ((await countStrikes(ctx, memberId)) < strikes.limit) return
  await suspendByRule(ctx, { memberId, reason: strikeReason, days: null })
}

/** Withdraws a strike after an appeal. False when the member has none for this. */
export async function withdrawStrike(ctx: Ctx, memberId: string, about: StrikeCause): Promise<boolean> {
  const withdrawn = await ctx.db
    .updateTable('strikes')
    .set({ withdrawnAt: sql<string>`clock_timestamp()` })
    .where('memberId', '=', memberId)
    .where('withdrawnAt', 'is', null)
    .$if('reviewId' in about, (of) => of.where('reviewId', '=', 'reviewId' in about ? about.reviewId : null))
    .$if('reportId' in about, (of) => of.where('reportId', '=', 'reportId' in about ? about.reportId : null))
    .executeTakeFirst()
  return withdrawn.numUpdatedRows > 0n
}

/** The strikes of a member that count now, with those of accounts that they deleted. */
export async function countStrikes(ctx: Ctx, memberId: string): Promise<number> {
  return (await readMissedReviews(ctx, memberId)).count
}

/** How many strikes of a member count now, as in `countStrikes`, and when the first of them stops to. */
export async function readMissedReviews(ctx: Ctx, memberId: string): Promise<MissedReviews> {
  const { rows } = await sql<MissedReviews>`
    select count(*)::int as count, min(until) as until from (
      select created_at + make_interval(days => ${strikes.days}) as until from strikes
      where member_id = ${memberId} and withdrawn_at is null
      union all select k.kept_until::timestamp at time zone 'UTC' from kept_records k
      where k.kind = 'strike' and ${countsAgainst(memberId)}
    ) mine where until > clock_timestamp()`.execute(ctx.db)
  return rows[0] ?? { count: 0, until: null }
}

/** In SQL: whether the row `k` of `kept_records` counts against a member now. */
export function countsAgainst(memberId: string) {
  return sql<boolean>`(k.kept_until > ${today} and k.hashes && ${personOf(memberId)})`
}

/** How many strikes and sanctions of accounts that a member deleted count against them now. */
export async function countFromBefore(
  ctx: Ctx,
  memberId: string,
): Promise<{ strikes: number; sanctions: number }> {
  const { rows } = await sql<{ strikes: number; sanctions: number }>`
    select count(*) filter (where k.kind = 'strike')::int as strikes,
      count(*) filter (where k.kind <> 'strike')::int as sanctions
    from kept_records k where ${countsAgainst(memberId)}`.execute(ctx.db)
  return rows[0] ?? { strikes: 0, sanctions: 0 }
}
