// An order of the demo shop is not kept anywhere: its address carries it, sealed with the club's secret, so
// that the shop shows receipts only of its own checkout.
import { randomInt } from 'node:crypto'
import type { Ctx } from '#server/kit/ctx.ts'
import { isSameSecret, keyedHash } from '#server/kit/keyed-hash.ts'

export type Order = {
  number: string
  listing: string
  coupon: string
  paidCents: number
  /** Milliseconds since 1970. */
  at: number
}

/** A new order, with a number of ten digits. */
export function placeOrder(order: Omit<Order, 'number' | 'at'>): Order {
  return { ...order, number: String(randomInt(1_000_000_000, 10_000_000_000)), at: Date.now() }
}

/** The part of the order's address after its number. */
export function sealOrder(ctx: Ctx, order: Order): string {
  const { listing, coupon, paidCents, at } = order
  const fields = { listing, coupon, paid: String(paidCents), at: String(at), seal: sealOf(ctx, order) }
  return new URLSearchParams(fields).toString()
}

/** The order of an address, or null when this shop did not make it. */
export function readOrder(ctx: Ctx, number: string, query: Record<string, string>): Order | null {
  const { listing = '', coupon = '', paid = '', at = '', seal = '' } = query
  const order = { number, listing, coupon, paidCents: Number(paid), at: Number(at) }
  return isSameSecret(seal, sealOf(ctx, order)) ? order : null
}

function sealOf({ config }: Ctx, { number, listing, coupon, paidCents, at }: Order) {
  const fields = JSON.stringify([number, listing, coupon, paidCents, at])
  return keyedHash(config, 'demo order', fields).toString('base64url')
}
