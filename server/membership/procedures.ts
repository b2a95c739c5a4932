import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { refuse } from '#server/kit/refusal.ts'

const calls = api.membership
const closed = () => Promise.reject(refuse('PAYMENTS_CLOSED'))

export const membershipProcedures: Procedures<'membership'> = {
  getBilling: calls.getBilling.by(closed),
  listInvoices: calls.listInvoices.by(closed),
  openCheckout: calls.openCheckout.by(closed),
  openPortal: calls.openPortal.by(closed),
  refreshBilling: calls.refreshBilling.by(closed),
  cancelMembership: calls.cancelMembership.by(closed),
  keepMembership: calls.keepMembership.by(closed),
  pauseMembership: calls.pauseMembership.by(closed),
  resumeMembership: calls.resumeMembership.by(closed),
  refundMembership: calls.refundMembership.by(closed),
}
