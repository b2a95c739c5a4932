import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { getAnalytics } from './own.ts'

export const analyticsProcedures: Procedures<'analytics'> = {
  getAnalytics: api.analytics.getAnalytics.by((ctx, input) => getAnalytics(ctx, input)),
}
