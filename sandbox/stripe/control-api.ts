// What control.ts asks for. Only for programs on this machine: a page in a browser is refused as well.
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { nowFor, type Account } from './account.ts'
import { answerChallenge, getCheckout, payCheckout, type Payment } from './checkout.ts'
import { advanceClock, makeClock } from './clocks.ts'
import { Fault, missing, refuse } from './fault.ts'
import type { Faults } from './faults.ts'
import { idOf } from './ids.ts'
import { liveCustomer } from './invoices.ts'
import { closeDispute, openDispute } from './payments.ts'
import { saveCard } from './portal.ts'
import { payNow } from './subscriptions.ts'
import type { PayResult } from './control.ts'
import type { Webhooks } from './webhooks.ts'

type Env = { Bindings: HttpBindings }

export function controlRoutes(account: Account, webhooks: Webhooks, faults: Faults): Hono<Env> {
  const app = new Hono<Env>()

  function on<Input extends z.ZodType>(
    verb: string,
    schema: Input,
    act: (input: z.output<Input>) => object | void | Promise<void>,
  ) {
    app.post(`/_control/${verb}`, async (c) => {
      if (!isLocalProgram(c))
        return c.json({ error: 'Only programs on this machine may steer the sandbox.' }, 403)
      const input = schema.safeParse(await c.req.json())
      if (!input.success) return c.json({ error: z.prettifyError(input.error) }, 400)
      try {
        const answer = (await act(input.data)) ?? {}
        account.save()
        return c.json(answer)
      } catch (error) {
        if (error instanceof Fault) return c.json({ error: error.message }, 400)
        throw error
      }
    })
  }

  const copies = z.int().min(1).max(10)
  on('deliveries', z.object({ mode: z.enum(['deliver', 'hold', 'lose']), copies }), ({ mode, copies }) =>
    webhooks.setMode(mode, copies),
  )
  on('release', z.object({ order: z.enum(['made', 'reversed']), copies }), ({ order, copies }) =>
    webhooks.release(order, copies),
  )
  on('replay', z.object({ events: z.array(z.string()) }), ({ events }) => webhooks.replay(events))
  on('settled', z.object({}), () => webhooks.settled())
  on('tries', z.object({}), () => webhooks.tries())
  const order = z.object({
    next: z.int().min(1),
    how: z.union([z.enum(['hang', 'break']), z.int().min(400).max(599)]),
    carriedOut: z.boolean(),
    path: z.string(),
    method: z.string().nullable(),
  })
  on('fail', order, (input) => faults.order(input))
  on('recover', z.object({}), () => faults.recover())
  const payment = z.object({
    session: z.string(),
    number: z.string(),
    authenticate: z.enum(['pass', 'fail']),
  })
  on('pay', payment, (input) => pay(account, input))
  on('change-card', z.object({ customer: z.string(), number: z.string() }), ({ customer, number }) => {
    const saved = saveCard(account, liveCustomer(account, customer), number)
    if ('declined' in saved) throw refuse(saved.declined.message)
    if ('authenticate' in saved)
      throw refuse('This card asks for 3-D Secure: save it on the page of the portal.')
  })
  on('pay-invoice', z.object({ invoice: z.string() }), ({ invoice: id }) => {
    const invoice = account.state.invoices[id]
    if (invoice?.status !== 'open') throw missing('open invoice', id)
    return { paid: payNow(account, invoice, nowFor(account, idOf(invoice.customer ?? ''))) }
  })
  on('set-clock', z.object({ customer: z.string(), at: z.int().optional() }), ({ customer, at }) => ({
    clock: setClock(account, customer, at),
  }))
  const move = z.object({
    customer: z.string(),
    days: z.number().positive().optional(),
    to: z.int().optional(),
  })
  on('advance', move, (input) => ({ at: advance(account, input) }))
  on('dispute', z.object({ charge: z.string(), inquiry: z.boolean() }), ({ charge, inquiry }) => {
    const customer = account.state.charges[charge]?.customer ?? null
    const at = nowFor(account, customer === null ? null : idOf(customer))
    return { dispute: openDispute(account, charge, { inquiry }, at).id }
  })
  const closing = z.object({ dispute: z.string(), outcome: z.enum(['won', 'lost']) })
  on('close-dispute', closing, ({ dispute, outcome }) => {
    const charge = account.state.disputes[dispute]?.charge
    const customer = charge === undefined ? null : (account.state.charges[idOf(charge)]?.customer ?? null)
    closeDispute(account, dispute, outcome, nowFor(account, customer === null ? null : idOf(customer)))
  })
  return app
}

const loopback = /^(127\.|::1$|::ffff:127\.)/

/** A page in a browser sends an Origin or comes by another name; a stranger comes through a proxy. */
function isLocalProgram(c: Context<Env>): boolean {
  const { hostname } = new URL(c.req.url)
  return (
    loopback.test(c.env.incoming.socket.remoteAddress ?? '') &&
    ['origin', 'forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].every((name) => !c.req.header(name)) &&
    c.req.header('content-type') === 'application/json' &&
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  )
}

type PayInput = { session: string; number: string; authenticate: 'pass' | 'fail' }

function pay(account: Account, { session: id, number, authenticate }: PayInput): PayResult {
  const session = getCheckout(account, id)
  if (session.status !== 'open') throw refuse(`The session is ${session.status}.`)
  const customer = session.customer === null ? undefined : account.state.customers[idOf(session.customer)]
  const email = session.customer_email ?? (customer && !customer.deleted ? customer.email : null)
  const first = payCheckout(account, session, { number, email, name: 'Test Payer' })
  return resultOf(
    'authenticate' in first ? answer(account, first.authenticate, authenticate === 'pass') : first,
  )
}

function answer(account: Account, token: string, passed: boolean): Payment {
  const challenge = account.state.challenges[token]
  if (challenge?.of !== 'checkout') throw missing('challenge', token)
  challenge.answered = true
  return answerChallenge(account, challenge, passed)
}

function resultOf(payment: Payment): PayResult {
  if ('paid' in payment) return { paid: true, message: null }
  return { paid: false, message: 'declined' in payment ? payment.declined.message : null }
}

function setClock(account: Account, customerId: string, at = account.now()): string {
  const customer = liveCustomer(account, customerId)
  if (customer.test_clock) throw refuse('This customer has a clock.')
  const clock = makeClock(account, null, at)
  customer.test_clock = clock.id
  for (const subscription of Object.values(account.state.subscriptions))
    if (subscription.customer === customerId) subscription.test_clock = clock.id
  return clock.id
}

type Move = { customer: string; days?: number | undefined; to?: number | undefined }

function advance(account: Account, { customer: id, days, to }: Move): number {
  const customer = liveCustomer(account, id)
  const known = customer.test_clock ?? setClock(account, id)
  const clock = account.state.testClocks[idOf(known)]
  if (!clock) throw missing('test_clock', idOf(known))
  advanceClock(account, clock, to ?? clock.frozen_time + Math.round((days ?? 1) * 86_400))
  return clock.frozen_time
}
