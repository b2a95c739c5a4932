import type { Job } from '#server/kit/jobs.ts'
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
]
