import type { Job } from '#server/kit/jobs.ts'
import { followClosures, notifyOfPrivateLane } from './ended/closures.ts'
import { lapseOverdueReviews, verifyDueReviews } from './outcomes.ts'
import { deleteOldProofFiles } from './proof-files.ts'
import { endReviewsOfRemoved } from './ended/removed-listings.ts'
import { deleteOldDebts } from './ledger/debts.ts'
import { sealLedger } from './ledger/seals.ts'
import { remindReviewers } from './reminders.ts'
import { searchRings } from './rings/search.ts'

export const reviewJobs: Job[] = [
  {
    name: 'verify-due-reviews',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => verifyDueReviews(ctx),
  },
  {
    name: 'lapse-overdue-reviews',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => lapseOverdueReviews(ctx),
  },
  {
    name: 'follow-closures',
    cron: '*/5 * * * *',
    expireInSeconds: 300,
    run: (ctx) => followClosures(ctx),
  },
  {
    name: 'end-reviews-of-removed',
    cron: '*/5 * * * *',
    expireInSeconds: 240,
    run: (ctx) => endReviewsOfRemoved(ctx),
  },
  {
    name: 'notify-of-private-lane',
    expireInSeconds: 300,
    async run(ctx, batch) {
      for (const { marketplaceId, version } of batch) {
        await notifyOfPrivateLane(ctx, { marketplaceId: String(marketplaceId), version: Number(version) })
      }
    },
  },
  {
    name: 'remind-reviewers',
    cron: '*/10 * * * *',
    expireInSeconds: 240,
    run: (ctx) => remindReviewers(ctx),
  },
  {
    name: 'delete-old-proofs',
    cron: '17 3 * * *',
    expireInSeconds: 300,
    run: (ctx) => deleteOldProofFiles(ctx),
  },
  { name: 'delete-old-debts', cron: '23 4 * * *', expireInSeconds: 300, run: (ctx) => deleteOldDebts(ctx) },
  { name: 'seal-ledger', cron: '*/5 * * * *', expireInSeconds: 240, run: (ctx) => sealLedger(ctx) },
  { name: 'search-rings', cron: '29 4 * * *', expireInSeconds: 300, run: (ctx) => searchRings(ctx) },
]
