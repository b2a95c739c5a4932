import Stripe from 'stripe'
import { newId } from '../ids.ts'
import { itemOf } from './subscription.ts'

type Period = { start: number; end: number }

/** `amount` is in cents without tax, and below zero for a credit. */
export type NewLine = { amount: number; description: string; period: Period; proration: boolean }

type NewInvoice = {
  customer: Stripe.Customer
  subscription: Stripe.Subscription
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  lines: NewLine[]
  period: Period
  taxPercent: number
  at: number
}

export function makeInvoice(given: NewInvoice): Stripe.Invoice {
  const { customer, subscription, at } = given
  const id = newId('in')
  const subtotal = given.lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = taxOf(subtotal, given.taxPercent)
  const total = Math.max(0, subtotal + tax)
  const taxes = given.taxPercent > 0 ? [taxLine(tax, subtotal)] : []
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Evenhand (sandbox)',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: subscription.automatic_tax.enabled ? { type: 'self' } : null,
      provider: subscription.automatic_tax.enabled ? 'stripe' : null,
      status: subscription.automatic_tax.enabled ? 'complete' : null,
    },
    automatically_finalizes_at: at + 3600,
    billing_reason: given.reason,
    collection_method: 'charge_automatically',
    created: at,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: given.lines.map((line) => makeLine(id, subscription, line, given.taxPercent)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: at + 3600,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: given.period.end,
    period_start: given.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: subscription.test_clock,
    total,
    total_discount_amounts: [],
    total_excluding_tax: subtotal,
    total_pretax_credit_amounts: [],
    total_taxes: taxes,
    webhooks_delivered_at: null,
  }
}

/** Cents of tax on top of an amount. */
export function taxOf(amount: number, percent: number): number {
  return Math.round((amount * percent) / 100)
}

function taxLine(amount: number, taxable: number): Stripe.Invoice.TotalTax {
  return {
    amount,
    tax_behavior: 'exclusive',
    tax_rate_details: { tax_rate: 'txr_sandbox' },
    taxability_reason: 'standard_rated',
    taxable_amount: taxable,
    type: 'tax_rate_details',
  }
}

function makeLine(
  invoice: string,
  subscription: Stripe.Subscription,
  { amount, description, period, proration }: NewLine,
  taxPercent: number,
): Stripe.InvoiceLineItem {
  const item = itemOf(subscription)
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: productId(item.price) },
      type: 'price_details',
      unit_amount_decimal: proration ? Stripe.Decimal.from(amount) : item.price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: Stripe.Decimal.from(item.quantity ?? 1),
    subscription: subscription.id,
    subtotal: amount,
    taxes: taxPercent > 0 ? [taxLine(taxOf(amount, taxPercent), amount)] : [],
  }
}

function productId({ product }: Stripe.Price) {
  return typeof product === 'string' ? product : product.id
}
