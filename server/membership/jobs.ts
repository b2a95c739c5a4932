import type { Job } from '#server/kit/jobs.ts'
import { remindOfPayments } from './billing-notices.ts'
import { carryOutOrders } from './orders.ts'
import { resumeEndedPauses } from './pauses.ts'
import { deleteOldPaymentRows } from './retention.ts'
import { liftEndedSuspensions } from './suspensions.ts'
import { endLapsedMemberships, renewDemoMemberships } from './memberships.ts'

export const membershipJobs: Job[] = [
  {
    name: 'renew-memberships',
    cron: '7 * * * *',
    expireInSeconds: 120,
    async run(ctx) {
      await renewDemoMemberships(ctx)
      await endLapsedMemberships(ctx)
    },
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
  { name: 'delete-old-payment-rows', cron: '48 3 * * *', expireInSeconds: 120, run: deleteOldPaymentRows },
  { name: 'remind-of-payments', cron: '17 * * * *', expireInSeconds: 120, run: remindOfPayments },
]
