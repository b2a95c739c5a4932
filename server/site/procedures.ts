import { anyone, api } from '#server/kit/http/api.ts'
import { getOpenFigures } from './figures.ts'
import { listMarketplacesPublicly } from './marketplaces.ts'
import { getStatus } from './status.ts'

const calls = api.site

export const siteProcedures = {
  getStatus: calls.getStatus.use(anyone).handler(({ context: { ctx } }) => getStatus(ctx)),
  getOpenFigures: calls.getOpenFigures.use(anyone).handler(({ context: { ctx } }) => getOpenFigures(ctx)),
  listMarketplacesPublicly: calls.listMarketplacesPublicly
    .use(anyone)
    .handler(({ context: { ctx } }) => listMarketplacesPublicly(ctx)),
}
