import type { Job } from '#server/kit/jobs.ts'
import { removeUnanswered } from './answers.ts'
import { deleteOldRecords } from './kept-records.ts'

export const moderationJobs: Job[] = [
  {
    name: 'remove-unanswered-reviews',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => removeUnanswered(ctx),
  },
  {
    name: 'delete-old-records',
    cron: '26 4 * * *',
    expireInSeconds: 300,
    run: (ctx) => deleteOldRecords(ctx),
  },
]
