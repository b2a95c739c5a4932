// When a pass could next make an offer. The product runs a pass each minute and after each change; most of
// those find nothing. This works out from the same rows which of them can: a pair of a waiting request and a
// member who is here whose slate, giving cap and cooldown allow it, and that no pass has just left out.
import { sql } from 'kysely'
import { escalationHours, givingCap, hoursUntilRelaxed, nudges } from '#contract/matching-rules.ts'
import type { Receiving } from '#contract/matching-rules.ts'
import { lotteryValue, memberNumber } from '#contract/draw.ts'
import { receiving } from '#server/matching/candidates.ts'
import type { VirtualClub } from './club.ts'
import { dayMs, hourMs, minuteMs } from './people.ts'

/** `at`: when it was asked. `since`: from when its wait counts. */
type Waiting = { id: string; sellerId: string; at: number; since: number; key: Buffer; waitsUntil: number }
type Here = {
  id: string
  gross: number
  receiving: Receiving
  auditKey: Buffer
  hereUntil: number
  availableAt: number
  hasOffer: boolean
}

/** After a pass left out a pair that seemed possible, history forbids it: mostly for long. */
const barredMs = hourMs
/** Old requests go to absent members, whose rows are not watched here. */
const oldTickMs = 30 * minuteMs
/** A request about which no one could be nudged is tried again after this time. */
const nudgeAgainMs = 20 * minuteMs

export class DuePairs {
  readonly #club: VirtualClub
  readonly #slates = new Map<string, number>()
  readonly #barredUntil = new Map<string, number>()
  /** From when on a request may be the next one that a member is nudged about. */
  readonly #nudgesAt = new Map<string, number>()
  #waiting: Waiting[] = []
  #here: Here[] = []
  #lastRun = 0

  constructor(club: VirtualClub) {
    this.#club = club
  }

  /** The next moment at which a member may be nudged about a waiting request. */
  nextNudge(): number {
    return this.#waiting.reduce((next, request) => Math.min(next, this.#nudgeAt(request)), Infinity)
  }

  /** Members were nudged about these requests, and about no other that waits long enough. */
  noteNudges(queueIds: readonly string[]) {
    const { now } = this.#club.clock
    for (const request of this.#waiting) {
      if (this.#nudgeAt(request) <= now) this.#nudgesAt.set(request.id, now + nudgeAgainMs)
    }
    for (const id of queueIds) this.#nudgesAt.set(id, now + nudges.perRequestMinutes * minuteMs)
  }

  #nudgeAt({ id, at, waitsUntil }: Waiting) {
    return Math.max(at + nudges.afterMinutes * minuteMs, waitsUntil, this.#nudgesAt.get(id) ?? 0)
  }

  /** The next moment at which a pass can make an offer; not after now when it can at once. */
  async next(): Promise<number> {
    await this.#read()
    const now = this.#club.clock.now
    let next = this.#nextForOld(now)
    for (const request of this.#waiting) {
      for (const member of this.#here) {
        const at = this.#possibleFrom(request, member)
        if (at < member.hereUntil) next = Math.min(next, at)
      }
    }
    return next
  }

  /** What a pass has just left out is barred for a time. */
  async noteRun() {
    const now = this.#club.clock.now
    this.#lastRun = now
    await this.#read()
    for (const request of this.#waiting) {
      for (const member of this.#here) {
        if (this.#possibleFrom(request, member) <= now) {
          this.#barredUntil.set(request.id + member.id, now + barredMs)
        }
      }
    }
    if (this.#barredUntil.size > 200_000) this.#dropOld(now)
  }

  #dropOld(now: number) {
    for (const [pair, until] of this.#barredUntil) if (until <= now) this.#barredUntil.delete(pair)
    this.#slates.clear()
  }

  #nextForOld(now: number) {
    let next = Number.POSITIVE_INFINITY
    for (const { since: from, waitsUntil } of this.#waiting) {
      if (waitsUntil > now) continue
      for (const hours of [escalationHours.absent, escalationHours.standby]) {
        const since = from + hours * hourMs
        next = Math.min(next, since > this.#lastRun ? since : this.#lastRun + oldTickMs)
        if (since > now) break
      }
    }
    return next
  }

  #possibleFrom(request: Waiting, member: Here): number {
    if (request.sellerId === member.id || member.hasOffer) return Number.POSITIVE_INFINITY
    const steps = member.gross - givingCap + 1
    const capAt = steps <= 0 ? 0 : request.since + hoursUntilRelaxed(steps, member.receiving) * hourMs
    const barredUntil = this.#barredUntil.get(request.id + member.id) ?? 0
    const { waitsUntil } = request
    return Math.max(this.#slateAt(request, member), capAt, member.availableAt, waitsUntil, barredUntil)
  }

  #slateAt({ id, at, key }: Waiting, member: Here) {
    const week = Math.floor(Date.now() / (7 * dayMs))
    const pair = `${id}${member.id}${week}`
    const known = this.#slates.get(pair)
    if (known !== undefined) return known
    const value = lotteryValue(key, memberNumber(member.auditKey, week))
    const { slate } = this.#club
    const doublings = Math.max(0, Math.log2(value / slate.start))
    // A millisecond later the value is below the share.
    const slateAt = value < slate.start ? at : at + doublings * slate.doublingMs + 1
    this.#slates.set(pair, slateAt)
    return slateAt
  }

  async #read() {
    const { db } = this.#club.system
    const { sinceStart } = this.#club.clock
    // As a value: PostgreSQL would call the clock's function for every row of the club.
    const now = sql`${this.#club.clock.asText()}::timestamptz`
    const waiting = await sql<{
      id: string
      sellerId: string
      askedAt: string
      waitingSince: string
      waitsUntil: string | null
      lotteryKey: Buffer
    }>`select id, seller_id, coalesce(asked_at, created_at) as asked_at,
        coalesce(waiting_since, asked_at, created_at) as waiting_since, lottery_key,
        case when waits_until > ${now} then waits_until end as waits_until
      from review_queue where status = 'queued' order by prio_at, id`.execute(db)
    this.#waiting = waiting.rows.map(({ id, sellerId, askedAt, waitingSince, waitsUntil, lotteryKey }) => ({
      id,
      sellerId,
      at: sinceStart(askedAt),
      since: sinceStart(waitingSince),
      waitsUntil: waitsUntil ? sinceStart(waitsUntil) : 0,
      key: lotteryKey,
    }))
    if (this.#waiting.length === 0) {
      this.#here = []
      return
    }
    const here = await sql<{
      memberId: string
      gross: number
      receiving: Receiving
      auditKey: Buffer
      hereUntil: string
      availableAt: string
      hasOffer: boolean
    }>`select member_id, balance + pending_give as gross, ${receiving} as receiving, audit_key, here_until,
        case when greatest(available_at, rest_until) > ${now}
          then greatest(available_at, rest_until) end as available_at,
        open_offer_id is not null as has_offer
      from reviewer_states s where here_until > ${now} and standing = 'in'
      order by member_id`.execute(db)
    this.#here = here.rows.map(({ memberId, hereUntil, availableAt, ...row }) => ({
      ...row,
      id: memberId,
      hereUntil: sinceStart(hereUntil),
      availableAt: availableAt ? sinceStart(availableAt) : 0,
    }))
  }
}
