// The figures of one journal: what the goals are about.
import { quantile } from '../measure.ts'
import type { Exchange, Journal } from './journal.ts'
import { cohorts, dayMs, honest, hourMs } from './people.ts'
import type { Kind, Person } from './people.ts'
import { randomOf, shuffled } from './random.ts'
import type { Reasons } from './reasons.ts'

export type Group = {
  kind: string
  people: number
  given: number
  received: number
  receivedPerGiven: number
  /** Reviews received for each member and week of membership. */
  receivedPerWeek: number
  waitP50: number
  /** Of the reviews received, the share that others of the same cohort wrote. */
  fromOwn: number
}

export type Figures = {
  asked: number
  exchanges: number
  perMemberAndWeek: number
  offersPerAcceptance: number
  answeredInSession: number
  wait: { p50: number; p90: number; p99: number; max: number; mean: number }
  over7Days: number
  /** Shares of members, on average of the days that count, and the share on the last of them. */
  within1: number
  within2: number
  within1AtEnd: number
  /** The largest balance on any of those days. */
  largest: number
  gini: number
  reverseInWindow: number
  repeatedInWindow: number
  /** The same within 28 and within all days. */
  reverseIn28Days: number
  reverseEver: number
  circles: number
  circlesByChance: number
  finished: number
  visits: number
  mailVisits: number
  nudges: number
  groups: Group[]
  refusals: [string, number][]
  /** The share of the honest members who are at the giving cap, on average of the days that count. */
  atCap: number
  reasons: Reasons
}

export function figuresOf(journal: Journal, only: (person: Person) => boolean = () => true): Figures {
  const { people, endsAt, countsFrom } = journal
  const chosen = new Set(people.filter(only).map(({ number }) => number))
  const asked = journal.asked.filter(({ at, seller }) => at >= countsFrom && chosen.has(seller))
  const waits = waitsOf(journal, chosen)
  const exchanges = journal.exchanges.filter(({ at, seller }) => at >= countsFrom && chosen.has(seller))
  const accepted = journal.exchanges.filter(({ at }) => at >= countsFrom).length
  const offers = journal.offers.filter(({ at }) => at >= countsFrom).length
  const ended = exchanges.filter(({ at }) => at < endsAt - 8 * dayMs)
  const memberWeeks = people
    .filter(({ number }) => chosen.has(number))
    .reduce((sum, person) => sum + weeksOf(person, countsFrom, endsAt), 0)
  const meetings = meetingsOf(journal)
  const looks = dailyBalances(journal, chosen)
  const settled = balancesOf(journal, endsAt).filter(({ person }) => chosen.has(person.number))
  return {
    asked: asked.length,
    exchanges: exchanges.length,
    perMemberAndWeek: exchanges.filter(({ verifiedAt }) => verifiedAt !== null).length / memberWeeks,
    offersPerAcceptance: offers / accepted,
    answeredInSession: journal.answeredInSession.answered / journal.answeredInSession.of,
    wait: {
      p50: quantile(waits, 0.5),
      p90: quantile(waits, 0.9),
      p99: quantile(waits, 0.99),
      max: waits.reduce((most, wait) => Math.max(most, wait), 0),
      mean: mean(waits),
    },
    over7Days: waits.filter((wait) => wait > 168).length,
    within1: mean(looks.map((balances) => shareOf(balances, (balance) => Math.abs(balance) <= 1))),
    within2: mean(looks.map((balances) => shareOf(balances, (balance) => Math.abs(balance) <= 2))),
    within1AtEnd: shareOf(settled, ({ balance }) => Math.abs(balance) <= 1),
    largest: looks.flat().reduce((most, balance) => Math.max(most, Math.abs(balance)), 0),
    gini: gini(settled.map(({ receivedPerWeek }) => receivedPerWeek)),
    ...meetings,
    ...circlesOf(journal.exchanges.filter(({ lapsedAt }) => lapsedAt === null)),
    finished: shareOf(ended, ({ verifiedAt }) => verifiedAt !== null),
    visits: journal.visits,
    mailVisits: journal.mailVisits,
    nudges: journal.nudges,
    groups: groupsOf(journal),
    refusals: [...journal.refusals].toSorted((one, other) => other[1] - one[1]),
    atCap: journal.atCap.count / journal.atCap.of,
    reasons: journal.reasons,
  }
}

/** Hours from request to acceptance without the seller's pauses. What still waits counts with its age. */
function waitsOf({ asked, endsAt, countsFrom }: Journal, sellers: ReadonlySet<number>): number[] {
  return asked
    .filter(({ at, cancelled, seller }) => at >= countsFrom && !cancelled && sellers.has(seller))
    .map(({ at, acceptedAt, heldMs, heldSince }) => {
      const held = heldMs + (heldSince === null ? 0 : endsAt - heldSince)
      return ((acceptedAt ?? endsAt) - at - held) / hourMs
    })
}

const weeksOf = ({ joinsAt, leavesAt }: Person, from: number, until: number) =>
  Math.max(0, Math.min(leavesAt, until) - Math.max(joinsAt, from)) / (7 * dayMs)

/** The balances on each day that counts. One day alone differs by chance by some members. */
function dailyBalances(journal: Journal, chosen: ReadonlySet<number>): number[][] {
  const { countsFrom, endsAt } = journal
  const days = Math.max(1, Math.round((endsAt - countsFrom) / dayMs))
  return Array.from({ length: days }, (_, day) =>
    balancesOf(journal, endsAt - day * dayMs)
      .filter(({ person }) => chosen.has(person.number))
      .map(({ balance }) => balance),
  ).filter((balances) => balances.length > 0)
}

