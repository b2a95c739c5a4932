import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { planOf } from './catalog.ts'

type NewSubscription = {
  customer: string
  price: Stripe.Price
  quantity: number
  paymentMethod: string
  metadata: Stripe.Metadata
  description: string | null
  taxed: boolean
  testClock: string | null
  at: number
  /** The end of the first period. */
  end: number
}

/** As it is before its first payment: incomplete. */
export function makeSubscription(given: NewSubscription): Stripe.Subscription {
  const id = newId('sub')
  const item: Stripe.SubscriptionItem = {
    id: newId('si').slice(0, 17),
    object: 'subscription_item',
    billing_thresholds: null,
    created: given.at,
    current_period_end: given.end,
    current_period_start: given.at,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(given.price),
    price: given.price,
    quantity: given.quantity,
    subscription: id,
    tax_rates: [],
  }
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: given.taxed,
      liability: given.taxed ? { type: 'self' } : null,
    },
    billing_cycle_anchor: given.at,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: given.at,
    currency: given.price.currency,
    customer: given.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: given.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: given.at,
    status: 'incomplete',
    test_clock: given.testClock,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  }
}

/** The one item of a subscription: the sandbox sells one price at a time. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error(`${subscription.id} has no item`)
  return item
}
