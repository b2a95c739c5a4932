import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { cancelRequestAsStaff, withdrawOfferAsStaff } from '#server/matching/requests.ts'
import {
  acceptProof,
  endWithoutFault,
  extendDeadline,
  refuseProof,
  verifyExchange,
} from '#server/reviews/interventions.ts'
import { explainExchange, getExchange } from './exchanges/exchange.ts'
import { listExchanges } from './exchanges/search.ts'

const calls = api.exchanges

export const exchangeProcedures: Procedures<'exchanges'> = {
  listExchanges: calls.listExchanges.by((ctx, input) => listExchanges(ctx, input)),
  getExchange: calls.getExchange.by((ctx, input) => getExchange(ctx, input)),
  explainExchange: calls.explainExchange.by((ctx, input) => explainExchange(ctx, input)),
  cancelRequestAsStaff: calls.cancelRequestAsStaff.by((ctx, input) => cancelRequestAsStaff(ctx, input)),
  withdrawOfferAsStaff: calls.withdrawOfferAsStaff.by((ctx, input) => withdrawOfferAsStaff(ctx, input)),
  extendDeadline: calls.extendDeadline.by((ctx, input) => extendDeadline(ctx, input)),
  acceptProof: calls.acceptProof.by((ctx, input) => acceptProof(ctx, input)),
  refuseProof: calls.refuseProof.by((ctx, input) => refuseProof(ctx, input)),
  verifyExchange: calls.verifyExchange.by((ctx, input) => verifyExchange(ctx, input)),
  endWithoutFault: calls.endWithoutFault.by((ctx, input) => endWithoutFault(ctx, input)),
}
