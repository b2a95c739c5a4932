// The hosted pages that a payer is sent to: Checkout and the customer portal.
import type Stripe from 'stripe'
import { newId, randomText } from '../ids.ts'

type NewCheckout = {
  amount: number
  tax: number
  taxed: boolean
  askAddress: boolean
  currency: string
  customer: Stripe.Customer | null
  email: string | null
  clientReferenceId: string | null
  successUrl: string
  cancelUrl: string | null
  metadata: Stripe.Metadata
  locale: string | null
  expiresAt: number
  origin: string
  at: number
}

export function makeCheckout(given: NewCheckout): Stripe.Checkout.Session {
  const id = `cs_test_${randomText(58)}`
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: given.amount,
    amount_total: given.amount + given.tax,
    automatic_tax: {
      enabled: given.taxed,
      liability: given.taxed ? { type: 'self' } : null,
      provider: given.taxed ? 'stripe' : null,
      status: given.taxed ? 'complete' : null,
    },
    billing_address_collection: given.askAddress ? 'required' : null,
    cancel_url: given.cancelUrl,
    client_reference_id: given.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: given.at,
    currency: given.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: given.customer?.id ?? null,
    customer_account: null,
    customer_creation: given.customer ? null : 'always',
    customer_details: null,
    customer_email: given.email,
    discounts: [],
    expires_at: given.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: given.locale,
    managed_payments: null,
    metadata: given.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: given.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: given.tax },
    ui_mode: 'hosted_page',
    url: `${given.origin}/c/pay/${id}`,
    wallet_options: null,
  }
}

type NewPortal = {
  customer: string
  returnUrl: string | null
  locale: string | null
  origin: string
  at: number
}

export function makePortal(given: NewPortal): Stripe.BillingPortal.Session {
  return {
    id: newId('bps'),
    object: 'billing_portal.session',
    after_expiration: null,
    configuration: 'bpc_sandbox',
    created: given.at,
    customer: given.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: given.locale,
    on_behalf_of: null,
    return_url: given.returnUrl,
    url: `${given.origin}/p/session/${randomText(40)}`,
  }
}
