// Plans the simulator's next actions from the state at one moment, without memory, so that any worker can
// take over and tests can ask what would happen. Ages are in seconds.
import { demoConfirmMinutes } from '#contract/demo.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'

export type SimulatedMember = {
  id: string
  inRotation: boolean
  balance: number
  give: number
  take: number
  open: number
  /** Counts as present now. */
  here: boolean
  hasOffer: boolean
  /** No cooldown, no cap and no overdue review prevents an offer. */
  available: boolean
  acceptedToday: number
  acceptedThisWeek: number
  declinedToday: number
  unseenFor: number
  /** Since their last offer. */
  turnAge: number
}

export type OpenOffer = { id: string; queueId: string; reviewerId: string; fromGuest: boolean; age: number }

export type Exchange = {
  id: string
  status: 'pending' | 'purchased' | 'reviewed' | 'returned'
  reviewerId: string
  sellerId: string
  simulatedReviewer: boolean
  simulatedSeller: boolean
  /** It came from a draw. Seeded offers did not, and are left for people to find. */
  drawn: boolean
  hasDraft: boolean
  usable: boolean
  acceptedAge: number
  purchasedAge: number
  submittedAge: number
  returnedAge: number
  secondsLeft: number
}

export type Waiting = {
  queueId: string
  fromGuest: boolean
  age: number
  /** From 1. */
  place: number
  /** Simulated members who cannot get this request. */
  barred: string[]
}

export type DemoState = {
  people: SimulatedMember[]
  offers: OpenOffer[]
  exchanges: Exchange[]
  queue: Waiting[]
}

export type Action =
  | { kind: 'answer'; by: string; offer: string; queueId: string; accept: boolean; reason?: DeclineReason }
  | { kind: 'buy' | 'draft' | 'submit' | 'confirm'; by: string; reviewId: string }
  | { kind: 'verify'; reviewId: string }
  | { kind: 'arrive'; by: string }
  | { kind: 'ask'; anyOf: string[] }

const limits = {
  /**
   * The simulator uses at most this much of a member's 3 a day and 8 a week, so that guests always find a
   * reviewer.
   */
  ownPerDay: 2,
  ownPerWeek: 6,
  /** How many members stay free when no guest asks. */
  keptFree: 10,
  /** From this many accepts left, the simulator runs at full pace. */
  plenty: 40,
  fewestWaiting: 2,
  usuallyWaiting: 3,
  /** How many members are online at a time without having to do anything. */
  visitors: 10,
}

/** The actions due now, most urgent first. */
export function planStep(state: DemoState): Action[] {
  return [...answers(state), ...works(state), ...arrivals(state), ...asks(state)]
}

/**
 * Members think for 6 to 12 seconds. They always accept a guest's product, and decline another one at most
 * once a day.
 */
function answers({ offers, people }: DemoState): Action[] {
  return offers.flatMap((offer): Action[] => {
    if (offer.age < 6 + 6 * luck(offer.id, 'think')) return []
    const { id, queueId, reviewerId: by } = offer
    const declined = people.find((one) => one.id === by)?.declinedToday ?? 0
    const accept = offer.fromGuest || declined > 0 || luck(id, 'like') < 0.85
    if (accept) return [{ kind: 'answer', by, offer: id, queueId, accept }]
    const reason = reasons[Math.floor(luck(id, 'reason') * reasons.length)] ?? 'busy'
    return [{ kind: 'answer', by, offer: id, queueId, accept, reason }]
  })
}

const reasons: DeclineReason[] = ['busy', 'not_relevant', 'similar', 'already_own']

function works({ exchanges }: DemoState): Action[] {
  return exchanges.flatMap((exchange): Action[] => {
    const kind = nextWork(exchange)
    if (!kind) return []
    const { id: reviewId, reviewerId, sellerId } = exchange
    if (kind === 'verify') return [{ kind, reviewId }]
    return [{ kind, reviewId, by: kind === 'confirm' ? sellerId : reviewerId }]
  })
}

const aDay = 86_400

function nextWork(one: Exchange): 'buy' | 'draft' | 'submit' | 'confirm' | 'verify' | null {
  const { status, simulatedReviewer, simulatedSeller, drawn, id } = one
  const after = (age: number, from: number, to: number) => age >= from + (to - from) * luck(id, status)
  if (status === 'reviewed') {
    if (simulatedSeller) {
      const concerns = drawn || !simulatedReviewer
      return concerns && after(one.submittedAge, 10, 20) ? 'confirm' : null
    }
    return simulatedReviewer && drawn && one.submittedAge >= demoConfirmMinutes * 60 ? 'verify' : null
  }
  if (!simulatedReviewer || !(drawn || one.secondsLeft < aDay)) return null
  if (status === 'pending') return after(one.acceptedAge, 6, 10) ? 'buy' : null
  if (status === 'returned') return after(one.returnedAge, 12, 20) ? 'submit' : null
  if (one.usable && after(one.purchasedAge, 12, 20)) return 'submit'
  return !one.hasDraft && one.purchasedAge >= 5 ? 'draft' : null
}

