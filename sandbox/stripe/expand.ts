// Puts whole objects where an answer holds their ids, as the request asked.
import type Stripe from 'stripe'
import { copyOf, type Account } from './account.ts'
import { lineItemsOf } from './checkout.ts'
import { refuse } from './fault.ts'
import { idOf } from './ids.ts'

type Node = { [key: string]: unknown }

/** A copy of `answer` with each path expanded, such as `data.latest_invoice.customer`. */
export function expanded(account: Account, answer: object, paths: string[]): object {
  const copy = copyOf(answer)
  for (const path of paths) {
    const keys = path.split('.')
    if (keys.filter((key) => key !== 'data').length > 4)
      throw refuse('You cannot expand more than 4 levels of a property.', { param: 'expand' })
    expand(account, copy as Node, keys)
  }
  return copy
}

function expand(account: Account, node: Node, [key, ...rest]: string[]) {
  if (key === undefined) return
  if (node[key] === undefined) node[key] = included(account, node, key)
  const value = node[key]
  if (value === undefined) throw refuse(`This property cannot be expanded (${key}).`, { param: 'expand' })
  if (typeof value === 'string') node[key] = copyOf(findById(account, value, key))
  const next = node[key]
  for (const each of Array.isArray(next) ? next : [next]) if (isNode(each)) expand(account, each, rest)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** What an object shows only when it is asked to. */
function included(account: Account, node: Node, key: string): unknown {
  const { id, object } = node
  if (typeof id !== 'string') return undefined
  const { state } = account
  if (object === 'checkout.session' && key === 'line_items') {
    const session = state.checkoutSessions[id]
    return session && copyOf(lineItemsOf(account, session))
  }
  if (object === 'invoice' && key === 'payments')
    return listOf(
      Object.values(state.invoicePayments).filter((each) => idOf(each.invoice) === id),
      `/v1/invoice_payments?invoice=${id}`,
    )
  if (object === 'charge' && key === 'refunds')
    return listOf(
      Object.values(state.refunds).filter((each) => each.charge === id),
      `/v1/charges/${id}/refunds`,
    )
  if (object === 'customer' && key === 'subscriptions')
    return listOf(
      Object.values(state.subscriptions).filter((each) => each.customer === id && each.status !== 'canceled'),
      `/v1/customers/${id}/subscriptions`,
    )
  return undefined
}

function listOf<Item>(data: Item[], url: string): Stripe.ApiList<Item> {
  return copyOf({ object: 'list', data: data.toReversed(), has_more: false, url })
}

function findById(account: Account, id: string, key: string): object {
  const { state } = account
  const tables: Record<string, Record<string, object>> = {
    cus: state.customers,
    prod: state.products,
    price: state.prices,
    cs: state.checkoutSessions,
    sub: state.subscriptions,
    in: state.invoices,
    inpay: state.invoicePayments,
    pi: state.paymentIntents,
    ch: state.charges,
    re: state.refunds,
    du: state.disputes,
    pm: state.paymentMethods,
    clock: state.testClocks,
  }
  const found = tables[id.split('_')[0] ?? '']?.[id]
  if (!found) throw refuse(`This property cannot be expanded (${key}).`, { param: 'expand' })
  return found
}
