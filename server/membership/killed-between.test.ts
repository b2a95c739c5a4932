// A process is killed (SIGKILL) after each commit of ours by which a member joins, renews, pauses, cancels or
// gets a refund. What was committed is finished by the jobs and the night alone: no one presses again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { useBundled } from '#server/testing/bundled.ts'
import { useFreshClub } from '#server/testing/club.ts'
import type { Act } from '#server/testing/processes/stopping-process.ts'
import { openCheckout } from './checkout.ts'
import { terms, usePartner } from './testing.ts'

const club = useFreshClub()
const partner = usePartner(club)
const program = useBundled('server/testing/processes/stopping-process.ts')

type People = Record<Act, MemberCtx>
const acts: Act[] = ['join', 'renew', 'pause', 'cancel', 'refund']

/** Of a refund, which has the most: its own, two for each of its two orders, and the look at the partner. */
const mostCommits = 6

test('after a kill at any commit, a membership is as its member left it, and money moved once', async () => {
  const killed: { commits: number; people: People }[] = []
  let next = startProcess(1)
  for (let commits = 1; commits <= mostCommits; commits += 1) {
    const process_ = next
    if (commits < mostCommits) next = startProcess(commits + 1)
    const people = await prepare(commits)
    const over = await process_.act(people)
    await process_.kill()
    killed.push({ commits, people })
    expect(over.includes('refund'), 'a refund is over').toBe(false)
  }

  await partner.settle()
  for (const { commits, people } of killed) await finishJoining(people.join, commits)
  await partner.settle()
  for (const { commits, people } of killed) {
    const found = await Promise.all(acts.map(async (act) => [act, await summaryOf(people[act])]))
    expect({ commits, ...Object.fromEntries(found) }).toEqual({ commits, ...expected })
  }
}, 300_000)

const one = { live: 1, paid: 1, refundedCents: 0 }
const expected = {
  join: { ...one, state: 'active', changes: ['joined'] },
  renew: { ...one, state: 'active', paid: 2, changes: ['joined', 'renewed'] },
  pause: { ...one, state: 'paused', changes: ['joined', 'paused'] },
  cancel: { ...one, state: 'cancelled', changes: ['joined', 'cancelled'] },
  refund: { state: 'refunded', live: 0, paid: 1, refundedCents: 800, changes: ['joined', 'refunded'] },
}

async function prepare(commits: number): Promise<People> {
  const member = (act: Act) => partner.newcomer(`${act}-${commits}`)
  const joined = async (act: Act, options = {}) => {
    const who = await member(act)
    await partner.joins(who, options)
    return who
  }
  const people = {
    join: await member('join'),
    renew: await joined('renew', { daysAgo: 33 }),
    pause: await joined('pause'),
    cancel: await joined('cancel'),
    refund: await joined('refund'),
  }
  await partner.control.advance(await partner.customerOf(people.renew), { days: 33 })
  return people
}

/** A member who had not come to the payment opens the page again and pays. */
async function finishJoining(member: MemberCtx, commits: number) {
  const { state, paid } = await summaryOf(member)
  expect({ commits, paid }).toEqual({ commits, paid: state === 'active' ? 1 : 0 })
  if (state === 'active') return
  await openCheckout(member, terms)
  await partner.pay(member)
}

function startProcess(commits: number) {
  const child = spawn(process.execPath, [program, String(commits)], {
    env: {
      PATH: process.env['PATH'],
      ...connectionToEnv(club.connection),
      EVENHAND_MODE: 'demo',
      AUTH_SECRET: club.config.authSecret,
      PUBLIC_ORIGIN: club.config.origin,
      DATA_DIR: club.config.dataDir,
      ...partner.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text))
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const read = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The process ended by itself. ${said}`)
    return value
  }
  return {
    /** Lets these members act until each stands still. Returns the acts that were over before. */
    async act(people: People): Promise<Act[]> {
      expect(await read()).toBe('ready')
      child.stdin.write(
        `${JSON.stringify(Object.fromEntries(acts.map((act) => [act, people[act].who.id])))}\n`,
      )
      return JSON.parse(await read())
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The membership here, and at the partner what lives and what was paid and given back. */
async function summaryOf(member: MemberCtx) {
  const { rows } = await sql<{ state: string; customer: string | null }>`
    select t.membership_state as state, s.stripe_customer_id as customer
    from standings t join memberships s on s.member_id = t.member_id
    where t.member_id = ${member.who.id}`.execute(club.system.db)
  const { state = '', customer = null } = rows[0] ?? {}
  if (!customer) return { state, live: 0, paid: 0, refundedCents: 0, changes: [] }
  const { subscriptions, invoices } = await partner.truth(member)
  const payments = invoices.filter(({ status, totalCents }) => status === 'paid' && totalCents > 0)
  return {
    state,
    live: subscriptions.filter(({ status }) => status !== 'ended').length,
    paid: payments.length,
    refundedCents: payments.reduce((sum, { payment }) => sum + (payment?.refundedCents ?? 0), 0),
    changes: await partner.changes(member),
  }
}
