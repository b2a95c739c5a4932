import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { listOwnDraws } from './audit/own-draws.ts'
import { findDrawPlace } from './audit/own-place.ts'
import { explainOffer } from './explain/own-offer.ts'
import { explainWait } from './explain/own-wait.ts'
import { respondToOffer, setOfferAside } from './offers.ts'
import { findCurrentOffer, getBalance, findCooldown, getRequest } from './reads.ts'
import { takeTicket } from './lottery.ts'
import { cancelRequest, requestReview } from './requests.ts'
import { getAskingHours, setAskingHours } from './presence/quiet-hours.ts'
import { endRest } from './presence/rests.ts'
import { bePresent } from './signals.ts'
import { addAskAlert } from './preferences/ask-alerts.ts'
import { allowFormat, listUnusableFormats } from './preferences/formats.ts'
import { listUnwantedOffers, markUnwanted, takeBackUnwanted } from './preferences/unwanted.ts'

const calls = api.matching
const actions = limited('matching', { hits: 30, seconds: hour })
// A member who looks all the time would see members come and go.
const looks = limited('explain-wait', { hits: 20, seconds: hour })

export const matchingProcedures: Procedures<'matching'> = {
  takeTicket: calls.takeTicket
    .after(limited('tickets', { hits: 60, seconds: hour }))
    .by((ctx, { productId }) => takeTicket(ctx, productId)),
  findDrawPlace: calls.findDrawPlace.by((ctx) => findDrawPlace(ctx)),
  listOwnDraws: calls.listOwnDraws.by((ctx) => listOwnDraws(ctx)),
  requestReview: calls.requestReview.after(actions).by((ctx, input) => requestReview(ctx, input)),
  addAskAlert: calls.addAskAlert.after(actions).by((ctx, { id }) => addAskAlert(ctx, id)),
  cancelRequest: calls.cancelRequest.after(actions).by((ctx, { id }) => cancelRequest(ctx, id)),
  getRequest: calls.getRequest.by((ctx, { id }) => getRequest(ctx, id)),
  explainWait: calls.explainWait.after(looks).by((ctx, { id }) => explainWait(ctx, id)),
  findCurrentOffer: calls.findCurrentOffer.by((ctx) => findCurrentOffer(ctx)),
  explainOffer: calls.explainOffer.by((ctx, { id }) => explainOffer(ctx, id)),
  respondToOffer: calls.respondToOffer.after(actions).by((ctx, input) => respondToOffer(ctx, input)),
  setOfferAside: calls.setOfferAside
    .after(limited('offers-aside', { hits: 120, seconds: hour }))
    .by((ctx, { queueId }) => setOfferAside(ctx, queueId)),
  getBalance: calls.getBalance.by((ctx) => getBalance(ctx)),
  findCooldown: calls.findCooldown.by((ctx) => findCooldown(ctx)),
  endRest: calls.endRest.after(actions).by((ctx) => endRest(ctx)),
  listUnusableFormats: calls.listUnusableFormats.by((ctx) => listUnusableFormats(ctx)),
  allowFormat: calls.allowFormat.by((ctx, { id }) => allowFormat(ctx, id)),
  listUnwantedOffers: calls.listUnwantedOffers.by((ctx) => listUnwantedOffers(ctx)),
  markUnwanted: calls.markUnwanted.after(actions).by((ctx, input) => markUnwanted(ctx, input)),
  takeBackUnwanted: calls.takeBackUnwanted.by((ctx, { id }) => takeBackUnwanted(ctx, id)),
  getAskingHours: calls.getAskingHours.by((ctx) => getAskingHours(ctx)),
  setAskingHours: calls.setAskingHours.after(actions).by((ctx, input) => setAskingHours(ctx, input)),
  bePresent: calls.bePresent.by((ctx) => bePresent(ctx)),
}
