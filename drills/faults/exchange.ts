// Members who ask, answer, write, confirm and pay, each at random moments, by the product's own calls.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinTermsVersion } from '#contract/membership.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Control } from '#sandbox/stripe/control.ts'
import { loadMembers } from '../../bench/chaos/members.ts'
import { writeReview } from '../../bench/chaos/steps.ts'
import { onDatabase } from '../../bench/server.ts'
import { signIn } from '../../bench/web.ts'
import { headersOf } from '../club.ts'
import type { Member } from '../club.ts'
import { ask } from '../cluster.ts'
import type { Stage } from '../stage.ts'
import type { Edge } from '../visitor.ts'
import { compare, isWhole, nothing } from './compare.ts'
import type { Outside, Verdict } from './compare.ts'
import { never, watch } from './figures.ts'
import type { Allowed, Fault } from './figures.ts'
import { openHistory } from './history.ts'
import type { History } from './history.ts'
import { readBreaches } from './invariants.ts'
import { drawProof } from './pictures.ts'

export type Trader = Member & { products: string[] }
type Crowd = { traders: Trader[]; payers: Member[] }
type Sizes = { traders: number; payers: number }

/** Where a crowd exchanges. */
type Place = { admin: PgConnection; settings: Record<string, string>; edge: Edge }

export type Exchange = Crowd & {
  history: History
  /** Those who leave their offers unanswered for now. */
  hesitant: Set<Trader>
  /** Those who wait with their proofs, which are pictures, until they no longer do. */
  late: { members: Set<Trader>; wait: boolean }
  /** Whether they still begin something new. */
  goesOn(): boolean
  /** Lets a fault happen while they exchange, and prints what they were answered meanwhile. */
  part(title: string, fault: Fault, isAllowed?: Allowed): Promise<void>
  /** Lets them finish, and `others` who act beside them. */
  finish(others?: Promise<unknown>[]): Promise<void>
  /** Compares what they were answered with the rows and what is outside of them, and prints what it finds. */
  judge(outside?: Outside): Promise<Verdict>
  /** False as soon as something was answered or found that should not be. */
  isFine(): boolean
}

/** How fast they act, which share of proofs is pictures, and how many wait with theirs. */
type Habits = { pauseMs: number; pictures?: number; latecomers?: number }

/** Members begin to exchange reviews, each with pauses of about `pauseMs`. */
export async function startExchange(
  stage: Stage,
  { admin, settings, edge }: Place,
  { pauseMs, pictures = 0, latecomers = 0, ...sizes }: Sizes & Habits,
): Promise<Exchange> {
  const crowd = await gather(admin, settings, sizes)
  const history = openHistory(edge)
  let goes = true
  let fine = true
  const goesOn = () => goes
  const hesitant = new Set<Trader>()
  const late = { members: new Set(crowd.traders.slice(0, latecomers)), wait: true }
  stage.onEnd(async () => {
    goes = false
    history.close()
  })
  const acting = [
    passTime(admin, goesOn),
    ...crowd.traders.map((me) => trade(history, me, { pauseMs, pictures, goesOn, hesitant, late })),
  ]
  return {
    ...crowd,
    history,
    hesitant,
    late,
    goesOn,
    isFine: () => fine,
    async part(title, fault, isAllowed = never) {
      fine = (await watch(history, title, fault, isAllowed)) && fine
    },
    async finish(others = []) {
      goes = false
      await Promise.all([...acting, ...others])
    },
    async judge(outside = nothing) {
      const found = await onDatabase(admin, (client) => compare(client, history.entries, outside))
      const breaches = await readBreaches(admin)
      show(history, found, breaches)
      fine = fine && isWhole(found) && breaches.length === 0 && found.acknowledged > 0
      return found
    },
  }
}

function show({ entries }: History, { acknowledged, lost, twice, ...found }: Verdict, breaches: string[]) {
  const counts = new Map<string, number>()
  for (const { kind, outcome } of entries)
    if (outcome === 'acknowledged') counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const refused = entries.filter(({ outcome }) => outcome === 'refused').length
  const again = entries.filter(({ sends }) => sends > 1).length
  console.log(`  ${entries.length} writes: ${kinds}`)
  console.log(`    ${refused} refused, ${again} sent again with their key`)
  console.log(`    ${acknowledged} acknowledged effects, ${lost.length} lost, ${twice.length} twice`)
  const all = [...lost, ...twice, ...found.unasked, ...found.broken, ...breaches]
  for (const what of all.slice(0, 20)) console.log(`    FOUND: ${what}`)
  console.log(`    ${breaches.length} invariants are broken`)
}

/** Members who exchange reviews, and newcomers who will pay for their membership. */
async function gather(
  admin: PgConnection,
  settings: Record<string, string>,
  { traders, payers }: Sizes,
): Promise<Crowd> {
  await loadMembers(admin, traders + payers)
  const people = await signIn(admin, readConfig(settings), traders + payers)
  const members = people.map(({ memberId, cookie }, n) => ({ memberId, headers: headersOf(cookie, n) }))
  const newcomers = members.slice(traders)
  const ids = newcomers.map(({ memberId }) => `'${memberId}'`).join(',')
  await ask(admin, [
    `update reviewer_states set standing = 'out', tier = 9 where member_id in (${ids})`,
    `update memberships set status = 'none', source = null, current_period_end = null, started_at = null
      where member_id in (${ids})`,
  ])
  const products = await ask(admin, ['select id, seller_id from products'])
  return {
    payers: newcomers,
    traders: members.slice(0, traders).map((member) => ({
      ...member,
      products: products.flatMap((row) => (row.seller_id === member.memberId ? [String(row.id)] : [])),
    })),
  }
}

