import type { Job } from '#server/kit/jobs.ts'
import { refreshFigures } from './figures.ts'
import { deleteOldLists, publishDays } from './audit/public-list.ts'
import { fetchBeacon } from './beacon/values.ts'
import { deleteOldTickets } from './lottery.ts'
import { followMarketplaces } from './marketplaces.ts'
import { expireOffers } from './offers.ts'
import { matchRequests } from './pass.ts'
import { nudgeMembers } from './presence/nudges.ts'
import { refreshStandings } from './standing.ts'
import { sendAskAlerts } from './preferences/ask-alerts.ts'
import { deleteEndedMarks } from './preferences/unwanted.ts'
import { withdrawWaiting } from './endings.ts'

export const matchingJobs: Job[] = [
  {
    name: 'match-requests',
    cron: '* * * * *',
    expireInSeconds: 120,
    // One run serves all requests for a run that were queued before it.
    batchSize: 200,
    run: async (ctx) => void (await matchRequests(ctx)),
  },
  {
    name: 'fetch-beacon',
    expireInSeconds: 60,
    // One run fetches the values of all requests that wait for one.
    batchSize: 200,
    run: fetchBeacon,
  },
  {
    name: 'nudge-members',
    cron: '* * * * *',
    expireInSeconds: 120,
    run: async (ctx) => void (await nudgeMembers(ctx)),
  },
  {
    name: 'expire-offers',
    cron: '* * * * *',
    expireInSeconds: 120,
    async run(ctx) {
      try {
        await expireOffers(ctx)
      } finally {
        await withdrawWaiting(ctx)
      }
    },
  },
  { name: 'send-ask-alerts', cron: '*/5 * * * *', expireInSeconds: 300, run: sendAskAlerts },
  { name: 'follow-marketplaces', cron: '*/5 * * * *', expireInSeconds: 300, run: followMarketplaces },
  { name: 'refresh-standings', cron: '*/5 * * * *', expireInSeconds: 120, run: refreshStandings },
  { name: 'delete-draw-lists', cron: '41 3 * * *', expireInSeconds: 300, run: deleteOldLists },
  { name: 'delete-ended-marks', cron: '34 3 * * *', expireInSeconds: 300, run: deleteEndedMarks },
  { name: 'delete-old-tickets', cron: '7 * * * *', expireInSeconds: 300, run: deleteOldTickets },
  {
    name: 'refresh-rotation-figures',
    cron: '7 * * * *',
    expireInSeconds: 120,
    run: refreshFigures,
  },
  { name: 'publish-days', cron: '7 * * * *', expireInSeconds: 120, run: publishDays },
]
