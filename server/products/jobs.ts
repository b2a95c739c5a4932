import type { Job } from '#server/kit/jobs.ts'
import { notifySellersOfClosure } from './closures.ts'
import { countExchanges } from './discover.ts'
import { removeUnusedImages } from './images.ts'

export const productJobs: Job[] = [
  {
    name: 'remove-unused-images',
    cron: '20 3 * * *',
    expireInSeconds: 300,
    run: (ctx) => removeUnusedImages(ctx),
  },
  { name: 'count-exchanges', cron: '*/10 * * * *', expireInSeconds: 300, run: countExchanges },
  {
    name: 'notify-sellers-of-closure',
    expireInSeconds: 300,
    async run(ctx, batch) {
      for (const { closureId, what } of batch) {
        await notifySellersOfClosure(ctx, String(closureId), what === 'reopened' ? 'reopened' : 'closed')
      }
    },
  },
]
