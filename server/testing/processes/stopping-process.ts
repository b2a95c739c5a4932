// A process in which members act with their memberships. Each gets as far as a number of commits and then
// stands still, so that a test can kill the process between two steps of ours. Usage: <commits>, with the
// settings in the environment and a line of acts on stdin once it is ready. Prints the acts that were over
// before.
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { PoolClient, QueryResult } from 'pg'
import { sql } from 'kysely'
import { joinTermsVersion } from '#contract/membership.ts'
import { actAs } from '#server/kit/ctx.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { cancelMembership } from '#server/membership/cancellations.ts'
import { openCheckout, refreshBilling } from '#server/membership/checkout.ts'
import { carryOutOrders } from '#server/membership/orders.ts'
import { pauseMembership } from '#server/membership/pauses.ts'
import { refundMembership } from '#server/membership/refunds.ts'
import { createControl } from '#sandbox/stripe/control.ts'
import { openProcess } from './open-process.ts'

export type Act = 'join' | 'renew' | 'pause' | 'cancel' | 'refund'

const mostCommits = Number(process.argv[2])
type Run = { commits: number; stopped: PromiseWithResolvers<'stopped'> }
const running = new AsyncLocalStorage<Run>()

const { database, system } = openProcess(20)
database.pool.on('connect', stopAfterCommits)

const acts: Record<Act, (member: MemberCtx) => Promise<void>> = {
  async join(member) {
    await openCheckout(member, { terms: joinTermsVersion })
    // The member's browser, at the partner.
    const { rows } = await sql<{ sessionId: string }>`
      select session_id from checkouts where member_id = ${member.who.id} and state = 'open'`.execute(
      system.db,
    )
    await createControl(process.env['STRIPE_API_BASE'] ?? '').pay(rows[0]?.sessionId ?? '')
  },
  renew: async () => {},
  pause: (member) => pauseMembership(member, { days: 7 }),
  cancel: cancelMembership,
  refund: refundMembership,
}

console.log('ready')
const [line] = (await once(createInterface(process.stdin), 'line')) as [string]
const over: Act[] = []
// One after the other: a worker carries out the orders of everyone.
for (const [act, id] of Object.entries(JSON.parse(line)) as [Act, string][]) {
  const run: Run = { commits: 0, stopped: Promise.withResolvers() }
  const member = actAs(system, { id, role: 'user', sessionId: null, twoFactor: false })
  const done = running.run(run, async () => {
    await acts[act](member)
    await carryOutOrders(system)
    await refreshBilling(member)
    return 'over' as const
  })
  if ((await Promise.race([done, run.stopped.promise])) === 'over') over.push(act)
  await sql`update membership_orders set try_at = 'infinity'`.execute(database.db)
}
console.log(JSON.stringify(over))
setInterval(() => {}, 60_000)

/** Counts the commits of an act on a client: of a transaction, or of a statement of its own that writes. */
function stopAfterCommits(client: PoolClient) {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<QueryResult>
  let isOpen = false
  const counting = async (...given: unknown[]) => {
    const run = running.getStore()
    const text = String(given[0]).trim().toLowerCase()
    const answer = await query(...given)
    if (/^(begin|start)/.test(text)) isOpen = true
    const ends = /^(commit|rollback$)/.test(text)
    const writes = !isOpen && /^(insert|update|delete)/.test(text) && (answer.rowCount ?? 0) > 0
    if (ends) isOpen = false
    if (!run || !(text === 'commit' || writes)) return answer
    run.commits += 1
    if (run.commits < mostCommits) return answer
    run.stopped.resolve('stopped')
    return new Promise<never>(() => {})
  }
  // The overloads of a client, of which the query builder calls this one.
  client.query = counting as unknown as typeof client.query
}
