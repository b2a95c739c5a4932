import type { Job } from '#server/kit/jobs.ts'
import { removeUnanswered } from './answers.ts'

export const moderationJobs: Job[] = [
  {
    name: 'remove-unanswered-reviews',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => removeUnanswered(ctx),
  },
]
