import type { Job } from '#server/kit/jobs.ts'
import { deleteOldExports, expireExports, makeExport } from './export.ts'

export const privacyJobs: Job[] = [
  {
    name: 'make-export',
    expireInSeconds: 300,
    retryLimit: 3,
    async run(ctx, batch) {
      for (const { exportId } of batch) await makeExport(ctx, String(exportId))
    },
  },
  { name: 'expire-exports', cron: '*/10 * * * *', expireInSeconds: 120, run: expireExports },
  { name: 'delete-old-exports', cron: '*/10 * * * *', expireInSeconds: 300, run: deleteOldExports },
]
