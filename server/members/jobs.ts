import type { Job } from '#server/kit/jobs.ts'
import { deleteOldErasures } from './erasure.ts'
import { deleteExpiredUsernames } from './username-change.ts'

export const memberJobs: Job[] = [
  { name: 'delete-old-erasures', cron: '44 3 * * *', expireInSeconds: 300, run: deleteOldErasures },
  {
    name: 'delete-expired-usernames',
    cron: '40 3 * * *',
    expireInSeconds: 300,
    run: deleteExpiredUsernames,
  },
]
