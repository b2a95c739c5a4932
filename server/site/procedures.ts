import { anyone, api } from '#server/kit/http/api.ts'
import { getPublicStatistics } from './statistics.ts'
import { listMarketplacesPublicly } from './marketplaces.ts'
import { readStatusShared } from './status.ts'

const calls = api.site

export const siteProcedures = {
  getStatus: calls.getStatus.use(anyone).handler(({ context: { ctx } }) => readStatusShared(ctx)),
  getPublicStatistics: calls.getPublicStatistics
    .use(anyone)
    .handler(({ context: { ctx } }) => getPublicStatistics(ctx)),
  listMarketplacesPublicly: calls.listMarketplacesPublicly
    .use(anyone)
    .handler(({ context: { ctx } }) => listMarketplacesPublicly(ctx)),
}
