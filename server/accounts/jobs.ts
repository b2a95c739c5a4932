import type { Job } from '#server/kit/jobs.ts'
import { forgetEmailChanges } from './email-change.ts'
import { forgetSecrets } from './secrets.ts'
import { forgetSessions } from './sessions.ts'
import { forgetSignUps } from './sign-up.ts'

export const accountJobs: Job[] = [
  { name: 'forget-sign-ups', cron: '17 * * * *', expireInSeconds: 120, run: forgetSignUps },
  { name: 'forget-sessions', cron: '27 * * * *', expireInSeconds: 120, run: forgetSessions },
  { name: 'forget-secrets', cron: '32 * * * *', expireInSeconds: 60, run: forgetSecrets },
  { name: 'forget-email-changes', cron: '37 * * * *', expireInSeconds: 60, run: forgetEmailChanges },
]
