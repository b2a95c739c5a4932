import type { Job } from '#server/kit/jobs.ts'
import { deleteEndedDeclarations } from './limits.ts'

export const organizationJobs: Job[] = [
  {
    name: 'delete-ended-declarations',
    cron: '23 * * * *',
    expireInSeconds: 300,
    run: deleteEndedDeclarations,
  },
]
