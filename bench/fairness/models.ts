// What the draw is compared with: the same people on the same visits, with the limits on asking, giving,
// receiving and meeting. Kept in memory, without the rules that need more of the product: admission in a club
// that is small, give-first, overdue reviews, rests, suspension.
// - `fifo` and `random` make offers of 24 hours at once to the next member, present or not: to the one who
//   has waited longest for an offer, or to any. Pairs meet once in 14 days.
// - `soonest` cares about nothing but time: a member who is here and may, and then the first who comes. It
//   has the windows of the product, and its nudges.
import {
  capRelaxation,
  cooldownMinutes,
  creditLine,
  givingCap,
  offerMinutes,
  pairWindow,
  pairWindowDays,
  productExposure,
  receiveLimits,
  reverseWindowDays,
  acceptLimits,
} from '#contract/matching-rules.ts'
import type { Receiving } from '#contract/matching-rules.ts'
import { answerOf, mailBrings, thinkMs, workOf } from './answers.ts'
import { openJournal } from './journal.ts'
import type { Asked, Exchange, Journal } from './journal.ts'
import { awakeFrom, dayMs, hourMs, minuteMs } from './people.ts'
import type { Person } from './people.ts'
import { randomOf } from './random.ts'
import type { Random } from './random.ts'
import type { Span } from './simulation.ts'
import { Timeline } from './timeline.ts'

type Policy = 'fifo' | 'random' | 'soonest'

/** About as many as the members of every club give, for the window that it leads to. */
const weeklyRate = 1.4
const nudgeAfterMs = 30 * minuteMs
const reofferMs = 72 * hourMs
/** About as long as a seller takes to confirm in the product's club. */
const confirmMs = 15 * hourMs

type Member = {
  person: Person
  random: Random
  hereUntil: number
  balance: number
  pendingGive: number
  pendingTake: number
  /** Of these, how many are bought, and how many submitted. */
  bought: number
  submitted: number
  openRequests: number
  turnAt: number
  availableAt: number
  /** When they accepted reviews, and when reviews for them were accepted: as many as the week's limit. */
  accepts: number[]
  received: number[]
  declines: { day: number; count: number }
  offer: Request | null
  decided: boolean
  gone: boolean
  /** The day of the last nudge. */
  nudgedOn: number
}

/** Until when the two of a pair do not meet: if their last reviewer reviews again, or the other one. */
type Met = { reviewer: number; same: number; reverse: number }

type Request = {
  asked: Asked
  product: number
  offeredTo: Member | null
  refusedBy: Map<number, number>
  /** Who has ever reviewed its product. */
  reviewedBy: Set<number>
}

export function simulateModel(policy: Policy, people: Person[], span: Span): Journal {
  return new Model(policy, people, span).toTheEnd()
}

class Model {
  readonly #policy: Policy
  readonly #journal: Journal
  readonly #seed: number
  readonly #line = new Timeline()
  readonly #members = new Map<number, Member>()
  /** What each member's pairs have met, by the other member. */
  readonly #met = new Map<number, Map<number, Met>>()
  readonly #window: { same: number; reverse: number }
  readonly #offerMs: number
  readonly #reviewers = new Map<string, Set<number>>()
  /** When the reviews of each product were verified. */
  readonly #verified = new Map<string, number[]>()
  readonly #open = new Map<string, Request>()
  readonly #random: Random
  #queue: Request[] = []
  #now = 0

  constructor(policy: Policy, people: Person[], { seed, days, warmUpDays }: Span) {
    this.#policy = policy
    this.#seed = seed
    this.#journal = openJournal(people, days * dayMs, warmUpDays * dayMs)
    this.#random = randomOf(seed, policy)
    const size = people.filter(({ joinsAt }) => joinsAt === 0).length
    const days14 = pairWindow.shortestDays
    const same = policy === 'soonest' ? pairWindowDays(size, weeklyRate) : days14
    const reverse = policy === 'soonest' ? reverseWindowDays(size, same) : days14
    this.#window = { same: dayMs * (same ?? Infinity), reverse: dayMs * (reverse ?? Infinity) }
    this.#offerMs = policy === 'soonest' ? offerMinutes.present * minuteMs : 24 * hourMs
  }

