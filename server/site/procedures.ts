import { figureMethods } from '#contract/figure-methods.ts'
import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { listMarketplacesPublicly } from './marketplaces.ts'
import { listSigningKeys } from './signing-keys.ts'
import { getPublicStatistics } from './statistics.ts'
import { readStatusShared } from './status.ts'

const calls = api.site

export const siteProcedures: Procedures<'site'> = {
  getStatus: calls.getStatus.by((ctx) => readStatusShared(ctx)),
  getPublicStatistics: calls.getPublicStatistics.by(async (ctx) => ({
    ...(await getPublicStatistics(ctx)),
    methods: figureMethods,
  })),
  listMarketplacesPublicly: calls.listMarketplacesPublicly.by((ctx) => listMarketplacesPublicly(ctx)),
  listSigningKeys: calls.listSigningKeys.by((ctx) => listSigningKeys(ctx)),
}
