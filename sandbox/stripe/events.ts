import Stripe from 'stripe'
import { copyOf, type Account } from './account.ts'
import { newId } from './ids.ts'

type EventType = Stripe.Event['type']
type ObjectOf<Type extends EventType> = Extract<Stripe.Event, { type: Type }>['data']['object']

/**
 * Records that something happened, with the object as it is now. `at` is in seconds, by the clock of the
 * customer.
 */
export function emit<Type extends EventType>(
  account: Account,
  type: Type,
  object: ObjectOf<Type>,
  at: number,
  previous?: object,
) {
  const base: Omit<Stripe.EventBase, 'type' | 'data'> = {
    id: newId('evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: at,
    livemode: false,
    pending_webhooks: account.webhook ? 1 : 0,
    request: { id: account.request?.id ?? null, idempotency_key: account.request?.idempotencyKey ?? null },
  }
  const data = { object: copyOf(object), ...(previous && { previous_attributes: previous }) }
  // The union of all events cannot follow that `type` and `data` belong together; the parameters do.
  const event = { ...base, type, data } as unknown as Stripe.Event
  account.state.events[event.id] = event
  account.onEvent(event)
}
