// The demo club while its past is played: who has given, received and asked how much, and what is planned
// next.
import { members } from './cast.ts'
import type { CastMember } from './cast.ts'
import { promised } from './fixed-scenes.ts'
import { day, hour } from './past.ts'
import type { PastRequest, PastReview } from './past.ts'
import { products } from './products.ts'
import { makeRandom } from './random.ts'
import { reviewTexts } from './review-texts.ts'
import type { SeedReview } from './review-texts.ts'
import { newTimeline } from './timeline.ts'
import type { Timeline } from './timeline.ts'

export type Club = {
  timeline: Timeline
  random: () => number
  joinedAt: Map<string, number>
  listedAt: Map<string, number>
  states: Map<string, State>
  /** The texts that are left for each product. */
  texts: Map<string, SeedReview[]>
  requests: PastRequest[]
}

/** A member's place in the club: what they gave and received, and what is under way. */
export type State = {
  member: CastMember
  joinedAt: number
  balance: number
  give: number
  take: number
  open: number
  busyUntil: number
  acceptedAt: number
  declinedAt: number
  met: Set<string>
}

/** The club at that moment, before anyone has asked for anything. */
export function newClub(begins: number): Club {
  const random = makeRandom(20_261_121)
  const joinedAt = new Map(members.map(({ username }, place) => [username, joinOf(username, place)]))
  const club: Club = {
    timeline: newTimeline(begins),
    random,
    joinedAt,
    listedAt: listTimes(joinedAt, random),
    states: new Map(members.map((member) => [member.username, newState(member, joinedAt)])),
    texts: new Map(products.map(({ slug }) => [slug, reviewTexts.filter((text) => text.product === slug)])),
    requests: [],
  }
  for (const [one, other] of promised) meet(stateOf(club, one), stateOf(club, other))
  return club
}

export function stateOf(club: Club, username: string): State {
  return found(club.states.get(username))
}

/** A number of the club's own random sequence. */
export function between(club: Club, from: number, to: number): number {
  return from + club.random() * (to - from)
}

/** One of these, each as likely as its weight says; undefined when there are none. */
export function pick<T>(club: Club, from: T[], weigh: (one: T) => number): T | undefined {
  let left = club.random() * from.reduce((sum, one) => sum + weigh(one), 0)
  return from.find((one) => (left -= weigh(one)) < 0)
}

/** The balance rule: a member is at most one review ahead of what they gave. */
export function mayAsk(seller: State) {
  return seller.balance - seller.take - seller.open >= 0
}

/** As in the rotation: who owes comes first. */
export function bandOf({ balance, give, take, open }: State) {
  return balance + give - take - open
}

export function meet(one: State, other: State) {
  one.met.add(other.member.username)
  other.met.add(one.member.username)
}

/** Ends an exchange for both sides; `moved` is 1 when the review counts. */
export function settle(club: Club, request: PastRequest, { reviewer }: PastReview, moved: 0 | 1) {
  const giver = stateOf(club, reviewer)
  const receiver = stateOf(club, request.product.seller)
  giver.give -= 1
  giver.balance += moved
  receiver.take -= 1
  receiver.balance -= moved
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The demo names something that is not there.')
  return value
}

function newState(member: CastMember, joinedAt: Map<string, number>): State {
  return {
    member,
    joinedAt: found(joinedAt.get(member.username)),
    balance: 0,
    give: 0,
    take: 0,
    open: 0,
    busyUntil: -Infinity,
    acceptedAt: -Infinity,
    declinedAt: -Infinity,
    met: new Set<string>(),
  }
}

/** The club grew over 200 days; finn came the day before yesterday. */
function joinOf(username: string, place: number) {
  return username === 'finn' ? -47 * hour : (-200 + 3.4 * place) * day - 7 * hour
}

function listTimes(joinedAt: Map<string, number>, random: () => number) {
  const times = new Map<string, number>()
  const listed = new Map<string, number>()
  for (const { slug, seller } of products) {
    const nth = listed.get(seller) ?? 0
    listed.set(seller, nth + 1)
    const at = found(joinedAt.get(seller)) + (0.1 + random()) * day + nth * (20 + 20 * random()) * day
    times.set(slug, Math.min(at, -4 * day))
  }
  return times
}
