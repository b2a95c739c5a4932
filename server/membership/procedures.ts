import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { getBilling, listInvoices } from './billing.ts'
import { cancelMembership, keepMembership } from './cancellations.ts'
import { pauseMembership, resumeMembership } from './pauses.ts'
import { refundMembership } from './refunds.ts'

const calls = api.membership
const action = limited('change-membership', { hits: 30, seconds: hour })
const closed = () => Promise.reject(refuse('PAYMENTS_CLOSED'))

export const membershipProcedures: Procedures<'membership'> = {
  getBilling: calls.getBilling.by((ctx) => getBilling(ctx)),
  listInvoices: calls.listInvoices.by((ctx, input) => listInvoices(ctx, input)),
  openCheckout: calls.openCheckout.by(closed),
  openPortal: calls.openPortal.by(closed),
  refreshBilling: calls.refreshBilling.by(closed),
  cancelMembership: calls.cancelMembership.after(action).by((ctx) => cancelMembership(ctx)),
  keepMembership: calls.keepMembership.after(action).by((ctx) => keepMembership(ctx)),
  pauseMembership: calls.pauseMembership.after(action).by((ctx, input) => pauseMembership(ctx, input)),
  resumeMembership: calls.resumeMembership.after(action).by((ctx) => resumeMembership(ctx)),
  refundMembership: calls.refundMembership.after(action).by((ctx) => refundMembership(ctx)),
}
