// The customer portal: the card on file, and the bills.
import type Stripe from 'stripe'
import { nowFor, type Account, type Challenge } from './account.ts'
import { declineOf, type Decline } from './cards.ts'
import { emit } from './events.ts'
import { idOf, newId } from './ids.ts'
import { liveCustomer } from './invoices.ts'
import { attach, cardOf, takeCard } from './payments.ts'
import { change, hasEnded, paymentMethodOf } from './subscriptions.ts'

type Saved = { saved: true } | { declined: Decline } | { authenticate: string }

/** Makes this the card for all that is charged from now on. `session` is the portal's, for its 3-D Secure. */
export function saveCard(account: Account, customer: Stripe.Customer, number: string, session = ''): Saved {
  const at = nowFor(account, customer.id)
  const paymentMethod = takeCard(account, { number, email: customer.email, name: customer.name ?? null, at })
  if ('decline_code' in paymentMethod) return { declined: paymentMethod }
  const card = cardOf(account, paymentMethod.id)
  const declined = declineOf(card, 'save')
  if (declined) return { declined }
  if (card.outcome === 'authenticate') {
    const token = newId('challenge')
    account.state.challenges[token] = {
      of: 'portal',
      answered: false,
      session,
      paymentMethod: paymentMethod.id,
    }
    return { authenticate: token }
  }
  makeDefault(account, customer, paymentMethod)
  return { saved: true }
}

/** Goes on after the page of 3-D Secure. Whether the card is the one on file now. */
export function finishSaving(
  account: Account,
  challenge: Extract<Challenge, { of: 'portal' }>,
  passed: boolean,
): boolean {
  const session = account.state.portalSessions[challenge.session]
  const paymentMethod = account.state.paymentMethods[challenge.paymentMethod]
  if (!passed || !session || !paymentMethod) return false
  makeDefault(account, liveCustomer(account, session.customer), paymentMethod)
  return true
}

function makeDefault(account: Account, customer: Stripe.Customer, paymentMethod: Stripe.PaymentMethod) {
  const at = nowFor(account, customer.id)
  attach(account, paymentMethod, customer.id, at)
  customer.invoice_settings.default_payment_method = paymentMethod.id
  emit(account, 'customer.updated', customer, at)
  for (const subscription of subscriptionsOf(account, customer)) {
    if (!hasEnded(subscription))
      change(account, subscription, { default_payment_method: paymentMethod.id }, at)
  }
}

export function subscriptionsOf(account: Account, { id }: Stripe.Customer): Stripe.Subscription[] {
  return Object.values(account.state.subscriptions).filter((each) => idOf(each.customer) === id)
}

/** The card that the next bill is charged to. */
export function cardOnFile(account: Account, customer: Stripe.Customer): Stripe.PaymentMethod | undefined {
  const running = subscriptionsOf(account, customer).find((each) => !hasEnded(each))
  if (running) return paymentMethodOf(account, running)
  const chosen = customer.invoice_settings.default_payment_method
  return chosen === null ? undefined : account.state.paymentMethods[idOf(chosen)]
}
