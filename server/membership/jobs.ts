import type { Ctx } from '#server/kit/ctx.ts'
import type { Job } from '#server/kit/jobs.ts'
import { remindOfPayments } from './billing-notices.ts'
import { carryOutOrders } from './orders.ts'
import { resumeEndedPauses } from './pauses.ts'
import { deleteOldPaymentRows } from './erasure.ts'
import { liftEndedSuspensions } from './suspensions.ts'
import { expireCheckouts } from './checkout.ts'
import { askAboutDueMemberships, endLapsedMemberships, renewDemoMemberships } from './memberships.ts'
import { reconcile } from './looks/reconciliation.ts'
import { applyEvents, isUnreachable } from './looks/stored-events.ts'
import { syncMember } from './looks/sync.ts'

export const membershipJobs: Job[] = [
  {
    name: 'renew-memberships',
    cron: '7 * * * *',
    expireInSeconds: 120,
    async run(ctx) {
      await renewDemoMemberships(ctx)
      await endLapsedMemberships(ctx)
      await askAboutDueMemberships(ctx)
    },
  },
  {
    name: 'apply-stripe-events',
    // Each event sends for it; the schedule finds those that waited for the partner.
    cron: '* * * * *',
    expireInSeconds: 300,
    batchSize: 100,
    async run(ctx) {
      if (ctx.config.payments) await applyEvents(ctx)
    },
  },
  {
    name: 'sync-membership',
    expireInSeconds: 60,
    run: (ctx, [data]) => syncLater(ctx, data?.memberId),
  },
  {
    name: 'reconcile-memberships',
    cron: '23 3 * * *',
    expireInSeconds: 300,
    run: (ctx, [data]) => reconcile(ctx, data),
  },
  {
    name: 'expire-checkouts',
    cron: '41 * * * *',
    expireInSeconds: 300,
    run: (ctx) => expireCheckouts(ctx),
  },
  {
    name: 'lift-suspensions',
    cron: '*/5 * * * *',
    expireInSeconds: 120,
    run: (ctx) => liftEndedSuspensions(ctx),
  },
  {
    name: 'carry-out-orders',
    cron: '* * * * *',
    expireInSeconds: 300,
    // One run carries out all orders that are due.
    batchSize: 100,
    run: (ctx) => carryOutOrders(ctx),
  },
  { name: 'resume-memberships', cron: '*/5 * * * *', expireInSeconds: 120, run: resumeEndedPauses },
  { name: 'delete-old-payment-rows', cron: '48 3 * * *', expireInSeconds: 300, run: deleteOldPaymentRows },
  { name: 'remind-of-payments', cron: '17 * * * *', expireInSeconds: 120, run: remindOfPayments },
]

async function syncLater(ctx: Ctx, memberId: unknown) {
  if (!ctx.config.payments || typeof memberId !== 'string') return
  try {
    await syncMember(ctx, memberId)
  } catch (error) {
    if (isUnreachable(error)) ctx.log.warn({ err: error, memberId }, 'a member waits for the payment partner')
    throw error
  }
}
