import type { Job } from '#server/kit/jobs.ts'
import { forgetEmailChanges } from './email-change.ts'
import { forgetErasures } from './erasure.ts'
import { forgetSecrets } from './secrets.ts'
import { forgetSessions } from './sessions.ts'
import { forgetSignInStates } from './sign-in.ts'
import { forgetSignUps } from './sign-up.ts'
import { forgetReservedUsernames } from './username-change.ts'

export const accountJobs: Job[] = [
  { name: 'forget-sign-ups', cron: '17 * * * *', expireInSeconds: 120, run: forgetSignUps },
  { name: 'forget-sessions', cron: '27 * * * *', expireInSeconds: 120, run: forgetSessions },
  { name: 'forget-secrets', cron: '32 * * * *', expireInSeconds: 60, run: forgetSecrets },
  { name: 'forget-sign-in-states', cron: '34 * * * *', expireInSeconds: 60, run: forgetSignInStates },
  { name: 'forget-erasures', cron: '44 3 * * *', expireInSeconds: 60, run: forgetErasures },
  { name: 'forget-email-changes', cron: '37 * * * *', expireInSeconds: 60, run: forgetEmailChanges },
  {
    name: 'forget-reserved-usernames',
    cron: '40 3 * * *',
    expireInSeconds: 60,
    run: forgetReservedUsernames,
  },
]
