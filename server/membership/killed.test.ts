// A process is killed (SIGKILL) before and after each call by which a member joins or gets a refund: then no
// money has moved twice, and who has paid is a member once everything was compared with the partner.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { useBundled } from '#server/testing/bundled.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { openCheckout } from './checkout.ts'
import { refundMembership } from './refunds.ts'
import { terms, usePartner } from './testing.ts'

const club = useFreshClub()
const partner = usePartner(club)
const program = useBundled('server/testing/processes/payer-process.ts')

type Moment = { call: RegExp; when: 'before' | 'after' }
const look = { call: /^GET \/v1\/customers\//, when: 'before' } as const
const around = (call: RegExp): Moment[] => [
  { call, when: 'before' },
  { call, when: 'after' },
]
const joining = [...around(/^POST \/v1\/customers$/), ...around(/^POST \/v1\/checkout\/sessions$/), look]
const refunding = [...around(/^DELETE \/v1\/subscriptions\//), ...around(/^POST \/v1\/refunds$/), look]
const cards = [
  '5555555555554444',
  '2223003122003222',
  '5200828282828210',
  '5105105105105100',
  '378282246310005',
]

const nameOf = ({ call, when }: Moment) => `${when} ${call.source}`

test('a member who joins pays once and is a member, whenever the process is killed', async () => {
  const members = await Promise.all(joining.map((_, at) => partner.newcomer(`joiner-${at}`)))
  await each(joining, async (moment, at) => killedAt(moment, 'join', members[at]))
  await partner.settle()
  for (const [at, member] of members.entries()) {
    const { status } = await partner.held(member)
    const paid = await paymentsOf(member)
    expect({ at: joining[at] && nameOf(joining[at]), paid }).toEqual({
      at: joining[at] && nameOf(joining[at]),
      paid: status === 'active' ? 1 : 0,
    })
    if (status === 'active') continue
    await openCheckout(member, terms)
    await partner.pay(member)
    await partner.look(member)
    expect((await partner.held(member)).status).toBe('active')
    expect(await paymentsOf(member)).toBe(1)
    const customers = await partner.list<{ status: string }>(
      'subscriptions?status=all',
      await partner.customerOf(member),
    )
    expect(customers).toHaveLength(1)
  }
}, 300_000)

test('a member who gets a refund gets it once and is no member, whenever the process is killed', async () => {
  const members: MemberCtx[] = []
  for (const [at] of refunding.entries()) {
    const member = await partner.newcomer(`leaver-${at}`)
    await partner.joins(member, { number: cards[at] ?? '' })
    members.push(member)
  }
  await each(refunding, async (moment, at) => killedAt(moment, 'refund', members[at]))
  await partner.settle()
  for (const [at, member] of members.entries()) {
    // The member presses the button again.
    await refundMembership(member)
    await partner.settle()
    const { subscriptions, invoices } = await partner.truth(member)
    expect({
      at: refunding[at] && nameOf(refunding[at]),
      status: (await partner.held(member)).status,
      live: subscriptions.filter(({ status }) => status !== 'ended').length,
      refunded: invoices.map(({ payment }) => payment?.refundedCents),
      refunds: (await partner.refundsOf(invoices[0]?.payment?.id ?? '')).length,
    }).toEqual({
      at: refunding[at] && nameOf(refunding[at]),
      status: 'refunded',
      live: 0,
      refunded: [800],
      refunds: 1,
    })
  }
}, 300_000)

/** At most two processes at a time. */
async function each(moments: Moment[], act: (moment: Moment, at: number) => Promise<void>) {
  const waiting = [...moments.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await act(next[1], next[0])
  }
  await Promise.all([work(), work()])
}

/** Starts a process that joins or refunds, and kills it at a moment that it must reach. */
async function killedAt(moment: Moment, step: 'join' | 'refund', member: MemberCtx | undefined) {
  if (!member) throw new Error('There is no member for this moment.')
  const { env } = partner
  const gate = await openGate(env['STRIPE_API_BASE'] ?? '', moment)
  const process_ = spawn(process.execPath, [program, step, member.who.id], {
    env: {
      PATH: process.env['PATH'],
      ...connectionToEnv(club.connection),
      EVENHAND_MODE: 'demo',
      AUTH_SECRET: club.config.authSecret,
      PUBLIC_ORIGIN: club.config.origin,
      DATA_DIR: club.config.dataDir,
      ...env,
      STRIPE_API_BASE: gate.origin,
      SANDBOX: env['STRIPE_API_BASE'],
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  process_.stderr.on('data', (text: Buffer) => (said += text))
  const ended = once(process_, 'exit')
  await Promise.race([gate.reached, ended])
  process_.kill('SIGKILL')
  await ended
  await gate.close()
  expect(process_.signalCode, `${nameOf(moment)} was not reached. ${said}`).toBe('SIGKILL')
}

/** Passes calls on to the partner. The call of the moment is passed on or not, and never answered. */
async function openGate(to: string, { call, when }: Moment) {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const server = createServer((incoming, outgoing) => {
    const isMoment = call.test(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    if (isMoment && when === 'before') return resolve()
    const passed = request(
      new URL(incoming.url ?? '/', to),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (isMoment) return answer.resume().on('end', resolve)
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        return answer.pipe(outgoing)
      },
    )
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    reached,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function paymentsOf(member: MemberCtx) {
  const { stripeCustomerId } = await partner.held(member)
  if (!stripeCustomerId) return 0
  const charges = await partner.list<{ status: string }>('charges', stripeCustomerId)
  return charges.filter(({ status }) => status === 'succeeded').length
}
