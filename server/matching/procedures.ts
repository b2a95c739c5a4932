import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { allowFormat, listUnusableFormats } from './exclusions.ts'
import { respondToOffer, setOfferAside } from './offers.ts'
import { findCurrentOffer, getBalance, getCooldown, getRequest } from './reads.ts'
import { cancelRequest, requestReview } from './requests.ts'
import { bePresent } from './tiers.ts'

const calls = api.matching
const actions = limited('matching', { hits: 30, seconds: hour })

export const matchingProcedures: Procedures<'matching'> = {
  requestReview: calls.requestReview.after(actions).by((ctx, { productId }) => requestReview(ctx, productId)),
  cancelRequest: calls.cancelRequest.after(actions).by((ctx, { id }) => cancelRequest(ctx, id)),
  getRequest: calls.getRequest.by((ctx, { id }) => getRequest(ctx, id)),
  findCurrentOffer: calls.findCurrentOffer.by((ctx) => findCurrentOffer(ctx)),
  respondToOffer: calls.respondToOffer.after(actions).by((ctx, input) => respondToOffer(ctx, input)),
  setOfferAside: calls.setOfferAside
    .after(limited('offers-aside', { hits: 120, seconds: hour }))
    .by((ctx, { queueId }) => setOfferAside(ctx, queueId)),
  getBalance: calls.getBalance.by((ctx) => getBalance(ctx)),
  getCooldown: calls.getCooldown.by((ctx) => getCooldown(ctx)),
  listUnusableFormats: calls.listUnusableFormats.by((ctx) => listUnusableFormats(ctx)),
  allowFormat: calls.allowFormat.by((ctx, { id }) => allowFormat(ctx, id)),
  bePresent: calls.bePresent.by((ctx) => bePresent(ctx)),
}
