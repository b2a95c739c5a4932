import { api, limited, member } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { respondToOffer } from './offers.ts'
import { findCurrentOffer, getBalance, getCooldown, getRequest } from './reads.ts'
import { cancelRequest, requestReview } from './requests.ts'
import { bePresent } from './tiers.ts'

const calls = api.matching
const actions = limited('matching', { hits: 30, seconds: hour })

export const matchingProcedures = {
  requestReview: calls.requestReview
    .use(actions)
    .use(member)
    .handler(({ context: { ctx }, input }) => requestReview(ctx, input.productId)),
  cancelRequest: calls.cancelRequest
    .use(actions)
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await cancelRequest(ctx, input.id)
      return { ok: true as const }
    }),
  getRequest: calls.getRequest
    .use(member)
    .handler(({ context: { ctx }, input }) => getRequest(ctx, input.id)),
  findCurrentOffer: calls.findCurrentOffer
    .use(member)
    .handler(({ context: { ctx } }) => findCurrentOffer(ctx)),
  respondToOffer: calls.respondToOffer
    .use(actions)
    .use(member)
    .handler(({ context: { ctx }, input }) => respondToOffer(ctx, input)),
  getBalance: calls.getBalance.use(member).handler(({ context: { ctx } }) => getBalance(ctx)),
  getCooldown: calls.getCooldown.use(member).handler(({ context: { ctx } }) => getCooldown(ctx)),
  bePresent: calls.bePresent.use(member).handler(async ({ context: { ctx } }) => {
    await bePresent(ctx)
    return { ok: true as const }
  }),
}
