// Time: of the machine, or of a test clock that stands still until it is advanced.
import type Stripe from 'stripe'
import { nowFor, type Account } from './account.ts'
import { expireCheckout } from './checkout.ts'
import { emit } from './events.ts'
import { refuse } from './fault.ts'
import { newId } from './ids.ts'
import { runDue } from './subscriptions.ts'

const day = 86_400

export function makeClock(
  account: Account,
  name: string | null,
  frozenTime: number,
): Stripe.TestHelpers.TestClock {
  const clock: Stripe.TestHelpers.TestClock = {
    id: newId('clock'),
    object: 'test_helpers.test_clock',
    created: account.now(),
    deletes_after: account.now() + 30 * day,
    frozen_time: frozenTime,
    livemode: false,
    name,
    status: 'ready',
    status_details: {},
  }
  account.state.testClocks[clock.id] = clock
  emit(account, 'test_helpers.test_clock.created', clock, account.now())
  return clock
}

/** Moves a clock forward; everything that falls due on the way happens at its moment. */
export function advanceClock(account: Account, clock: Stripe.TestHelpers.TestClock, to: number) {
  if (to <= clock.frozen_time)
    throw refuse('A test clock can only be advanced to a later time.', { param: 'frozen_time' })
  const from = clock.frozen_time
  for (const customer of Object.values(account.state.customers)) {
    if (customer.deleted || customer.test_clock !== clock.id) continue
    clock.frozen_time = from
    runDue(account, customer.id, to, (moment) => {
      clock.frozen_time = Math.max(from, moment)
    })
  }
  clock.frozen_time = to
  expireCheckouts(account)
  emit(account, 'test_helpers.test_clock.ready', clock, account.now())
}

/** Does what has fallen due for the customers without a clock. */
export function runRealTime(account: Account) {
  for (const customer of Object.values(account.state.customers)) {
    if (customer.deleted || customer.test_clock) continue
    runDue(account, customer.id, account.now(), () => {})
  }
  expireCheckouts(account)
}

function expireCheckouts(account: Account) {
  for (const session of Object.values(account.state.checkoutSessions)) {
    const customer = typeof session.customer === 'string' ? session.customer : null
    if (session.status === 'open' && session.expires_at <= nowFor(account, customer))
      expireCheckout(account, session)
  }
}
