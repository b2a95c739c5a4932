// Steers a sandbox: its deliveries, its failures and its time. Not part of the partner's wire.
import type { FaultOrder } from './faults.ts'
import type { DeliveryMode, Try } from './webhooks.ts'

export type Control = {
  /** From now on events are delivered (each `copies` times), held back, or lost. */
  deliveries(mode: DeliveryMode, options?: { copies?: number }): Promise<void>
  /** Delivers what was held, in the order it was made or reversed, and holds no more. */
  release(options?: { order?: 'made' | 'reversed'; copies?: number }): Promise<void>
  /** Delivers old events again. */
  replay(...events: string[]): Promise<void>
  /** Settles once every event is delivered or given up. */
  settled(): Promise<void>
  /** What was delivered so far, with the status that answered; null is no answer. */
  tries(): Promise<Try[]>
  /** Lets the next requests to the API fail. */
  fail(order: Partial<FaultOrder> & Pick<FaultOrder, 'how'>): Promise<void>
  /** Cancels the failures that are still ordered. */
  recover(): Promise<void>
  /** Pays an open Checkout session; a card that asks for 3-D Secure passes, or fails it. */
  pay(session: string, options?: { number?: string; authenticate?: 'pass' | 'fail' }): Promise<PayResult>
  /** Changes the card of a customer, as the portal does. */
  changeCard(customer: string, number: string): Promise<void>
  /** Pays an open invoice with the card on file, as the portal does. Whether it worked. */
  payInvoice(invoice: string): Promise<boolean>
  /** Gives a customer a clock of its own, at `at` (seconds) or at the present. */
  setClock(customer: string, at?: number): Promise<string>
  /** Moves a customer's clock forward by `days`, or to `to` (seconds). */
  advance(customer: string, by: { days: number } | { to: number }): Promise<number>
  /** Opens a dispute about the charge, or an inquiry that takes no money back. Its id. */
  dispute(charge: string, options?: { inquiry?: boolean }): Promise<string>
  /** An inquiry is just closed, whatever the outcome. */
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>
}

export type PayResult = { paid: boolean; message: string | null }

/** `origin` is where the sandbox answers. */
export function createControl(origin: string): Control {
  async function ask(verb: string, input: object = {}): Promise<unknown> {
    const answer = await fetch(`${origin}/_control/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const body: unknown = await answer.json()
    if (!answer.ok) throw new Error(`The sandbox refused ${verb}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    deliveries: async (mode, { copies = 1 } = {}) => void (await ask('deliveries', { mode, copies })),
    release: async ({ order = 'made', copies = 1 } = {}) => void (await ask('release', { order, copies })),
    replay: async (...events) => void (await ask('replay', { events })),
    settled: async () => void (await ask('settled')),
    // The answers below are what control-api.ts of the same release sends.
    tries: async () => (await ask('tries')) as Try[],
    fail: async (order) =>
      void (await ask('fail', { next: 1, carriedOut: false, path: '/v1/', method: null, ...order })),
    recover: async () => void (await ask('recover')),
    pay: async (session, { number = '4242424242424242', authenticate = 'pass' } = {}) =>
      (await ask('pay', { session, number, authenticate })) as PayResult,
    changeCard: async (customer, number) => void (await ask('change-card', { customer, number })),
    payInvoice: async (invoice) => ((await ask('pay-invoice', { invoice })) as { paid: boolean }).paid,
    setClock: async (customer, at) => ((await ask('set-clock', { customer, at })) as { clock: string }).clock,
    advance: async (customer, by) => ((await ask('advance', { customer, ...by })) as { at: number }).at,
    dispute: async (charge, { inquiry = false } = {}) =>
      ((await ask('dispute', { charge, inquiry })) as { dispute: string }).dispute,
    closeDispute: async (dispute, outcome) => void (await ask('close-dispute', { dispute, outcome })),
  }
}
