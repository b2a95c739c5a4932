import type Stripe from 'stripe'
import { newId, randomText } from '../ids.ts'

type NewCustomer = {
  email: string | null
  name: string | null
  description: string | null
  phone: string | null
  metadata: Stripe.Metadata
  testClock: string | null
  at: number
}

export function makeCustomer(given: NewCustomer): Stripe.Customer {
  return {
    id: newId('cus').slice(0, 18),
    object: 'customer',
    address: null,
    balance: 0,
    created: given.at,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: given.description,
    email: given.email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata,
    name: given.name,
    next_invoice_sequence: 1,
    phone: given.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: given.testClock,
  }
}
