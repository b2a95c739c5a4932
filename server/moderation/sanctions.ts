// Sanctions grow by rule: a reminder, a warning, then suspensions with an end. Staff decide whether a rule
// was broken; which step follows is not up to them.
import { sql } from 'kysely'
import { nextSanction, sanctionLadder } from '#contract/moderation.ts'
import type { SanctionStep } from '#contract/moderation.ts'
import { strikes } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { continueUntil, reinstateMember, suspendMember } from '#server/members/suspension.ts'
import { hasTakenBack, takenBackReason } from '#server/membership/disputes.ts'
import type { StrikeCause } from '#server/reviews/strikes.ts'
import { countStrikes, countsAgainst, strikeReason, withdrawStrike } from '#server/reviews/strikes.ts'

/** What a member reads whom a sanction suspended. */
const sanctionReason = 'A rule was broken. The decision about it, with its reasons, is on your Reports page.'

/** How many sanctions of a member count now, with those of accounts that they deleted. */
export async function countSanctions(ctx: Ctx, memberId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from sanctions where member_id = ${memberId} and lifted_at is null
        and created_at > clock_timestamp() - make_interval(days => ${sanctionLadder.days}))
      + (select count(*) from kept_records k where k.kind <> 'strike' and ${countsAgainst(memberId)})
      as count`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** The step of the ladder that a member's next sanction takes. */
export async function findNextSanction(
  ctx: Ctx,
  { memberId, serious }: { memberId: string; serious: boolean },
): Promise<SanctionStep> {
  return nextSanction(await countSanctions(ctx, memberId), serious)
}

/**
 * Takes a step of the ladder against a member. The caller holds their lock and has written the decision.
 */
export async function addSanction(
  ctx: Ctx,
  { memberId, decisionId, step }: { memberId: string; decisionId: string; step: SanctionStep },
): Promise<void> {
  const { kind, suspendedDays } = step
  await ctx.db
    .insertInto('sanctions')
    .values({
      id: newId(),
      memberId,
      decisionId,
      kind,
      until:
        suspendedDays === null
          ? null
          : sql<string>`clock_timestamp() + make_interval(days => ${suspendedDays})`,
    })
    .execute()
  if (suspendedDays !== null) {
    await suspendMember(ctx, { memberId, reason: sanctionReason, days: suspendedDays })
  }
}

/**
 * Lifts the sanction of a decision after an appeal. A suspension ends with it, unless something else holds
 * it.
 */
export async function liftSanction(ctx: Ctx, decisionId: string): Promise<void> {
  const lifted = await ctx.db
    .updateTable('sanctions')
    .set({ liftedAt: sql<string>`clock_timestamp()` })
    .where('decisionId', '=', decisionId)
    .where('liftedAt', 'is', null)
    .returning(['memberId', 'kind'])
    .executeTakeFirst()
  if (lifted?.kind === 'suspension') await endSuspension(ctx, lifted.memberId, sanctionReason)
}

/**
 * Withdraws a strike after an appeal. A suspension by strikes ends when too few of them still count. Does
 * nothing without such a strike.
 */
export async function liftStrike(ctx: Ctx, memberId: string, about: StrikeCause): Promise<void> {
  if (!(await withdrawStrike(ctx, memberId, about))) return
  if ((await countStrikes(ctx, memberId)) < strikes.limit) await endSuspension(ctx, memberId, strikeReason)
}

/**
 * Ends a suspension for this reason; one for another reason stays. It goes on for a payment that was taken
 * back, and else until the end of another suspension by a decision.
 */
async function endSuspension(ctx: Ctx, memberId: string, reason: string) {
  const suspended = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('id', '=', memberId)
    .where('suspensionReason', '=', reason)
    .executeTakeFirst()
  if (!suspended) return
  if (await hasTakenBack(ctx, memberId))
    return continueUntil(ctx, { memberId, reason: takenBackReason, until: null })
  const { until } = await ctx.db
    .selectFrom('sanctions')
    .select(sql<string | null>`max(until)`.as('until'))
    .where('memberId', '=', memberId)
    .where('liftedAt', 'is', null)
    .where('until', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  if (until === null) await reinstateMember(ctx, memberId)
  else await continueUntil(ctx, { memberId, reason: sanctionReason, until })
}
