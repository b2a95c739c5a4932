// A ring is a circle of members in which each reviewed the next and the last reviewed the first, so that a
// favor comes back without a direct trade. Draws close some circles by chance. What chance gives is computed
// for a club in which everyone gave and received as many reviews as they did, with the partners drawn again.

/** How many reviews a member gave another. */
export type Flow = { from: string; to: string; reviews: number }

export type RingLength = 3 | 4

export type Ring = {
  /** In the order of reviewing, the smallest id first. */
  members: string[]
  /** The reviews along the circle. */
  reviews: number
  /** The number of rings like this one that chance gives in the whole club. */
  byChance: number
}

type RingCount = {
  /** Circles of reviews: of two reviews for the same step, each makes a circle of its own. */
  circles: number
  /** The circles that chance gives in a club of this size and pace. */
  byChance: number
  /** The rings of which chance gives fewer than `below`, the rarest first. */
  rings: Ring[]
}

/** Finds the rings of one length. The flows name each ordered pair once, and no member twice. */
export function findRings(flows: Flow[], length: RingLength, { below }: { below: number }): RingCount {
  const club = readClub(flows)
  const possible = circlesAmong(club.both, length)
  let circles = 0
  const rings: Ring[] = []
  for (const circle of circlesOf(club, length)) {
    const steps = circle.map((from, at) => stepOf(club, from, circle[(at + 1) % length] ?? 0))
    circles += steps.reduce((ways, { reviews }) => ways * reviews, 1)
    const rarity = steps.reduce((product, { reviews, mean }) => product * atLeast(reviews, mean), 1)
    // The probability of the ring is never below its rarity, which is quicker to compute.
    if (possible * rarity >= below) continue
    const byChance = possible * ringAsRareAs(rarity, ...steps.map(({ mean }) => mean))
    if (byChance >= below) continue
    const members = circle.map((index) => club.ids[index] ?? '')
    rings.push({ members, reviews: steps.reduce((sum, { reviews }) => sum + reviews, 0), byChance })
  }
  rings.sort((one, other) => one.byChance - other.byChance)
  return { circles, byChance: expectedCircles(club, length), rings }
}

/** The flows with members as numbers, in the order of their ids. */
type Club = {
  ids: string[]
  /** For each member, whom they reviewed and how often. */
  to: Map<number, number>[]
  /** For each member, who reviewed them. */
  from: number[][]
  given: number[]
  received: number[]
  reviews: number
  /** The members who both gave and received, who alone can be in a ring. */
  both: number
}

function readClub(flows: Flow[]): Club {
  const ids = [...new Set(flows.flatMap(({ from, to }) => [from, to]))].toSorted()
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const club: Club = {
    ids,
    to: ids.map(() => new Map()),
    from: ids.map(() => []),
    given: ids.map(() => 0),
    received: ids.map(() => 0),
    reviews: 0,
    both: 0,
  }
  for (const flow of flows) {
    const [from = 0, to = 0] = [indexOf.get(flow.from), indexOf.get(flow.to)]
    club.to[from]?.set(to, flow.reviews)
    club.from[to]?.push(from)
    club.given[from] = (club.given[from] ?? 0) + flow.reviews
    club.received[to] = (club.received[to] ?? 0) + flow.reviews
    club.reviews += flow.reviews
  }
  club.both = ids.filter((_, index) => club.given[index] && club.received[index]).length
  return club
}

/** Each circle once, beginning with its smallest member. */
function* circlesOf(club: Club, length: RingLength): Generator<number[]> {
  for (const first of club.ids.keys()) yield* length === 3 ? threesFrom(club, first) : foursFrom(club, first)
}

function* threesFrom({ to }: Club, first: number) {
  for (const second of later(to[first]?.keys(), first)) {
    for (const third of later(to[second]?.keys(), first)) {
      if (to[third]?.has(first)) yield [first, second, third]
    }
  }
}

/** Meets in the middle, so that the work grows with the members and not with all paths of four. */
function* foursFrom({ to, from }: Club, first: number) {
  const lastsOf = new Map<number, number[]>()
  for (const last of later(from[first], first)) {
    for (const third of later(from[last], first)) {
      const lasts = lastsOf.get(third)
      if (lasts) lasts.push(last)
      else lastsOf.set(third, [last])
    }
  }
  for (const second of later(to[first]?.keys(), first)) {
    for (const third of later(to[second]?.keys(), first)) {
      for (const last of lastsOf.get(third) ?? []) if (last !== second) yield [first, second, third, last]
    }
  }
}

function* later(members: Iterable<number> = [], than: number) {
  for (const member of members) if (member > than) yield member
}

/** The reviews of one step, and how many chance gives. */
function stepOf(club: Club, from: number, to: number) {
  const mean = rateOf(club, from) * (club.received[to] ?? 0)
  return { reviews: club.to[from]?.get(to) ?? 0, mean }
}

/** A member's reviews per review that others received. A member is never drawn for their own product. */
function rateOf({ given, received, reviews }: Club, member: number) {
  const others = reviews - (received[member] ?? 0)
  return others > 0 ? (given[member] ?? 0) / others : 0
}

/** The probability that a Poisson variable of this mean is `count` or more. */
function atLeast(count: number, mean: number) {
  let term = Math.exp(-mean)
  for (let at = 1; at <= count; at += 1) term *= mean / at
  let sum = 0
  for (let at = count; term > sum * Number.EPSILON; at += 1) {
    sum += term
    term *= mean / (at + 1)
  }
  return Math.min(1, sum)
}

/**
 * The probability that chance closes a circle of steps with these means that is as rare or rarer. The rarity
 * of a circle is the product of the probabilities of as many reviews or more for each step.
 */
function ringAsRareAs(rarity: number, mean = 0, ...others: number[]): number {
  let sum = 0
  for (let reviews = 1; ; reviews += 1) {
    const chance = atLeast(reviews, mean)
    // However many reviews the other steps have, the circle is rare enough. Rounding must not hide that.
    if (chance <= rarity * (1 + 1e-9))
      return sum + others.reduce((product, other) => product * atLeast(1, other), chance)
    if (others.length > 0)
      sum += (chance - atLeast(reviews + 1, mean)) * ringAsRareAs(rarity / chance, ...others)
  }
}

/** The number of circles of this length that are possible among so many members. */
function circlesAmong(members: number, length: RingLength) {
  let ways = 1 / length
  for (let at = 0; at < length; at += 1) ways *= Math.max(0, members - at)
  return ways
}

/**
 * The expected number of circles: over all sets of distinct members, the product of what each gave and
 * received, times the orders in which they can form a circle.
 */
function expectedCircles(club: Club, length: RingLength) {
  // sums[n] is the sum over all sets of n members.
  const sums = [1, 0, 0, 0, 0]
  for (const member of club.ids.keys()) {
    const share = rateOf(club, member) * (club.received[member] ?? 0)
    for (let size = length; size > 0; size -= 1)
      sums[size] = (sums[size] ?? 0) + (sums[size - 1] ?? 0) * share
  }
  const orders = length === 3 ? 2 : 6
  return orders * (sums[length] ?? 0)
}
