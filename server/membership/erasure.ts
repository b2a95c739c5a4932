// What happens to the membership of a member who leaves. The subscription is ended at the payment partner by
// an order, which is carried out although its member is erased. The customer there stays: the law asks for
// invoices with a name, and that is where they lie.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { addChange } from './changes.ts'
import { addOrder } from './orders.ts'
import { deleteCardsOf } from './payer-cards.ts'
import { refundLeaving } from './refunds.ts'
import { changeMembership } from './subscriptions.ts'

/**
 * Ends the membership of a member whose account is erased, gives the first payment back while that is
 * possible, and deletes its personal data. Returns the cents that are given back. The caller holds the
 * member's lock. Ending it again changes nothing.
 */
export function endMembershipOf(ctx: Ctx, memberId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const held = await ctx.db
      .selectFrom('memberships')
      .select(['status', 'stripeSubscriptionId as subscriptionId'])
      .where('memberId', '=', memberId)
      .executeTakeFirst()
    const cents = held ? await refundLeaving(ctx, memberId) : 0
    await deleteCardsOf(ctx, memberId)
    if (!held) return cents
    const { status, subscriptionId } = held
    if (subscriptionId !== null && status !== 'ended') {
      await addOrder(ctx, { memberId, kind: 'end', subscriptionId })
    }
    const wasRunning = cents === 0 && (status === 'active' || status === 'past_due')
    if (wasRunning) await addChange(ctx, memberId, { kind: 'ended', key: newId() })
    await changeMembership(ctx, memberId, {
      ...(cents > 0 ? {} : { status: 'ended' }),
      currentPeriodEnd: sql<string>`least(current_period_end, clock_timestamp())`,
      pausedFrom: null,
      pausedUntil: null,
      endsAt: null,
      graceUntil: null,
      cardBrand: null,
      cardLast4: null,
    })
    return cents
  })
}
