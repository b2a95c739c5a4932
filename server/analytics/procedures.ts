import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { onReplica } from '#server/kit/db/replica.ts'
import { getAnalytics } from './own.ts'

export const analyticsProcedures: Procedures<'analytics'> = {
  getAnalytics: api.analytics.getAnalytics.by((ctx, input) =>
    onReplica(ctx, (ctx) => getAnalytics(ctx, input)),
  ),
}
