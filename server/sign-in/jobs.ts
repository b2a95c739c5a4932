import type { Job } from '#server/kit/jobs.ts'
import { forgetSignInStates } from './sign-in.ts'

export const signInJobs: Job[] = [
  { name: 'forget-sign-in-states', cron: '34 * * * *', expireInSeconds: 60, run: forgetSignInStates },
]
