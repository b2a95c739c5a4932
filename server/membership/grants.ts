// Days of membership that an admin gives, such as after a fault of ours.
import { sql } from 'kysely'
import { requireFresh } from '#server/accounts/identity.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { requireMember } from '#server/members/members.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { addChange } from './changes.ts'
import { notifyGranted } from './notices.ts'

type Grant = { memberId: string; days: number; reason: string }

const isRunning = sql`(s.status = 'active' and (s.ends_at is null or s.ends_at > clock_timestamp()))`

/**
 * Adds days to a running membership, or starts one that ends after them. Refuses NOT_FRESH, OWN_MATTER,
 * NOT_FOUND, and MEMBERSHIP_PAID while a subscription decides when the period ends.
 */
export function grantMembership(ctx: MemberCtx, { memberId, days, reason }: Grant): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await refuseOwnMatter(ctx, [memberId])
    await lockMembers(ctx, [memberId])
    await requireMember(ctx, memberId)
    const before = await ctx.db
      .selectFrom('memberships')
      .select(['status', 'currentPeriodEnd', 'startedAt'])
      .where('memberId', '=', memberId)
      .executeTakeFirst()
    const { rows } = await sql<{ until: string }>`
      insert into memberships as s (member_id, status, source, current_period_end, started_at)
      values (${memberId}, 'active', 'grant', clock_timestamp() + make_interval(days => ${days}),
        clock_timestamp())
      on conflict (member_id) do update set status = 'active', updated_at = clock_timestamp(),
        source = case when ${isRunning} then s.source else 'grant' end,
        current_period_end = make_interval(days => ${days}) + case when ${isRunning}
          then greatest(s.current_period_end, clock_timestamp()) else clock_timestamp() end,
        started_at = case when ${isRunning} then s.started_at else clock_timestamp() end,
        ends_at = null, grace_until = null
      where s.source is distinct from 'stripe' or s.status in ('none', 'ended', 'refunded')
        or not ${isRunning} and s.status = 'active'
      returning current_period_end as until`.execute(ctx.db)
    const until = rows[0]?.until
    if (!until) throw refuse('MEMBERSHIP_PAID')
    const isFirst = !before?.startedAt
    await emit(ctx, 'membership.changed', { memberId, isFirst }, [memberId])
    await addChange(ctx, memberId, { kind: 'granted', key: newId(), until })
    await notifyGranted(ctx, { memberId, until })
    await recordStaffAction(ctx, {
      action: 'membership_granted',
      memberId,
      reason,
      before: { status: before?.status ?? 'none', until: before?.currentPeriodEnd ?? null },
      after: { status: 'active', until, days },
    })
  })
}
