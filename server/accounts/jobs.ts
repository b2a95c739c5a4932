import type { Job } from '#server/kit/jobs.ts'
import { forgetSessions } from './sessions.ts'
import { forgetSignUps } from './sign-up.ts'

export const accountJobs: Job[] = [
  { name: 'forget-sign-ups', cron: '17 * * * *', expireInSeconds: 120, run: forgetSignUps },
  { name: 'forget-sessions', cron: '27 * * * *', expireInSeconds: 120, run: forgetSessions },
]
