import type { Job } from '#server/kit/jobs.ts'
import { sendPushes } from './push-messages.ts'

export const notificationJobs: Job[] = [
  {
    name: 'send-pushes',
    cron: '* * * * *',
    expireInSeconds: 120,
    batchSize: 50,
    retryLimit: 2,
    run: sendPushes,
  },
]