/**
 * Time that members would let pass: a product was used long enough, and a request is so old that everyone may
 * be drawn for it.
 */
async function passTime(admin: PgConnection, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    await ask(admin, [
      `update reviews set usable_from = purchased_at
        where status = 'purchased' and usable_from > clock_timestamp()`,
      `update review_queue set asked_at = created_at - interval '2 hours'
        where status = 'queued' and attempts = 0 and asked_at is null`,
    ]).catch(() => {})
    await sleep(400)
  }
}

let orders = 1_000_000

type Trading = { pauseMs: number; pictures: number } & Pick<Exchange, 'goesOn' | 'hesitant' | 'late'>

/** What a member does until `goesOn` ends it: one thing after the other, with pauses of about `pauseMs`. */
async function trade(
  history: History,
  me: Trader,
  { pauseMs, pictures, goesOn, hesitant, late }: Trading,
): Promise<void> {
  const pause = () => sleep(pauseMs * (0.5 + Math.random()))
  let beatAt = Number.NEGATIVE_INFINITY
  await sleep(pauseMs * Math.random())
  for (; goesOn(); await pause()) {
    if (performance.now() - beatAt > 30_000) {
      await history.ask(me, { path: '/api/presence', body: {} })
      beatAt = performance.now()
    }
    if (!hesitant.has(me)) await answerOffer(history, me)
    const isLate = late.members.has(me)
    await goOn(history, me, { proves: !isLate || !late.wait, pictures: isLate ? 1 : pictures })
    if (Math.random() < 0.3) await askFor(history, me)
  }
}

async function answerOffer(history: History, me: Trader) {
  const offer = await history.ask(me, { method: 'GET', path: '/api/offers/current' })
  if (!offer) return
  // The contract defines these shapes.
  const { queueId } = offer as { queueId: string }
  const accept = Math.random() < 0.85
  await history.write(me, {
    kind: accept ? 'accept' : 'decline',
    subject: `${queueId} ${me.memberId}`,
    path: '/api/review-response',
    body: accept ? { queueId, accept } : { queueId, accept, reason: 'already_own' },
  })
}

type Steps = Record<'toWrite' | 'toConfirm', { id: string; status: string }[]>

async function goOn(
  history: History,
  me: Trader,
  { proves, pictures }: { proves: boolean; pictures: number },
) {
  const steps = await history.ask(me, { method: 'GET', path: '/api/next-steps' })
  if (!steps) return
  const { toWrite, toConfirm } = steps as Steps
  for (const { id, status } of toWrite.slice(0, 1)) {
    if (status === 'pending' && !proves) continue
    if (status === 'pending' && Math.random() < pictures) {
      await proveByPicture(history, me, id)
    } else if (status === 'pending') {
      const orderId = String((orders += 1))
      await history.write(me, {
        kind: 'prove',
        subject: `${id} ${orderId}`,
        path: `/api/reviews/${id}/order`,
        body: { orderId, paidCents: 50 },
      })
    } else {
      await history.write(me, {
        kind: 'submit',
        subject: id,
        path: `/api/reviews/${id}/submit`,
        body: writeReview(),
      })
    }
  }
  for (const { id } of toConfirm.slice(0, 1))
    await history.write(me, {
      kind: 'confirm',
      subject: id,
      path: `/api/received-reviews/${id}/confirm`,
      body: {},
    })
}

async function proveByPicture(history: History, me: Trader, id: string) {
  const { form, sha256, pixels } = await drawProof()
  await history.write(me, {
    kind: 'prove by picture',
    subject: `${id} ${sha256}`,
    path: `/api/reviews/${id}/proof`,
    form,
    pixels,
  })
}

async function askFor(history: History, me: Trader) {
  const productId = me.products[Math.floor(Math.random() * me.products.length)]
  const taken = await history.ask(me, { path: '/api/request-review/ticket', body: { productId } })
  if (!taken) return
  const { ticket } = taken as { ticket: string }
  const nonce = randomBytes(16).toString('hex')
  await history.write(me, {
    kind: 'request',
    subject: nonce,
    path: '/api/request-review',
    body: { productId, ticket, nonce },
  })
}

/** A newcomer opens the payment page and pays, and some cancel afterwards. */
export async function join(
  history: History,
  me: Member,
  { control, cancels }: { control: Control; cancels: boolean },
) {
  const body = { terms: joinTermsVersion }
  const page = await untilGood(history, () => history.ask(me, { path: '/api/billing/checkout', body }))
  if (!page) return
  const session = /cs_[A-Za-z0-9_]+/.exec((page as { url: string }).url)?.[0] ?? ''
  const entry = { kind: 'pay', memberId: me.memberId, subject: me.memberId, sends: 1 } as const
  const { paid } = await control.pay(session)
  history.entries.push({ ...entry, outcome: paid ? 'acknowledged' : 'refused' })
  if (!cancels) return
  // Until the payment is known here, there is nothing to cancel.
  await untilGood(history, async () => {
    const { outcome } = await history.write(me, {
      kind: 'cancel membership',
      subject: me.memberId,
      path: '/api/billing/cancel',
      body: {},
    })
    return outcome === 'acknowledged'
  })
}

/** Asks again after pauses that grow to a minute, as a person does: the limit of an hour is twenty tries. */
async function untilGood(history: History, call: () => Promise<unknown>) {
  for (let pauseMs = 500; !history.isClosed(); pauseMs = Math.min(2 * pauseMs, 60_000)) {
    const answer = await call()
    if (answer) return answer
    await sleep(pauseMs)
  }
  return undefined
}
