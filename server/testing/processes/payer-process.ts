// A process of its own that joins or refunds as a member and then looks at the payment partner, so that a
// test can kill it between two calls. Usage: <join | refund> <member id>; the settings are its environment.
import { joinTermsVersion } from '#contract/membership.ts'
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import { actAs, systemCtx } from '#server/kit/ctx.ts'
import type { Kit } from '#server/kit/ctx.ts'
import { connectionFromEnv } from '#server/kit/db/connection.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openCheckout, refreshBilling } from '#server/membership/checkout.ts'
import { carryOutOrders } from '#server/membership/orders.ts'
import { refundMembership } from '#server/membership/refunds.ts'
import { createControl } from '#sandbox/stripe/control.ts'

const [step, id = ''] = process.argv.slice(2)
const log = openLog('test', 'silent')
const config = readConfig(process.env)
const database = openDatabase(connectionFromEnv(process.env), { name: 'payer', log, max: 3 })
const kit: Kit = {
  db: database.db,
  files: openFiles({ dataDir: process.env['DATA_DIR'] ?? '' }),
  reactions,
  // Jobs are sent with the transaction; this process does their work itself.
  jobs: { send: async () => {}, stop: async () => {} },
}
const system = systemCtx(kit, config, log)
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
