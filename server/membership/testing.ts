// For tests: members who pay through the sandbox of the payment partner.
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { joinTermsVersion } from '#contract/membership.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PaymentConfig } from '#server/kit/config.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Club } from '#server/testing/club.ts'
import type { Sandbox } from '#sandbox/stripe/sandbox.ts'
import { startSandbox } from '#sandbox/stripe/testing.ts'
import { openCheckout } from './checkout.ts'
import { carryOutOrders } from './orders.ts'
import { listEvents, readPartner } from './stripe.ts'
import { reconcile } from './looks/reconciliation.ts'
import { syncMember } from './looks/sync.ts'
import type { Difference } from './looks/sync.ts'

const goodCard = '4242424242424242'
/** Pays once; every renewal fails. */
export const failingCard = '4000000000000341'

export const terms = { terms: joinTermsVersion }

const day = 86_400

/** A sandbox for one test file, which sends no webhooks: a test delivers what it wants. */
export function usePartner(club: Club) {
  const state = {} as { sandbox: Sandbox }
  beforeAll(async () => {
    state.sandbox = await startSandbox()
    const { payments } = readConfig({
      EVENHAND_MODE: 'demo',
      AUTH_SECRET: club.config.authSecret,
      ...state.sandbox.env,
    })
    club.config.payments = payments
  })
  afterAll(async () => {
    club.config.payments = null
    await state.sandbox.close()
  })

  const payments = (): PaymentConfig => {
    if (!club.config.payments) throw new Error('The sandbox has not started.')
    return club.config.payments
  }
  const customerOf = async (member: MemberCtx) => {
    const { stripeCustomerId } = await club.system.db
      .selectFrom('memberships')
      .select('stripeCustomerId')
      .where('memberId', '=', member.who.id)
      .executeTakeFirstOrThrow()
    if (!stripeCustomerId) throw new Error('This member is no customer.')
    return stripeCustomerId
  }
  const sessionOf = async (member: MemberCtx) => {
    const { sessionId } = await club.system.db
      .selectFrom('checkouts')
      .select('sessionId')
      .where('memberId', '=', member.who.id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    if (!sessionId) throw new Error('This payment page was never opened.')
    return sessionId
  }
  const pay = async (member: MemberCtx, number = goodCard) => {
    const paid = await state.sandbox.control.pay(await sessionOf(member), { number })
    if (!paid.paid) throw new Error(paid.message ?? 'The card was declined.')
  }
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${state.sandbox.env.STRIPE_API_BASE}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${state.sandbox.env.STRIPE_SECRET_KEY}` },
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { data: unknown }
  }
  /** Compares every membership with the partner. Returns what differed, and how many were compared. */
  async function compareAll() {
    const before = club.sent.length
    await reconcile(club.system)
    for (let next = before; next < club.sent.length; next += 1) {
      const job = club.sent[next]
      if (job?.name === 'reconcile-memberships') await reconcile(club.system, job.data)
    }
    const { rows } = await sql<{ differences: Difference[]; compared: number }>`
      select differences, compared from reconciliations where finished_at is not null
      order by started_at desc limit 1`.execute(club.system.db)
    return rows[0] ?? { differences: [], compared: 0 }
  }

  return {
    /** What the partner lists about a customer, in the partner's own words. */
    // The caller names the few fields that it reads.
    list: async <T>(what: string, customer: string) =>
      (await ask('GET', `${what}${what.includes('?') ? '&' : '?'}limit=100&customer=${customer}`))
        .data as T[],
    refundsOf: async (paymentId: string) =>
      (await ask('GET', `refunds?limit=100&payment_intent=${paymentId}`)).data as object[],
    post: (path: string) => ask('POST', path),
    remove: (path: string) => ask('DELETE', path),
    reconcileAll: compareAll,
    reconcile: async () => (await compareAll()).differences,
    /** What the jobs and the night do: orders that are due are carried out, and everything is compared. */
    async settle() {
      for (let time = 0; time < 2; time += 1) {
        await sql`update membership_orders set try_at = clock_timestamp()`.execute(club.system.db)
        await carryOutOrders(club.system)
        await compareAll()
      }
    },
    get control() {
      return state.sandbox.control
    },
    /** The settings that connect a process to the sandbox. */
    get env(): Record<string, string> {
      return state.sandbox.env
    },
    payments,
    customerOf,
    sessionOf,
    pay,
    /** Everything the partner says about a member. */
    truth: async (member: MemberCtx) => readPartner(payments(), await customerOf(member)),
    /** All events of the sandbox, the oldest first. */
    events: async () => (await listEvents(payments(), '2026-01-01T00:00:00Z')).toReversed(),
    look: (member: MemberCtx) => syncMember(club.system, member.who.id),
    /** A confirmed member who has no membership yet. */
    async newcomer(name: string) {
      const member = await club.newMember(name)
      await sql`update memberships set status = 'none', source = null, current_period_end = null,
        started_at = null where member_id = ${member.who.id}`.execute(club.system.db)
      return member
    },
    /** Opens the payment page and pays, as long ago as said by the clock of the partner. */
    async joins(member: MemberCtx, { number = goodCard, daysAgo = 0 } = {}) {
      await openCheckout(member, terms)
      if (daysAgo > 0)
        await state.sandbox.control.setClock(
          await customerOf(member),
          Math.floor(Date.now() / 1000) - daysAgo * day,
        )
      await pay(member, number)
      await syncMember(club.system, member.who.id)
    },
    /** What we hold about a member. */
    async held(member: MemberCtx) {
      return club.system.db
        .selectFrom('memberships')
        .selectAll()
        .where('memberId', '=', member.who.id)
        .executeTakeFirstOrThrow()
    },
    async changes(member: MemberCtx) {
      const rows = await club.system.db
        .selectFrom('membershipChanges')
        .select('kind')
        .where('memberId', '=', member.who.id)
        .orderBy('at')
        .orderBy('id')
        .execute()
      return rows.map(({ kind }) => kind)
    },
    async orders(member: MemberCtx) {
      const rows = await club.system.db
        .selectFrom('membershipOrders')
        .select(['kind', 'subscriptionId', 'paymentId'])
        .where('memberId', '=', member.who.id)
        .orderBy('createdAt')
        .execute()
      return rows
    },
  }
}
