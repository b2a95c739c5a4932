import type { Job } from '#server/kit/jobs.ts'
import { deleteExpiredSignInStates } from './sign-in.ts'

export const signInJobs: Job[] = [
  {
    name: 'delete-expired-sign-in-states',
    cron: '34 * * * *',
    expireInSeconds: 300,
    run: deleteExpiredSignInStates,
  },
]
