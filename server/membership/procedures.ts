import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour, minute } from '#server/kit/http/rate-limit.ts'
import { getBilling, listInvoices } from './billing.ts'
import { cancelMembership, keepMembership } from './cancellations.ts'
import { openCheckout, openPortal, refreshBilling } from './checkout.ts'
import { pauseMembership, resumeMembership } from './pauses.ts'
import { refundMembership } from './refunds.ts'

const calls = api.membership
const action = limited('change-membership', { hits: 30, seconds: hour })
const page = limited('open-payment-page', { hits: 20, seconds: hour })

export const membershipProcedures: Procedures<'membership'> = {
  getBilling: calls.getBilling.by((ctx) => getBilling(ctx)),
  listInvoices: calls.listInvoices.by((ctx, input) => listInvoices(ctx, input)),
  openCheckout: calls.openCheckout.after(page).by({
    prepare: (ctx, input) => openCheckout(ctx, input),
    answer: async (_ctx, _input, { prepared }) => prepared,
  }),
  openPortal: calls.openPortal.after(page).by({
    prepare: (ctx) => openPortal(ctx),
    answer: async (_ctx, _input, { prepared }) => prepared,
  }),
  refreshBilling: calls.refreshBilling.after(limited('refresh-billing', { hits: 10, seconds: minute })).by({
    prepare: (ctx) => refreshBilling(ctx),
    answer: async () => {},
  }),
  cancelMembership: calls.cancelMembership.after(action).by((ctx) => cancelMembership(ctx)),
  keepMembership: calls.keepMembership.after(action).by((ctx) => keepMembership(ctx)),
  pauseMembership: calls.pauseMembership.after(action).by((ctx, input) => pauseMembership(ctx, input)),
  resumeMembership: calls.resumeMembership.after(action).by((ctx) => resumeMembership(ctx)),
  refundMembership: calls.refundMembership.after(action).by((ctx) => refundMembership(ctx)),
}
