import type { Job } from '#server/kit/jobs.ts'
import { deleteExpiredPushes, sendPushes } from './push-messages.ts'

export const notificationJobs: Job[] = [
  {
    name: 'send-pushes',
    cron: '* * * * *',
    expireInSeconds: 120,
    batchSize: 50,
    retryLimit: 2,
    run: sendPushes,
  },
  { name: 'delete-expired-pushes', cron: '* * * * *', expireInSeconds: 300, run: deleteExpiredPushes },
]
