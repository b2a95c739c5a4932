import type { Job } from '#server/kit/jobs.ts'
import { measureMedians } from './medians.ts'

export const analyticsJobs: Job[] = [
  {
    name: 'measure-medians',
    cron: '11 * * * *',
    expireInSeconds: 300,
    retryLimit: 1,
    run: (ctx) => measureMedians(ctx),
  },
]