  toTheEnd(): Journal {
    const end = this.#journal.endsAt
    for (const person of this.#journal.people) this.#line.plan(person.joinsAt, () => this.#join(person))
    for (let at = 10 * minuteMs; at < end; at += 10 * minuteMs) this.#line.plan(at, () => this.#draw())
    for (let next = this.#line.next(); next && next.at < end; next = this.#line.next()) {
      this.#now = next.at
      void next.act()
    }
    return this.#journal
  }

  #join(person: Person) {
    const member: Member = {
      person,
      random: randomOf(this.#seed, 'acts', person.number),
      hereUntil: 0,
      balance: 0,
      pendingGive: 0,
      pendingTake: 0,
      bought: 0,
      submitted: 0,
      openRequests: 0,
      turnAt: this.#now,
      availableAt: 0,
      accepts: [],
      received: [],
      declines: { day: 0, count: 0 },
      offer: null,
      decided: false,
      gone: false,
      nudgedOn: -1,
    }
    this.#members.set(person.number, member)
    for (const { at, minutes } of person.visits) this.#line.plan(at, () => this.#visit(member, minutes))
    for (const { from, until } of person.pauses) {
      this.#line.plan(from, () => this.#hold(member, true))
      this.#line.plan(until, () => this.#hold(member, false))
    }
    this.#line.plan(person.leavesAt, () => this.#leave(member))
  }

  #hold(member: Member, holds: boolean) {
    if (holds && member.offer) this.#endOffer(member)
    for (const { asked } of this.#requestsOf(member)) {
      if (holds) asked.heldSince ??= this.#now
      else if (asked.heldSince !== null) {
        asked.heldMs += this.#now - asked.heldSince
        asked.heldSince = null
      }
    }
  }

  #requestsOf({ person }: Member) {
    return [...this.#open.values()].filter(({ asked }) => asked.seller === person.number)
  }

