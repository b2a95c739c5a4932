import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { anyone } from '#server/kit/http/gates.ts'
import { listMarketplacesPublicly } from './marketplaces.ts'
import { getPublicStatistics } from './statistics.ts'
import { readStatusShared } from './status.ts'

const calls = api.site

export const siteProcedures: Procedures<'site'> = {
  getStatus: calls.getStatus.by(anyone, (ctx) => readStatusShared(ctx)),
  getPublicStatistics: calls.getPublicStatistics.by(anyone, (ctx) => getPublicStatistics(ctx)),
  listMarketplacesPublicly: calls.listMarketplacesPublicly.by(anyone, (ctx) => listMarketplacesPublicly(ctx)),
}
