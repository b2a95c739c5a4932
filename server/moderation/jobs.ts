import type { Job } from '#server/kit/jobs.ts'
import { removeUnanswered } from './answers.ts'
import { deleteOldSuspensions } from './kept-suspensions.ts'

export const moderationJobs: Job[] = [
  {
    name: 'remove-unanswered-reviews',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => removeUnanswered(ctx),
  },
  {
    name: 'delete-old-suspensions',
    cron: '26 4 * * *',
    expireInSeconds: 300,
    run: (ctx) => deleteOldSuspensions(ctx),
  },
]
