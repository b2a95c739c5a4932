// A club of simulated people who use the product's own functions, from one event to the next. A pass runs
// when the product would run one and it could make an offer: after each change that asks for a pass, and at
// the minute in which a young request reaches a member who is here. In a large club passes run in rounds.
import { sql } from 'kysely'
import { creditLine, givingCap, offerMinutes, reviewHours } from '#contract/matching-rules.ts'
import { confirmHours } from '#contract/reviews.ts'
import type { MemberCtx, StoredEvent } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { findCurrentOffer } from '#server/matching/reads.ts'
import { nudgeMembers } from '#server/matching/presence/nudges.ts'
import { endRest } from '#server/matching/presence/rests.ts'
import { askForReview } from '#server/matching/testing.ts'
import { bePresent } from '#server/matching/signals.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { reinstateMember } from '#server/members/suspension.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { answerOf, mailBrings, thinkMs, workOf } from './answers.ts'
import { join, noteProof, noteReview, pause, runJob } from './club.ts'
import type { VirtualClub } from './club.ts'
import { DuePairs } from './due.ts'
import { openJournal } from './journal.ts'
import type { Asked, Exchange, Journal } from './journal.ts'
import { awakeFrom, dayMs, habits, honest, hourMs, minuteMs } from './people.ts'
import type { Person, Visit } from './people.ts'
import { randomOf } from './random.ts'
import { addReasons } from './reasons.ts'
import type { Random } from './random.ts'
import { Rounds } from './rounds.ts'
import { Timeline } from './timeline.ts'

type Member = {
  person: Person
  me: MemberCtx
  productIds: string[]
  random: Random
  /** Until when the person is on the dashboard. */
  hereUntil: number
  offer: { queueId: string; seller: number | undefined; live: boolean; decided: boolean } | null
  /** When the last offer was made. */
  offeredAt: number
  /** Reviews that wait for this seller's confirmation. */
  toConfirm: Set<string>
  /** Whether something happened since the product last had nothing to ask for. */
  mayAsk: boolean
  /** Since when a ring with timing waits for a mate to be here. */
  waitsForMate: number | null
  excuses: { day: number; count: number }
  gone: boolean
}

export type Span = { seed: number; days: number; warmUpDays: number }

export async function simulate(club: VirtualClub, people: Person[], span: Span): Promise<Journal> {
  const run = new Simulation(club, people, span)
  return run.toTheEnd()
}

const ringPatienceMs = dayMs

/** After the last beat a member still counts as present, on average for so long. */
const lingerMs = 2 * minuteMs
/** Days until our staff reinstates a suspended member. */
const suspendedDays = 7
/** From so many members on, passes run in rounds. */
const largeFrom = 5000
/** How often a run says how far it is. */
const progressMs = { small: 15 * dayMs, large: dayMs }

class Simulation {
  readonly #club: VirtualClub
  readonly #span: Span
  readonly #journal: Journal
  readonly #line = new Timeline()
  readonly #members = new Map<number, Member>()
  readonly #byId = new Map<string, Member>()
  readonly #sellerOf = new Map<string, number>()
  readonly #asked = new Map<string, Asked>()
  readonly #exchanges = new Map<string, Exchange>()
  readonly #due: DuePairs | Rounds
  /** When each job ran last. */
  readonly #lastRuns = new Map<string, number>()
  #nextPass = Number.POSITIVE_INFINITY
  #nextNudge = Number.POSITIVE_INFINITY
  /** How long an offer to a member who is here stays open now. */
  #liveMinutes = offerMinutes.present

  constructor(club: VirtualClub, people: Person[], span: Span) {
    this.#club = club
    this.#span = span
    const countsFrom = span.warmUpDays * dayMs
    this.#journal = openJournal(people, span.days * dayMs, countsFrom)
    this.#due = this.#isLarge ? new Rounds(club.clock) : new DuePairs(club)
  }

