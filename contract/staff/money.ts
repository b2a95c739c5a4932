import { z } from 'zod'
import { call, cents, id, month, time } from '../kit.ts'
import { membershipStates, paymentsMode } from '../membership.ts'

/** What all members pay together, in whole cents of US dollars. */
const sumCents = z.int().min(0)

/** What happened to memberships and money in one month. */
const moneyMonth = z.object({
  month,
  /** Members whose membership ran at the end of the month. */
  active: z.int(),
  joined: z.int(),
  paused: z.int(),
  pastDue: z.int(),
  ended: z.int(),
  refunds: z.int(),
  disputes: z.int(),
  paidCents: sumCents,
  refundedCents: sumCents,
})
export type MoneyMonth = z.infer<typeof moneyMonth>

/** A difference between what we held and what the payment partner said. The nightly run mended it. */
const difference = z.object({
  memberId: id.nullable(),
  field: z.string(),
  ours: z.string(),
  partners: z.string(),
})

/** Counts and sums over the whole club, as the worker measures them every ten minutes. */
export const moneyFigures = z.object({
  measuredAt: time,
  /** The latest months, the oldest first; at most 24. */
  months: z.array(moneyMonth),
  /** What the running subscriptions pay in a month. */
  recurringCents: sumCents,
  /** How many members are in each state. */
  states: z.record(z.enum(membershipStates), z.int()),
})
export type MoneyFigures = z.infer<typeof moneyFigures>

const overview = moneyFigures.extend({
  payments: paymentsMode,
  reconciliation: z
    .object({ finishedAt: time, compared: z.int(), differences: z.array(difference) })
    .nullable(),
  /** Open disputes, the latest first. */
  disputes: z.array(
    z.object({
      id,
      memberId: id,
      name: z.string(),
      cents,
      reason: z.string(),
      status: z.string(),
      openedAt: time,
    }),
  ),
  /** Accounts that paid with the same card, which are never matched with each other. */
  sharedCards: z.array(z.object({ members: z.array(z.object({ id, name: z.string() })), since: time })),
  /** Orders to the payment partner that failed as often as they may. */
  failedOrders: z.array(z.object({ id, memberId: id, kind: z.string(), failedAt: time, error: z.string() })),
})
export type Money = z.infer<typeof overview>

export const money = {
  getMoney: call
    .route({ method: 'GET', path: '/admin/money', summary: 'Memberships and payments by month' })
    .output(overview),
}