  #leave(member: Member) {
    member.gone = true
    if (member.offer) this.#endOffer(member)
    for (const request of this.#requestsOf(member)) {
      request.asked.cancelled = true
      if (request.offeredTo) request.offeredTo.offer = null
      this.#close(request)
    }
  }

  #close(request: Request) {
    this.#open.delete(`${request.asked.seller}:${request.product}`)
    this.#queue = this.#queue.filter((other) => other !== request)
  }

  #visit(member: Member, minutes: number) {
    if (member.gone || isPaused(member.person, this.#now)) return
    this.#journal.visits += 1
    member.hereUntil = Math.max(member.hereUntil, this.#now + minutes * minuteMs)
    this.#line.plan(this.#now + 0.5 * minuteMs, () => this.#ask(member))
    if (member.offer && !member.decided) this.#planAnswer(member, member.offer)
    this.#comes(member)
  }

  /** With `soonest`, a member who is here gets the oldest request that they may take. */
  #comes(member: Member) {
    if (this.#policy !== 'soonest' || member.hereUntil <= this.#now) return
    const request = this.#queue.find(
      (waiting) => this.#mayBeOffered(waiting) && this.#mayTake(member, waiting),
    )
    if (request) this.#make(request, member)
  }

  #ask(member: Member) {
    if (!this.#mayReceive(member)) return
    for (let product = 0; product < member.person.products; product += 1) {
      const key = `${member.person.number}:${product}`
      if (member.gone || member.balance - member.pendingTake - member.openRequests - 1 < -creditLine) return
      if (this.#open.has(key) || this.#isExposed(key)) continue
      const asked: Asked = {
        seller: member.person.number,
        at: this.#now,
        heldMs: 0,
        heldSince: null,
        acceptedAt: null,
        cancelled: false,
      }
      const reviewedBy = this.#reviewers.get(key) ?? new Set()
      this.#reviewers.set(key, reviewedBy)
      const request = { asked, product, offeredTo: null, refusedBy: new Map(), reviewedBy }
      this.#open.set(key, request)
      this.#queue.push(request)
      this.#journal.asked.push(asked)
      member.openRequests += 1
      this.#offer(request)
      if (this.#policy === 'soonest') this.#line.plan(this.#now + nudgeAfterMs, () => this.#nudge(request))
    }
  }

  /** Calls a member who may take a request that waits, each hour, and each member once a day. */
  #nudge(request: Request) {
    if (request.asked.acceptedAt !== null || request.asked.cancelled) return
    this.#line.plan(this.#now + hourMs, () => this.#nudge(request))
    if (request.offeredTo || !this.#mayBeOffered(request)) return
    const today = Math.floor(this.#now / dayMs)
    const away = [...this.#members.values()].filter(
      (member) => member.nudgedOn < today && this.#mayTake(member, request),
    )
    const chosen = away[Math.floor(this.#random() * away.length)]
    if (!chosen) return
    chosen.nudgedOn = today
    this.#journal.nudges += 1
    this.#bring(chosen)
  }

  /** A mail may bring its reader. */
  #bring(member: Member) {
    const after = mailBrings(member.person, member.random)
    if (after === null) return
    this.#line.plan(awakeFrom(member.person, this.#now + after), () => {
      this.#journal.mailVisits += 1
      this.#visit(member, 12)
    })
  }

  #draw() {
    const oldest = this.#queue.reduce((first, { asked }) => Math.min(first, asked.at), this.#now)
    const free = new Set(
      [...this.#members.values()].filter((member) => this.#isHere(member) && this.#mayGive(member, oldest)),
    )
    for (const request of this.#queue.slice()) {
      this.#offer(request, free)
      if (request.offeredTo) free.delete(request.offeredTo)
    }
  }

  #offer(request: Request, members: Iterable<Member> = this.#members.values()) {
    if (!this.#mayBeOffered(request)) return
    const candidates: Member[] = []
    for (const member of members) {
      if (this.#isHere(member) && this.#mayTake(member, request)) candidates.push(member)
    }
    const chosen =
      this.#policy !== 'fifo'
        ? candidates[Math.floor(this.#random() * candidates.length)]
        : candidates.reduce<Member | undefined>(
            (first, member) => (first && first.turnAt <= member.turnAt ? first : member),
            undefined,
          )
    if (chosen) this.#make(request, chosen)
  }

  #make(request: Request, chosen: Member) {
    this.#queue = this.#queue.filter((other) => other !== request)
    Object.assign(chosen, { offer: request, decided: false, turnAt: this.#now })
    request.offeredTo = chosen
    this.#journal.offers.push({ at: this.#now, reviewer: chosen.person.number })
    this.#line.plan(this.#now + this.#offerMs, () => this.#expire(chosen, request))
    if (chosen.hereUntil > this.#now) this.#planAnswer(chosen, request)
    else this.#bring(chosen)
  }

  /** Whether its seller neither pauses nor has received as many reviews as a member may. */
  #mayBeOffered({ asked }: Request) {
    const seller = this.#members.get(asked.seller)
    return asked.heldSince === null && seller !== undefined && this.#mayReceive(seller)
  }

  #mayReceive({ received }: Member) {
    const { perDay, perWeek, weekHours } = receiveLimits
    return (
      (received.at(-perDay) ?? -Infinity) < this.#now - (this.#now % dayMs) &&
      (received.at(-perWeek) ?? -Infinity) < this.#now - weekHours * hourMs
    )
  }

  #isExposed(key: string) {
    const since = this.#now - productExposure.days * dayMs
    return (this.#verified.get(key)?.filter((at) => at > since).length ?? 0) >= productExposure.reviews
  }

  /** Only `soonest` asks for it. */
  #isHere = (member: Member) => this.#policy !== 'soonest' || member.hereUntil > this.#now

  /** Whether a member may take a request of this time, of any seller. */
  #mayGive(member: Member, askedAt: number) {
    if (member.gone || member.offer || member.availableAt > this.#now) return false
    const relaxation = capRelaxation((this.#now - askedAt) / hourMs, receivingOf(member))
    return member.balance + member.pendingGive < givingCap + relaxation && !isPaused(member.person, this.#now)
  }

  #mayTake(member: Member, { asked, refusedBy, reviewedBy }: Request) {
    const { person } = member
    if (person.number === asked.seller || !this.#mayGive(member, asked.at)) return false
    if ((refusedBy.get(person.number) ?? 0) > this.#now) return false
    if (reviewedBy.has(person.number)) return false
    const met = this.#met.get(asked.seller)?.get(person.number)
    return !met || (met.reviewer === person.number ? met.same : met.reverse) <= this.#now
  }

  #expire(member: Member, request: Request) {
    if (member.offer !== request) return
    this.#journal.expiries += 1
    request.refusedBy.set(member.person.number, this.#now + this.#offerMs)
    this.#endOffer(member)
  }

  #endOffer(member: Member) {
    const request = member.offer
    member.offer = null
    if (!request) return
    request.offeredTo = null
    this.#queue.push(request)
    this.#queue.sort((one, other) => one.asked.at - other.asked.at)
    this.#offer(request)
  }

  #planAnswer(member: Member, request: Request) {
    this.#line.plan(this.#now + thinkMs(member.random), () => this.#answer(member, request))
  }

  #answer(member: Member, request: Request) {
    if (member.offer !== request || member.decided) return
    member.decided = true
    const today = Math.floor(this.#now / dayMs)
    if (member.declines.day !== today) member.declines = { day: today, count: 0 }
    const seller = this.#members.get(request.asked.seller)
    const answer = answerOf(member.person, member.random, {
      seller: seller?.person.kind,
      excusesToday: member.declines.count,
    })
    if (answer === 'ignore' || answer === 'leave' || !seller) return
    if (answer === 'accept') {
      this.#accept(member, seller, request)
      this.#comes(member)
      return
    }
    this.#journal.declines += 1
    member.declines.count += 1
    member.availableAt = this.#now + cooldownMinutes(member.declines.count) * minuteMs
    request.refusedBy.set(member.person.number, this.#now + reofferMs)
    this.#endOffer(member)
  }

  #accept(member: Member, seller: Member, request: Request) {
    request.asked.acceptedAt = this.#now
    member.offer = null
    this.#close(request)
    seller.openRequests -= 1
    seller.pendingTake += 1
    member.pendingGive += 1
    this.#countAccepted(member, seller)
    const { number: reviewer } = member.person
    this.#noteMeeting(seller, { reviewer, same: Infinity, reverse: Infinity })
    request.reviewedBy.add(reviewer)
    const exchange: Exchange = {
      seller: seller.person.number,
      reviewer: member.person.number,
      // A member's turn is when they got their last offer.
      offeredAt: member.turnAt,
      at: this.#now,
      verifiedAt: null,
      lapsedAt: null,
    }
    this.#journal.exchanges.push(exchange)
    const work = workOf(member.person, member.random)
    const after = work ? work.written + confirmMs : 7 * dayMs
    if (work) {
      this.#line.plan(this.#now + work.proven, () => void (seller.bought += 1))
      this.#line.plan(this.#now + work.written, () => void (seller.submitted += 1))
    }
    this.#line.plan(this.#now + after, () => {
      member.pendingGive -= 1
      seller.pendingTake -= 1
      const isDone = work !== null
      if (isDone) {
        exchange.verifiedAt = this.#now
        seller.bought -= 1
        seller.submitted -= 1
        const key = `${seller.person.number}:${request.product}`
        this.#verified.set(key, [...(this.#verified.get(key) ?? []), this.#now])
        member.balance += 1
        seller.balance -= 1
      } else exchange.lapsedAt = this.#now
      const { same, reverse } = isDone ? this.#window : { same: 0, reverse: 0 }
      this.#noteMeeting(seller, { reviewer, same: this.#now + same, reverse: this.#now + reverse })
    })
  }

  /** At the limit of the day or week, a member gets no offers, and the requests of a seller wait. */
  #countAccepted(member: Member, seller: Member) {
    const { perDay, perWeek, weekHours } = acceptLimits
    const dayStart = this.#now - (this.#now % dayMs)
    member.accepts = [...member.accepts, this.#now].slice(-perWeek)
    if ((member.accepts.at(-perDay) ?? -Infinity) >= dayStart) member.availableAt = dayStart + dayMs
    const eighth = member.accepts.at(-perWeek) ?? -Infinity
    member.availableAt = Math.max(member.availableAt, eighth + weekHours * hourMs)
    seller.received = [...seller.received, this.#now].slice(-receiveLimits.perWeek)
    if (this.#mayReceive(seller)) return
    for (const { offeredTo } of this.#requestsOf(seller)) if (offeredTo) this.#endOffer(offeredTo)
  }

  #noteMeeting({ person: { number: seller } }: Member, met: Met) {
    for (const [one, other] of [
      [seller, met.reviewer],
      [met.reviewer, seller],
    ] as const) {
      const others = this.#met.get(one) ?? new Map<number, Met>()
      this.#met.set(one, others.set(other, met))
    }
  }
}

function receivingOf({ pendingTake, bought, submitted }: Member): Receiving {
  if (submitted > 0) return 'submitted'
  if (bought > 0) return 'bought'
  return pendingTake > 0 ? 'accepted' : 'nothing'
}

const isPaused = ({ pauses }: Person, at: number) =>
  pauses.some(({ from, until }) => at >= from && at < until)
