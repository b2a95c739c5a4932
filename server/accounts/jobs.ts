import type { Job } from '#server/kit/jobs.ts'
import { deleteExpiredEmailChanges } from './changes/email-change.ts'
import { deleteExpiredSecrets } from './secrets.ts'
import { deleteExpiredSessions } from './sessions.ts'
import { deleteExpiredSignUps } from './sign-up.ts'

export const accountJobs: Job[] = [
  { name: 'delete-expired-sign-ups', cron: '17 * * * *', expireInSeconds: 300, run: deleteExpiredSignUps },
  { name: 'delete-expired-sessions', cron: '27 * * * *', expireInSeconds: 300, run: deleteExpiredSessions },
  { name: 'delete-expired-secrets', cron: '32 * * * *', expireInSeconds: 300, run: deleteExpiredSecrets },
  {
    name: 'delete-expired-email-changes',
    cron: '37 * * * *',
    expireInSeconds: 300,
    run: deleteExpiredEmailChanges,
  },
]