/**
 * Who comes online. For a guest's request, as many members as its place in the queue. For simulated requests,
 * one from time to time, so that some always wait for a guest. A few busy members keep them company.
 */
function arrivals(state: DemoState): Action[] {
  const called = callFor(state) ?? trickle(state)
  const busy = state.people.filter((one) => one.inRotation && !isFree(one) && !one.hasOffer)
  const visitor = busy
    .filter(({ here, unseenFor }) => !here && unseenFor > 300)
    .toSorted((one, other) => other.unseenFor - one.unseenFor)[0]
  const company = busy.filter(({ here }) => here).length < limits.visitors && visitor ? [visitor] : []
  return [...called, ...company].map(({ id }) => ({ kind: 'arrive', by: id }))
}

function callFor({ people, queue }: DemoState): SimulatedMember[] | null {
  const called = queue
    .filter(({ fromGuest }) => fromGuest)
    .flatMap(({ place, barred, age }) => {
      const able = people.filter((one) => isFree(one) && !barred.includes(one.id))
      const missing = place - able.filter(({ here }) => here).length
      // Present members who were still not drawn may not be allowed to review the requests before it.
      const oneMore = age > 8 ? 1 : 0
      return mostRested(able.filter(({ here }) => !here)).slice(0, Math.max(oneMore, missing))
    })
  return called.length === 0 ? null : [...new Set(called)]
}

function trickle({ people, queue }: DemoState): SimulatedMember[] {
  const free = people.filter(isFree)
  const spare = free.filter(
    ({ acceptedToday, acceptedThisWeek }) =>
      acceptedToday < limits.ownPerDay && acceptedThisWeek < limits.ownPerWeek,
  )
  const sinceLast = Math.min(...people.map(({ turnAge }) => turnAge))
  if (queue.length === 0 || free.length <= limits.keptFree) return []
  if (free.some(({ here }) => here) || people.some(({ hasOffer }) => hasOffer)) return []
  return sinceLast < pause(people) ? [] : mostRested(spare).slice(0, 1)
}

/**
 * Seconds between two draws of simulated requests: about 75, and more as the accepts of the day and the week
 * run out.
 */
export function pause(people: SimulatedMember[]): number {
  const left = people
    .filter(({ inRotation }) => inRotation)
    .reduce(
      (sum, { acceptedToday, acceptedThisWeek }) =>
        sum + Math.max(0, Math.min(limits.ownPerDay - acceptedToday, limits.ownPerWeek - acceptedThisWeek)),
      0,
    )
  return 75 * Math.max(1, limits.plenty / Math.max(left, 1)) ** 2
}

/** Whether this member could get an offer if they were present. */
function isFree({ inRotation, available, hasOffer, balance, give }: SimulatedMember) {
  return inRotation && available && !hasOffer && balance + give < 1
}

function mostRested(people: SimulatedMember[]) {
  const load = ({ acceptedToday, acceptedThisWeek }: SimulatedMember) => acceptedToday * 10 + acceptedThisWeek
  return people.toSorted((one, other) => load(one) - load(other) || other.turnAge - one.turnAge)
}

/**
 * Keeps two or three simulated requests waiting; adds one at most every half minute, except when there are
 * too few. Adds none while a simulated member is free and present: that member would take it before a guest
 * could.
 */
function asks({ people, queue }: DemoState): Action[] {
  if (people.some((one) => one.here && isFree(one))) return []
  const own = queue.filter(({ fromGuest }) => !fromGuest)
  const youngest = Math.min(...own.map(({ age }) => age))
  const wanted = own.length < limits.fewestWaiting || (own.length < limits.usuallyWaiting && youngest > 30)
  if (!wanted) return []
  const able = people.filter(
    ({ inRotation, balance, take, open }) => inRotation && balance - take - open >= 0,
  )
  return able.length === 0 ? [] : [{ kind: 'ask', anyOf: able.map(({ id }) => id) }]
}

/** A number from 0 up to 1 derived from a row's id, so that every worker gets the same one. */
function luck(id: string, about: string): number {
  let hash = 2_166_136_261
  for (const letter of `${about}:${id}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}
