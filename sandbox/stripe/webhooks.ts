// Delivers events to the club's webhook, signed as the partner signs them. Again and again until it answers
// 2xx, with growing pauses; held back, doubled, turned round or lost when a test asks for it.
import Stripe from 'stripe'
import type { Account, Delivery } from './account.ts'

export type DeliveryMode = 'deliver' | 'hold' | 'lose'
export type Try = { event: string; type: string; status: number | null }

export type Webhooks = {
  /** Sends an event, or what the mode says instead. */
  push(event: Stripe.Event): void
  setMode(mode: DeliveryMode, copies: number): void
  /** Sends what was held, and holds no more. */
  release(order: 'made' | 'reversed', copies: number): void
  /** Sends these events again, in this order. */
  replay(events: string[]): void
  /** Settles once every event has been answered with 2xx or given up. */
  settled(): Promise<void>
  /** What was tried, oldest first; status null is no answer. */
  tries(): Try[]
  /** Goes on with what an earlier process left undelivered. */
  start(): void
  stop(): Promise<void>
}

/** The partner goes on for three days; ten tries with doubling pauses are enough here. */
const mostTries = 10
const patience = 10_000
const mostTriesKept = 500

/** `pauseMs` is the pause after the first failure. */
export function openWebhooks(account: Account, pauseMs: number): Webhooks {
  const { state } = account
  const stripe = new Stripe(account.secretKey)
  const stopping = new AbortController()
  const tried: Try[] = []
  let mode: DeliveryMode = 'deliver'
  let copies = 1
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let waiting: (() => void)[] = []

  function enqueue(events: string[]) {
    if (!account.webhook) return
    for (const event of events) state.deliveries.push({ event, tries: 0, nextAt: 0 })
    pump()
  }

  function pump() {
    clearTimeout(timer)
    running ??= deliverAll().finally(() => {
      running = undefined
      account.save()
      const next = Math.min(...state.deliveries.map((each) => each.nextAt))
      if (stopping.signal.aborted) return
      if (state.deliveries.length > 0) timer = setTimeout(pump, Math.max(0, next - Date.now()))
      else waiting = (waiting.forEach((resolve) => resolve()), [])
    })
  }

  async function deliverAll() {
    // After the answer to the request that caused them, so that an event is never faster.
    await new Promise((resolve) => setImmediate(resolve))
    for (;;) {
      const due = state.deliveries.find((each) => each.nextAt <= Date.now())
      if (!due || stopping.signal.aborted) return
      const status = await deliver(due)
      if (stopping.signal.aborted) return
      note({ event: due.event, type: state.events[due.event]?.type ?? '', status })
      due.tries += 1
      due.nextAt = Date.now() + pauseMs * 2 ** (due.tries - 1)
      const done = status !== null && status >= 200 && status < 300
      if (done || due.tries >= mostTries) state.deliveries.splice(state.deliveries.indexOf(due), 1)
      const event = state.events[due.event]
      if (done && event) event.pending_webhooks = 0
    }
  }

  async function deliver({ event: id }: Delivery): Promise<number | null> {
    const event = state.events[id]
    if (!event || !account.webhook) return 200
    const { url, secret } = account.webhook
    const payload = JSON.stringify(event, null, 2)
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret })
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body: payload,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]),
      })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return null
    }
  }

  function note(each: Try) {
    tried.push(each)
    if (tried.length > mostTriesKept) tried.shift()
  }

  return {
    push(event) {
      if (mode === 'hold') state.held.push(event.id)
      if (mode === 'deliver') enqueue(Array.from({ length: copies }, () => event.id))
    },
    setMode(next, nextCopies) {
      mode = next
      copies = nextCopies
    },
    release(order, times) {
      const held = state.held.splice(0)
      mode = 'deliver'
      const ordered = order === 'made' ? held : held.toReversed()
      enqueue(ordered.flatMap((id) => Array.from({ length: times }, () => id)))
    },
    replay: enqueue,
    settled() {
      if (!running && state.deliveries.length === 0) return Promise.resolve()
      return new Promise((resolve) => waiting.push(() => resolve()))
    },
    tries: () => tried,
    start: () => {
      if (state.deliveries.length > 0) pump()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      for (const resolve of waiting) resolve()
      await running
    },
  }
}
