import type { Job } from '#server/kit/jobs.ts'
import { measureMoney } from './money-figures.ts'

export const adminJobs: Job[] = [
  { name: 'measure-money', cron: '4-59/10 * * * *', expireInSeconds: 300, run: (ctx) => measureMoney(ctx) },
]
