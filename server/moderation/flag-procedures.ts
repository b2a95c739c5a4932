import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import type { Job } from '#server/kit/jobs.ts'
import { getFlag, listFlags } from './flag-reads.ts'
import { dismissFlag, findFlags, openFlagCase } from './flags.ts'

export const flagProcedures: Procedures<'flags'> = {
  listFlags: api.flags.listFlags.by((ctx, input) => listFlags(ctx, input)),
  getFlag: api.flags.getFlag.by((ctx, { id }) => getFlag(ctx, id)),
  dismissFlag: api.flags.dismissFlag.by((ctx, input) => dismissFlag(ctx, input)),
  openFlagCase: api.flags.openFlagCase.by((ctx, input) => openFlagCase(ctx, input)),
}

/** Keeps what the checks noticed, a few minutes after they did. */
export const flagJobs: Job[] = [
  { name: 'find-flags', cron: '*/5 * * * *', expireInSeconds: 240, run: (ctx) => findFlags(ctx) },
]
