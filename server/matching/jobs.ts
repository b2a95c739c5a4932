import type { Job } from '#server/kit/jobs.ts'
import { refreshFigures } from './figures.ts'
import { prepareDays } from './lottery.ts'
import { followMarketplaces } from './marketplaces.ts'
import { expireOffers } from './offers.ts'
import { matchRequests } from './pass.ts'
import { refreshStandings } from './standing.ts'

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
    name: 'expire-offers',
    cron: '* * * * *',
    expireInSeconds: 120,
    run: async (ctx) => void (await expireOffers(ctx)),
  },
  { name: 'follow-marketplaces', cron: '*/5 * * * *', expireInSeconds: 300, run: followMarketplaces },
  { name: 'refresh-standings', cron: '*/5 * * * *', expireInSeconds: 120, run: refreshStandings },
  {
    name: 'refresh-rotation-figures',
    cron: '7 * * * *',
    expireInSeconds: 120,
    async run(ctx) {
      await prepareDays(ctx)
      await refreshFigures(ctx)
    },
  },
]