  get #isLarge() {
    return this.#journal.people.length >= largeFrom
  }

  async toTheEnd(): Promise<Journal> {
    const end = this.#journal.endsAt
    for (const person of this.#journal.people) this.#plan(person.joinsAt, () => this.#join(person))
    this.#every(6 * hourMs, () => this.#refreshFigures())
    this.#every(dayMs, () => this.#lookAtLongWaits())
    this.#every(dayMs, () => this.#reinstate())
    this.#every(progressMs[this.#isLarge ? 'large' : 'small'], () =>
      console.log(`  day ${Math.round(this.#now / dayMs)} of ${this.#span.days}`),
    )
    for (let next = this.#line.next(); next && next.at < end; next = this.#line.next()) {
      this.#club.clock.now = Math.max(next.at, this.#club.clock.now + 1)
      await next.act()
      await this.#settle()
    }
    this.#club.clock.now = end
    return this.#journal
  }

  get #now() {
    return this.#club.clock.now
  }

  #plan(at: number, act: () => void | Promise<void>) {
    this.#line.plan(at, act)
  }

  #every(ms: number, act: () => void | Promise<void>) {
    const again = async () => {
      await act()
      this.#plan(this.#now - (this.#now % ms) + ms, again)
    }
    this.#plan(ms, again)
  }

  async #join(person: Person) {
    const joined = await join(this.#club, person.number, person.products)
    const member: Member = {
      ...joined,
      person,
      random: randomOf(this.#span.seed, 'acts', person.number),
      hereUntil: 0,
      offer: null,
      offeredAt: 0,
      toConfirm: new Set(),
      mayAsk: true,
      waitsForMate: null,
      excuses: { day: 0, count: 0 },
      gone: false,
    }
    this.#members.set(person.number, member)
    this.#byId.set(member.me.who.id, member)
    for (const productId of joined.productIds) this.#sellerOf.set(productId, person.number)
    const [first] = person.visits
    if (first) this.#planVisit(member, 0)
    for (const { from, until } of person.pauses) {
      this.#plan(from, () => this.#pause(member, until))
    }
    if (person.leavesAt < this.#journal.endsAt) this.#plan(person.leavesAt, () => this.#leave(member))
  }

  #planVisit(member: Member, index: number) {
    const visit = member.person.visits[index]
    if (!visit) return
    this.#plan(Math.max(visit.at, this.#now), async () => {
      this.#planVisit(member, index + 1)
      await this.#visit(member, visit)
    })
  }

  async #pause(member: Member, until: number) {
    if (member.gone) return
    member.hereUntil = 0
    await pause(this.#club, member.me, until)
    this.#planJob(until, 'refresh-standings')
  }

  async #leave(member: Member) {
    member.gone = true
    member.offer = null
    await eraseMember(this.#club.system, member.me.who.id)
  }

  async #visit(member: Member, { minutes }: Pick<Visit, 'minutes'>) {
    if (member.gone) return
    const { me } = member
    this.#journal.visits += 1
    const until = this.#now + minutes * minuteMs
    await bePresent(me)
    if (until > member.hereUntil) {
      member.hereUntil = until
      // What the beats until then would do, in one statement.
      const seconds = (until - this.#now) / 1000
      const { rows } = await sql<{ rests: boolean }>`
        update reviewer_states set last_seen_at = clock_timestamp() + make_interval(secs => ${seconds}),
          here_until = clock_timestamp() + make_interval(secs => ${seconds + lingerMs / 1000})
        where member_id = ${me.who.id}
        returning coalesce(rest_until > clock_timestamp(), false) as rests`.execute(me.db)
      if (rows[0]?.rests && habits[member.person.kind].ready) {
        this.#plan(this.#now + 0.3 * minuteMs, () => this.#endRest(member))
      }
    }
    if (member.toConfirm.size > 0) this.#plan(this.#now + 0.4 * minuteMs, () => this.#confirm(member))
    if (member.mayAsk) this.#plan(this.#now + 0.5 * minuteMs, () => this.#ask(member))
    if (member.person.kind === 'ring with timing') this.#planTimedRequests(member)
    if (member.offer && !member.offer.decided) this.#planAnswer(member)
  }

  /** Presses "I'm ready". */
  async #endRest({ me, gone }: Member) {
    if (!gone) await this.#tolerate(() => endRest(me))
  }

  async #confirm({ me, gone, toConfirm }: Member) {
    if (gone) return
    for (const id of toConfirm) await this.#tolerate(() => confirmReview(me, id))
    toConfirm.clear()
  }

  /** Asks for reviews until the product refuses. What it would refuse is mostly known beforehand. */
  async #ask(member: Member) {
    if (member.gone) return
    const { me } = member
    const { rows } = await sql<{ id: string }>`
      select p.id from products p, reviewer_states s
      where p.seller_id = ${me.who.id} and s.member_id = p.seller_id
        and s.balance - s.pending_take - s.open_requests >= 0
        and p.deleted_at is null and p.archived_at is null
        and not exists (select from review_queue q where q.listing_id = p.listing_id
          and q.status in ('queued', 'held', 'offered', 'in_review'))
      order by (select max(q.created_at) from review_queue q where q.listing_id = p.listing_id) nulls first,
        p.id
      limit (select balance - pending_take - open_requests + ${creditLine} from reviewer_states
        where member_id = ${me.who.id})`.execute(me.db)
    member.mayAsk = rows.length > 0
    if (member.mayAsk && !(await this.#wantsTo(member))) return
    member.waitsForMate = null
    for (const { id } of rows) {
      if (!(await this.#tolerate(() => askForReview(me, id)))) break
    }
  }

  /**
   * A ring with timing asks only while a mate is here who could be drawn. Who has waited for one for a day
   * asks like others: after one review each none of them could be drawn before they received one.
   */
  async #wantsTo(member: Member) {
    const { person, me } = member
    if (person.kind !== 'ring with timing') return true
    member.waitsForMate ??= this.#now
    if (this.#now - member.waitsForMate >= ringPatienceMs) return true
    const mates = [...this.#members.values()].filter(
      (other) => other.person.kind === person.kind && other.me !== me && other.hereUntil > this.#now,
    )
    const ids = mates.map((mate) => mate.me.who.id)
    const { rows } = await sql`select from reviewer_states
      where member_id = any(${ids}::uuid[]) and tier = 0 and band <= 4 limit 1`.execute(me.db)
    return rows.length > 0
  }

  #planTimedRequests(member: Member) {
    this.#plan(this.#now + 30 * minuteMs, async () => {
      if (member.hereUntil <= this.#now) return
      await this.#ask(member)
      this.#planTimedRequests(member)
    })
  }

  #planAnswer(member: Member) {
    const { offer } = member
    if (!offer) return
    this.#plan(this.#now + thinkMs(member.random), () => this.#answer(member, offer))
  }

  async #answer(member: Member, offer: NonNullable<Member['offer']>) {
    if (member.gone || member.offer !== offer || offer.decided) return
    offer.decided = true
    const { me, person, random } = member
    const today = Math.floor(this.#now / dayMs)
    if (member.excuses.day !== today) member.excuses = { day: today, count: 0 }
    const answer = answerOf(person, random, {
      seller: offer.seller === undefined ? undefined : this.#members.get(offer.seller)?.person.kind,
      excusesToday: member.excuses.count,
    })
    if (answer === 'leave') return this.#goAway(member)
    await findCurrentOffer(me)
    if (answer === 'ignore') return
    const accept = answer === 'accept'
    if (!accept) member.excuses.count += 1
    if (offer.live) this.#journal.answeredInSession.answered += 1
    const reason = accept ? undefined : answer.decline
    await this.#tolerate(() => respondToOffer(me, { queueId: offer.queueId, accept, reason }))
  }

  /** Closes the dashboard: its next beat never comes. */
  async #goAway(member: Member) {
    member.hereUntil = this.#now
    await sql`update reviewer_states set here_until = least(here_until, clock_timestamp()),
        last_seen_at = least(last_seen_at, clock_timestamp())
      where member_id = ${member.me.who.id}`.execute(member.me.db)
  }

  /** False where the product refused. Which refusals occur is part of the figures. */
  async #tolerate(act: () => Promise<unknown>) {
    try {
      await act()
      return true
    } catch (error) {
      // What does not exist was asked for by a mistake of ours, not of the people.
      if (!isRefusal(error) || error.code === 'NOT_FOUND') throw error
      const { refusals } = this.#journal
      refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
      return false
    }
  }

  /** Does what the product does by itself after an action: its jobs, and what its members learn. */
  async #settle() {
    this.#listen()
    if (this.#club.sent.delete('match-requests')) await this.#drawNow()
    this.#deliver()
  }

  /** A review that came further may let its seller be asked: the product's pass of the minute finds it. */
  #lookAgain() {
    this.#club.sent.add('match-requests')
  }

  async #drawNow() {
    for (let round = 0; round < 20; round += 1) {
      const next = await this.#due.next()
      if (next > this.#now) {
        this.#planPass(next)
        this.#planNudge()
        return
      }
      await runJob(this.#club, 'match-requests')
      await this.#due.noteRun()
      this.#listen()
    }
  }

  #planPass(at: number) {
    const minute = nextMinute(at)
    if (!Number.isFinite(minute) || (minute >= this.#nextPass && this.#nextPass > this.#now)) return
    this.#nextPass = minute
    this.#plan(minute, () => {
      if (this.#nextPass <= this.#now) this.#nextPass = Number.POSITIVE_INFINITY
      this.#club.sent.add('match-requests')
    })
  }

  #deliver() {
    for (const { memberId, template } of this.#club.mails.splice(0)) {
      const member = this.#byId.get(memberId)
      if (template === 'nudge') this.#journal.nudges += 1
      if (member && ['offer-made', 'nudge'].includes(template)) this.#bring(member)
    }
  }

  /** A mail that asks for something came: it may bring its reader. */
  #bring(member: Member) {
    if (member.hereUntil > this.#now) return
    const after = mailBrings(member.person, member.random)
    if (after === null) return
    this.#plan(awakeFrom(member.person, this.#now + after), async () => {
      if (isPaused(member.person, this.#now)) return
      this.#journal.mailVisits += 1
      await this.#visit(member, { minutes: 12 })
    })
  }

  #planNudge() {
    const minute = nextMinute(Math.max(this.#due.nextNudge(), this.#now + 1))
    if (!Number.isFinite(minute) || (minute >= this.#nextNudge && this.#nextNudge > this.#now)) return
    this.#nextNudge = minute
    this.#plan(minute, () => this.#nudge())
  }

  async #nudge() {
    if (this.#due.nextNudge() <= this.#now) {
      const made = await nudgeMembers(this.#club.system)
      this.#due.noteNudges(made.map(({ queueId }) => queueId))
    }
    this.#planNudge()
  }

  async #refreshFigures() {
    await runJob(this.#club, 'publish-days')
    await runJob(this.#club, 'refresh-rotation-figures')
    const row = await this.#club.system.db.selectFrom('rotationFigures').selectAll().executeTakeFirst()
    const days: Record<string, unknown> = { ...row }
    const same = typeof days['pairWindowDays'] === 'number' ? days['pairWindowDays'] : null
    const stated = days['reverseWindowDays']
    const reverse = typeof stated === 'number' ? stated : stated === null ? null : same
    this.#journal.windows.push({ at: this.#now, same, reverse })
    this.#liveMinutes = row?.liveOfferMinutes ?? offerMinutes.present
  }

  /** Our staff reinstates members whom missed reviews suspended. */
  async #reinstate() {
    const { system } = this.#club
    const { rows } = await sql<{ id: string }>`select id from members
      where suspended_at <= clock_timestamp() - make_interval(days => ${suspendedDays})`.execute(system.db)
    for (const { id } of rows) await inTransaction(system, (ctx) => reinstateMember(ctx, id))
  }

  async #lookAtLongWaits() {
    if (this.#now < this.#journal.countsFrom) return
    await addReasons(this.#club, this.#journal.reasons)
    await this.#countAtCap()
  }

  async #countAtCap() {
    const ids = [...this.#members.values()]
      .filter(({ gone, person }) => !gone && honest.includes(person.kind))
      .map(({ me }) => me.who.id)
    const { rows } = await sql<{ count: number; of: number }>`
      select count(*) filter (where balance + pending_give >= ${givingCap})::int as count, count(*)::int as of
      from reviewer_states where member_id = any(${ids}::uuid[])`.execute(this.#club.system.db)
    this.#journal.atCap.count += rows[0]?.count ?? 0
    this.#journal.atCap.of += rows[0]?.of ?? 0
  }

  /** The product looks each five minutes for reviews that are over. */
  #planEnd(exchange: Exchange, job: string, dueAt: number) {
    const tick = 5 * minuteMs
    const isOver = () => exchange.verifiedAt !== null || exchange.lapsedAt !== null
    this.#planJob(Math.ceil((dueAt + 1) / tick) * tick, job, isOver)
  }

  /** Runs a job of the product at this moment, once for all that is due then. */
  #planJob(at: number, name: string, isOver = () => false) {
    this.#plan(at, async () => {
      if (this.#lastRuns.get(name) === at || isOver()) return
      this.#lastRuns.set(name, at)
      await runJob(this.#club, name)
    })
  }

  #listen() {
    for (const event of this.#club.events.splice(0)) {
      for (const id of event.recipients) {
        const member = this.#byId.get(id)
        if (member) member.mayAsk = true
      }
      this.#note(event)
    }
  }

  #note({ name, ids, recipients }: StoredEvent) {
    const at = this.#now
    // Of an exchange, the reviewer and then the seller.
    const [first = '', second = ''] = recipients
    if (name === 'request.queued') this.#noteQueued(ids.queueId, ids.productId)
    if (name === 'request.held') {
      const asked = this.#asked.get(ids.queueId)
      if (asked) asked.heldSince ??= at
    }
    if (name === 'request.cancelled') {
      const asked = this.#asked.get(ids.queueId)
      if (asked) asked.cancelled = true
    }
    if (name === 'offer.made') this.#noteOffer(ids.queueId, first)
    if (name === 'offer.accepted') {
      const asked = this.#asked.get(ids.queueId)
      if (asked) asked.acceptedAt = at
      this.#endOffer(first)
    }
    if (name === 'offer.declined') this.#journal.declines += 1
    if (name === 'offer.expired') this.#journal.expiries += 1
    if (name === 'offer.declined' || name === 'offer.expired' || name === 'offer.withdrawn') {
      const member = [first, second].find((id) => this.#byId.get(id)?.offer?.queueId === ids.queueId)
      if (member) this.#endOffer(member)
    }
    if (name === 'review.opened') this.#noteReview(ids.reviewId, first, second)
    const exchange = 'reviewId' in ids ? this.#exchanges.get(ids.reviewId) : undefined
    if (exchange && name === 'review.verified') {
      exchange.verifiedAt ??= at
      this.#byId.get(second)?.toConfirm.delete(ids.reviewId)
    }
    if (exchange && name === 'review.lapsed') exchange.lapsedAt ??= at
  }

  #noteQueued(queueId: string, productId: string) {
    const known = this.#asked.get(queueId)
    if (known) {
      if (known.heldSince !== null) known.heldMs += this.#now - known.heldSince
      known.heldSince = null
      return
    }
    const asked: Asked = {
      seller: this.#sellerOf.get(productId) ?? -1,
      at: this.#now,
      heldMs: 0,
      heldSince: null,
      acceptedAt: null,
      cancelled: false,
    }
    this.#asked.set(queueId, asked)
    this.#journal.asked.push(asked)
  }

  #noteOffer(queueId: string, reviewerId: string) {
    const member = this.#byId.get(reviewerId)
    if (!member) return
    const here = member.hereUntil > this.#now
    // A pass offers to members who are here for a short time, to the others for a long one.
    const live = member.hereUntil + lingerMs > this.#now
    member.offer = { queueId, seller: this.#asked.get(queueId)?.seller, live, decided: false }
    member.offeredAt = this.#now
    this.#journal.offers.push({ at: this.#now, reviewer: member.person.number })
    if (live) this.#journal.answeredInSession.of += 1
    const lasts = live ? this.#liveMinutes : offerMinutes.absent
    const minute = Math.ceil((this.#now + lasts * minuteMs + 1) / minuteMs) * minuteMs
    this.#planJob(minute, 'expire-offers')
    if (here) this.#planAnswer(member)
  }

  #endOffer(memberId: string) {
    const member = this.#byId.get(memberId)
    if (member) member.offer = null
  }

  #noteReview(reviewId: string, reviewerId: string, sellerId: string) {
    const reviewer = this.#byId.get(reviewerId)
    const seller = this.#byId.get(sellerId)
    if (!reviewer || !seller) return
    const exchange: Exchange = {
      reviewer: reviewer.person.number,
      seller: seller.person.number,
      offeredAt: reviewer.offeredAt,
      at: this.#now,
      verifiedAt: null,
      lapsedAt: null,
    }
    this.#exchanges.set(reviewId, exchange)
    this.#journal.exchanges.push(exchange)
    const work = workOf(reviewer.person, reviewer.random)
    this.#planEnd(exchange, 'lapse-overdue-reviews', this.#now + reviewHours * hourMs)
    if (!work) return
    this.#plan(this.#now + work.proven, async () => {
      if (reviewer.gone || seller.gone || !(await noteProof(reviewer.me, reviewId))) return
      this.#lookAgain()
    })
    this.#plan(this.#now + work.written, async () => {
      if (reviewer.gone || seller.gone || !(await noteReview(reviewer.me, reviewId))) return
      seller.toConfirm.add(reviewId)
      this.#lookAgain()
      // The mail that asks the seller to confirm.
      this.#bring(seller)
      this.#planEnd(exchange, 'verify-due-reviews', this.#now + confirmHours * hourMs)
    })
  }
}

/** The product's timers run each minute. */
const nextMinute = (at: number) => Math.ceil(at / minuteMs) * minuteMs

const isPaused = ({ pauses }: Person, at: number) =>
  pauses.some(({ from, until }) => at >= from && at < until)
