// My subscription at the payment partner, as my actions find and leave it.
import { sql } from 'kysely'
import type { UpdateObject } from 'kysely'
import type { MembershipState, OrderKind } from '#contract/membership.ts'
import type { DB } from '#db/types.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { addOrder } from './orders.ts'

export type Subscription = {
  memberId: string
  subscriptionId: string
  state: MembershipState
  paidUntil: string
  endsAt: string | null
}

/** My running subscription, under my lock; undefined without one, and after it has ended. */
export async function lockMySubscription(ctx: MemberCtx): Promise<Subscription | undefined> {
  await lockMembers(ctx, [ctx.who.id])
  return findSubscription(ctx, ctx.who.id)
}

/** The running subscription of a member, whose lock the caller holds. */
export async function findSubscription(ctx: Ctx, memberId: string): Promise<Subscription | undefined> {
  const { rows } = await sql<Subscription>`
    select s.member_id, s.stripe_subscription_id as subscription_id, t.membership_state as state,
      s.current_period_end as paid_until, s.ends_at
    from memberships s join standings t on t.member_id = s.member_id
    where s.member_id = ${memberId} and s.source = 'stripe' and s.stripe_subscription_id is not null
      and t.membership_state in ('active', 'past_due', 'paused', 'cancelled')`.execute(ctx.db)
  return rows[0]
}

/** Changes my membership, whose lock the caller holds, and lets everyone know. */
export async function changeMembership(
  ctx: Ctx,
  memberId: string,
  to: UpdateObject<DB, 'memberships'>,
): Promise<void> {
  await ctx.db
    .updateTable('memberships')
    .set({ ...to, updatedAt: sql<string>`clock_timestamp()` })
    .where('memberId', '=', memberId)
    .execute()
  await emit(ctx, 'membership.changed', { memberId }, [memberId])
}

/** Asks the partner for something about this subscription. Returns the order's id. */
export function orderFor(
  ctx: Ctx,
  { memberId, subscriptionId }: Subscription,
  kind: OrderKind,
  more: { paymentId?: string; until?: string } = {},
): Promise<string> {
  return addOrder(ctx, { memberId, subscriptionId, kind, ...more })
}
