// A cancellation takes effect with the end of the paid period, and can be taken back until then.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { addChanges } from './changes.ts'
import { paymentsOf } from './partner.ts'
import { unusedTime } from './pauses.ts'
import { changeMembership, lockMySubscription, orderFor } from './subscriptions.ts'
import type { Subscription } from './subscriptions.ts'

/**
 * Cancels my membership with its paid period; a repetition changes nothing. While a payment is missing there
 * is no such period: it ends at once. During a pause the subscription ends at once, and the days that were
 * paid and not used follow, as a membership that ends by itself. Refuses PAYMENTS_CLOSED, NO_SUBSCRIPTION.
 */
export function cancelMembership(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    paymentsOf(ctx)
    const mine = await lockMySubscription(ctx)
    if (!mine) throw refuse('NO_SUBSCRIPTION')
    if (mine.endsAt !== null) return
    if (mine.state === 'past_due') await endUnpaid(ctx, mine)
    else if (mine.state === 'paused') await useUpDays(ctx, mine)
    else await endWithPeriod(ctx, mine)
  })
}

/** Takes my cancellation back; a repetition changes nothing. Refuses PAYMENTS_CLOSED, NO_SUBSCRIPTION. */
export function keepMembership(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    paymentsOf(ctx)
    const mine = await lockMySubscription(ctx)
    if (!mine) throw refuse('NO_SUBSCRIPTION')
    if (mine.endsAt === null) return
    await changeMembership(ctx, mine.memberId, { endsAt: null })
    const key = await orderFor(ctx, mine, 'keep')
    await addChanges(ctx, mine.memberId, [{ kind: 'kept', key }])
  })
}

async function endWithPeriod(ctx: Ctx, mine: Subscription) {
  await changeMembership(ctx, mine.memberId, { endsAt: mine.paidUntil })
  const key = await orderFor(ctx, mine, 'cancel')
  await addChanges(ctx, mine.memberId, [{ kind: 'cancelled', key, until: mine.paidUntil }])
}

async function endUnpaid(ctx: Ctx, mine: Subscription) {
  await changeMembership(ctx, mine.memberId, {
    status: 'ended',
    graceUntil: null,
    currentPeriodEnd: sql<string>`least(current_period_end, clock_timestamp())`,
  })
  const key = await orderFor(ctx, mine, 'end')
  await addChanges(ctx, mine.memberId, [{ kind: 'ended', key }])
}

/** The partner gave the unused days as a credit for the next payment, which will not come. */
async function useUpDays(ctx: Ctx, mine: Subscription) {
  const { rows } = await sql<{ until: string }>`
    select clock_timestamp() + coalesce(${unusedTime}, '0') as until
    from memberships s where s.member_id = ${mine.memberId}`.execute(ctx.db)
  const until = rows[0]?.until ?? mine.paidUntil
  await changeMembership(ctx, mine.memberId, {
    source: 'grant',
    currentPeriodEnd: until,
    pausedFrom: null,
    pausedUntil: null,
  })
  const key = await orderFor(ctx, mine, 'end')
  await addChanges(ctx, mine.memberId, [{ kind: 'cancelled', key, until }])
}
