import type { Job } from '#server/kit/jobs.ts'
import { removeUnusedImages } from './images.ts'

export const productJobs: Job[] = [
  {
    name: 'remove-unused-images',
    cron: '20 3 * * *',
    expireInSeconds: 300,
    run: (ctx) => removeUnusedImages(ctx),
  },
]
