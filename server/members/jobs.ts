import type { Job } from '#server/kit/jobs.ts'
import { forgetErasures } from './erasure.ts'
import { forgetReservedUsernames } from './username-change.ts'

export const memberJobs: Job[] = [
  { name: 'forget-erasures', cron: '44 3 * * *', expireInSeconds: 60, run: forgetErasures },
  {
    name: 'forget-reserved-usernames',
    cron: '40 3 * * *',
    expireInSeconds: 60,
    run: forgetReservedUsernames,
  },
]
