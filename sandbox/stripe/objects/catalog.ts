// What is sold: products and their prices.
import Stripe from 'stripe'
import { newId } from '../ids.ts'

type NewProduct = { name: string; description: string | null; metadata: Stripe.Metadata; at: number }

export function makeProduct(given: NewProduct): Stripe.Product {
  return {
    id: newId('prod').slice(0, 19),
    object: 'product',
    active: true,
    created: given.at,
    default_price: null,
    description: given.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata,
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: given.at,
    url: null,
  }
}

type Interval = 'day' | 'week' | 'month' | 'year'

type NewPrice = {
  product: string
  currency: string
  unitAmount: number
  interval: Interval
  intervalCount: number
  lookupKey: string | null
  nickname: string | null
  metadata: Stripe.Metadata
  at: number
}

export function makePrice(given: NewPrice): Stripe.Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: given.at,
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookupKey,
    metadata: given.metadata,
    nickname: given.nickname,
    product: given.product,
    recurring: {
      interval: given.interval,
      interval_count: given.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'exclusive',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: given.unitAmount,
    unit_amount_decimal: Stripe.Decimal.from(given.unitAmount),
  }
}

/** The older form of a price, which subscription items still carry. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
