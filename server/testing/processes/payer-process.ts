// A process of its own that joins or refunds as a member and then looks at the payment partner, so that a
// test can kill it between two calls. Usage: <join | refund> <member id>; the settings are its environment.
import { joinTermsVersion } from '#contract/membership.ts'
import { actAs } from '#server/kit/ctx.ts'
import { openCheckout, refreshBilling } from '#server/membership/checkout.ts'
import { carryOutOrders } from '#server/membership/orders.ts'
import { refundMembership } from '#server/membership/refunds.ts'
import { createControl } from '#sandbox/stripe/control.ts'
import { openProcess } from './open-process.ts'

const [step, id = ''] = process.argv.slice(2)
const { database, system } = openProcess(3)
const member = actAs(system, { id, role: 'user', sessionId: null, twoFactor: false })

if (step === 'join') {
  await openCheckout(member, { terms: joinTermsVersion })
  // The member's browser, at the partner.
  const { sessionId } = await system.db
    .selectFrom('checkouts')
    .select('sessionId')
    .where('memberId', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  await createControl(process.env['SANDBOX'] ?? '').pay(sessionId ?? '')
} else {
  await refundMembership(member)
  await carryOutOrders(system)
}
await refreshBilling(member)
await database.close()