/** Of members at this moment who have been active for 14 days. */
function balancesOf({ people, exchanges }: Journal, at: number) {
  const verified = exchanges.filter(({ verifiedAt }) => verifiedAt !== null && verifiedAt <= at)
  const given = countBy(verified, ({ reviewer }) => reviewer)
  const received = countBy(verified, ({ seller }) => seller)
  return people
    .filter(({ joinsAt, leavesAt }) => leavesAt >= at && joinsAt <= at - 14 * dayMs)
    .map((person) => {
      const got = received.get(person.number) ?? 0
      const balance = (given.get(person.number) ?? 0) - got
      return { person, balance, receivedPerWeek: got / weeksOf(person, 0, at) }
    })
}

/**
 * Pairs that met again, in the same or the other direction, before their window was over: the one in force
 * when the offer was made, which a window that grows before the answer does not take back.
 */
function meetingsOf({ exchanges, windows }: Journal) {
  const found = { reverseInWindow: 0, repeatedInWindow: 0, reverseIn28Days: 0, reverseEver: 0 }
  const before = new Map<string, Exchange[]>()
  for (const exchange of exchanges.filter(({ lapsedAt }) => lapsedAt === null)) {
    const window = windows.findLast(({ at }) => at <= exchange.offeredAt)
    const { seller, reviewer } = exchange
    const pair = [seller, reviewer].toSorted((one, other) => one - other).join()
    const earlier = before.get(pair) ?? []
    const since = (met: Exchange) => (exchange.offeredAt - (met.verifiedAt ?? exchange.offeredAt)) / dayMs
    const inside = (days: number | null | undefined) => (met: Exchange) => since(met) < (days ?? Infinity)
    const reversed = earlier.filter((met) => met.seller === reviewer)
    const repeated = earlier.filter((met) => met.seller === seller)
    // The rule is about changing sides: the window counts from the pair's last meeting.
    const last = earlier.at(-1)
    if (last && reversed.includes(last) && inside(window?.reverse)(last)) found.reverseInWindow += 1
    if (repeated.some(inside(window?.same))) found.repeatedInWindow += 1
    if (reversed.some(inside(28))) found.reverseIn28Days += 1
    if (reversed.length > 0) found.reverseEver += 1
    before.set(pair, [...earlier, exchange])
  }
  return found
}

const shuffles = 10

/** Circles of three members, and how many there are when chance deals the sellers. */
function circlesOf(exchanges: Exchange[]) {
  const sellers = exchanges.map(({ seller }) => seller)
  const random = randomOf('circles')
  const byChance = Array.from({ length: shuffles }, () => countCircles(exchanges, shuffled(random, sellers)))
  return { circles: countCircles(exchanges, sellers), circlesByChance: mean(byChance) }
}

function countCircles(exchanges: Exchange[], sellers: number[]) {
  const reviewedBy = new Map<number, Set<number>>()
  for (const [at, { reviewer }] of exchanges.entries()) {
    const seller = sellers[at] ?? reviewer
    if (seller === reviewer) continue
    reviewedBy.set(reviewer, (reviewedBy.get(reviewer) ?? new Set()).add(seller))
  }
  let corners = 0
  for (const [one, others] of reviewedBy) {
    for (const two of others) {
      for (const three of reviewedBy.get(two) ?? []) {
        if (three !== one && reviewedBy.get(three)?.has(one)) corners += 1
      }
    }
  }
  return corners / 3
}

function groupsOf(journal: Journal): Group[] {
  const { people, exchanges, endsAt, countsFrom } = journal
  const kindOf = new Map(people.map(({ number, kind }) => [number, kind]))
  const counted = exchanges.filter(({ at, verifiedAt }) => at >= countsFrom && verifiedAt !== null)
  const groups: [string, readonly Kind[]][] = [
    ['all honest', honest],
    ...[...honest, ...cohorts].map((kind): [string, readonly Kind[]] => [kind, [kind]]),
  ]
  return groups.flatMap(([name, kinds]) => {
    const mine = people.filter(({ kind }) => kinds.includes(kind))
    if (mine.length === 0) return []
    const isMine = (number: number) => kinds.includes(kindOf.get(number) ?? 'keen')
    const given = counted.filter(({ reviewer }) => isMine(reviewer)).length
    const gotten = counted.filter(({ seller }) => isMine(seller))
    const weeks = mine.reduce((sum, person) => sum + weeksOf(person, countsFrom, endsAt), 0)
    return {
      kind: name,
      people: mine.length,
      given,
      received: gotten.length,
      receivedPerGiven: gotten.length / given,
      receivedPerWeek: gotten.length / weeks,
      waitP50: quantile(waitsOf(journal, new Set(mine.map(({ number }) => number))), 0.5),
      fromOwn: shareOf(gotten, ({ reviewer }) => isMine(reviewer)),
    }
  })
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => number) {
  const counts = new Map<number, number>()
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1)
  return counts
}

function shareOf<Item>(items: readonly Item[], is: (item: Item) => boolean) {
  return items.filter(is).length / items.length
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** 0 where all have the same, near 1 where one has everything. */
function gini(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const total = sorted.reduce((sum, value) => sum + value, 0)
  const ranked = sorted.reduce((sum, value, at) => sum + (at + 1) * value, 0)
  return (2 * ranked) / (sorted.length * total) - (sorted.length + 1) / sorted.length
}
