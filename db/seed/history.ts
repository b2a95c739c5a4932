// The last ninety days of the demo club, played once by its own rules with random that always fall alike.
// Times are minutes before (negative) the moment of the seed. What anna, ben and the others of the named cast
// have under way is written down, not diced.
import { makeRandom } from './random.ts'
import { minimumUseMinutes } from '#contract/reviews.ts'
import { purchaseHours, reviewHours } from '#contract/matching.ts'
import type { DeclineReason } from '#contract/matching.ts'
import { members } from './cast.ts'
import type { CastMember } from './cast.ts'
import { products } from './products.ts'
import type { SeedProduct } from './products.ts'
import { reviewTexts } from './review-texts.ts'
import type { SeedReview } from './review-texts.ts'

export type PastOffer = {
  reviewer: string
  offeredAt: number
  expiresAt: number
  respondedAt: number
  state: 'accepted' | 'declined' | 'expired'
  reason: DeclineReason | null
  /** The minutes of cooldown that a decline brought. */
  cooldown: number
}

export type PastReview = {
  reviewer: string
  status: 'pending' | 'purchased' | 'reviewed' | 'verified' | 'lapsed'
  acceptedAt: number
  purchasedAt: number | null
  usableFrom: number | null
  submittedAt: number | null
  verifiedAt: number | null
  verifiedBy: 'seller' | 'time' | 'staff' | null
  lapsedAt: number | null
  text: SeedReview | null
  draft: string | null
}

export type PastRequest = {
  product: SeedProduct
  status: 'queued' | 'in_review' | 'completed' | 'cancelled' | 'lapsed'
  createdAt: number
  /** Its place in the queue: a successor has that of the request that lapsed. */
  placeAt: number
  closedAt: number | null
  offers: PastOffer[]
  review: PastReview | null
  /** The lapsed request whose place and ticket this one took over. */
  follows: PastRequest | null
}

export type History = {
  joinedAt: Map<string, number>
  listedAt: Map<string, number>
  requests: PastRequest[]
  pausedFrom: number
  pausedUntil: number
}

const hour = 60
const day = 24 * hour
const begins = -89 * day

/** From here on the random leave those alone whose standing at the end is written down. */
const heldFrom = -16 * day
const settledAt = -7 * day

/**
 * The balances that the named cast, and those who have something under way with them, have before the last
 * days.
 */
const endBalances: Record<string, number> = {
  anna: 1,
  ben: 0,
  clara: -1,
  dario: 0,
  elif: 0,
  finn: 0,
  mireille: 0,
  'priya-draws': 0,
  hugo: 0,
  vilde: 0,
}

/** What is under way with anna and ben when the demo begins. Documents and journeys name these. */
const underWay: {
  product: string
  reviewer: string
  askedAt: number
  steps: Partial<Steps>
  draft?: string
}[] = [
  {
    product: 'pressed-meadow',
    reviewer: 'anna',
    askedAt: -43 * hour,
    steps: { acceptedAt: -40 * hour, purchasedAt: -31 * hour },
    draft:
      'I printed four of the sheets as cards for my aunt, who knows her wildflowers and found nothing to correct. The paper colour is part of the file,',
  },
  { product: 'monsoon-patterns', reviewer: 'ben', askedAt: -23 * hour, steps: { acceptedAt: -21 * hour } },
  {
    product: 'wedding-budget',
    reviewer: 'hugo',
    askedAt: -54 * hour,
    steps: { acceptedAt: -50 * hour, purchasedAt: -41 * hour, submittedAt: -5 * hour },
  },
  {
    product: 'price-it',
    reviewer: 'vilde',
    askedAt: -61 * hour,
    steps: { acceptedAt: -58 * hour, purchasedAt: -33 * hour, submittedAt: -9 * hour },
  },
]

/** Anna has never asked for a review of this one, so that its card offers it. */
const neverAsked = 'price-your-work'

/** Texts that the random leave for what is written down. */
const keptTexts: Record<string, number> = {
  ...Object.fromEntries(underWay.map(({ product }) => [product, 1])),
  'stitch-count': 1,
  'quiet-inbox': 1,
  'five-stitched-books': 1,
  'window-loops': 1,
}

/** Pairs that meet in what is written down, and so not before. */
const promised = [
  ['anna', 'mireille'],
  ['ben', 'priya-draws'],
  ['hugo', 'anna'],
  ['vilde', 'ben'],
] as const

type Steps = {
  acceptedAt: number
  purchasedAt: number
  submittedAt: number
  verifiedAt: number
  verifiedBy: 'seller' | 'time' | 'staff'
}

type State = {
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

type Action = { at: number; order: number; run: () => void }

/**
 * Plays the ninety days. `minutesToday` is how much of the UTC day has passed, at least one: dario's three
 * declines are all of today. The same every time but for those.
 */
export function playHistory({ minutesToday }: { minutesToday: number }): History {
  const random = makeRandom(20_261_121)
  const joinedAt = new Map(members.map(({ username }, place) => [username, joinOf(username, place)]))
  const listedAt = listTimes(joinedAt, random)
  const states = new Map(members.map((member) => [member.username, newState(member, joinedAt)]))
  const texts = new Map(
    products.map(({ slug }) => [slug, reviewTexts.filter((text) => text.product === slug)]),
  )
  const requests: PastRequest[] = []
  const actions: Action[] = []
  let count = 0

  const stateOf = (username: string) => found(states.get(username))
  const later = (at: number, run: () => void) =>
    void (at <= 0 && actions.push({ at, order: (count += 1), run }))
  const between = (from: number, to: number) => from + random() * (to - from)
  const isHeld = (username: string, at: number) => username in endBalances && at > heldFrom

  for (const [one, other] of promised) meet(stateOf(one), stateOf(other))

  function mayAsk(seller: State) {
    return seller.balance - seller.take - seller.open >= 0
  }

  function canBeAsked(product: SeedProduct, at: number, kept = keptTexts[product.slug] ?? 0) {
    const open = requests.some(
      (one) => one.product === product && ['queued', 'in_review'].includes(one.status),
    )
    const left = (texts.get(product.slug)?.length ?? 0) - kept
    return product.slug !== neverAsked && !open && left > 0 && found(listedAt.get(product.slug)) < at - hour
  }

  function ask(at: number, product: SeedProduct, follows: PastRequest | null = null): PastRequest {
    const placeAt = follows?.placeAt ?? at
    const request: PastRequest = {
      product,
      status: 'queued',
      createdAt: at,
      placeAt,
      closedAt: null,
      offers: [],
      review: null,
      follows,
    }
    requests.push(request)
    stateOf(product.seller).open += 1
    return request
  }

  function askSomething(at: number) {
    const able = products.filter(({ seller }) => mayAsk(stateOf(seller)) && !isHeld(seller, at))
    const asked = pick(
      able.filter((product) => canBeAsked(product, at)),
      ({ seller, slug }) => (stateOf(seller).balance > 0 ? 4 : 1) * (texts.get(slug)?.length ?? 0),
    )
    if (!asked) return
    const request = ask(at, asked)
    if (random() < 0.02) later(at + between(hour, 4 * hour), () => cancel(request, at + 2 * hour))
    later(at + 4 + 6 * hour * random() ** 2, () => draw(request, at))
  }

  function cancel(request: PastRequest, at: number) {
    if (request.status !== 'queued' || request.offers.some((offer) => offer.respondedAt > at)) return
    Object.assign(request, { status: 'cancelled', closedAt: at })
    stateOf(request.product.seller).open -= 1
  }

  function draw(request: PastRequest, askedAt: number) {
    if (request.status !== 'queued') return
    const at = Math.max(askedAt + 2, now)
    const seller = stateOf(request.product.seller)
    const able = [...states.values()].filter((one) => mayBeAsked(one, seller, request, at))
    const lowest = Math.min(...able.map(bandOf))
    const drawn = pick(
      able.filter((one) => bandOf(one) === lowest),
      ({ member }) => visits[member.temperament],
    )
    if (!drawn) return later(at + 2 * hour, () => draw(request, at))
    const luck = random()
    if (luck < 0.05) expire(request, drawn, at)
    else if (luck < 0.15 && at - drawn.declinedAt > 2 * day) decline(request, drawn, at)
    else accept(request, drawn, at)
  }

  function mayBeAsked(one: State, seller: State, request: PastRequest, at: number) {
    return (
      one !== seller &&
      one.joinedAt < at - day &&
      !isHeld(one.member.username, at) &&
      one.balance + one.give < 1 &&
      one.busyUntil < at &&
      at - one.acceptedAt > 20 * hour &&
      !one.met.has(seller.member.username) &&
      !requests.some(
        (past) =>
          past.product === request.product &&
          past.offers.some(({ reviewer }) => reviewer === one.member.username),
      )
    )
  }

  function expire(request: PastRequest, drawn: State, at: number) {
    const end = at + 12 * hour
    if (end > -hour) return accept(request, drawn, at)
    drawn.busyUntil = end
    const reviewer = drawn.member.username
    later(end, () => {
      request.offers.push({
        reviewer,
        offeredAt: at,
        expiresAt: end,
        respondedAt: end + 0.5,
        state: 'expired',
        reason: null,
        cooldown: 0,
      })
      later(end + between(5, 2 * hour), () => draw(request, end))
    })
  }

  function decline(request: PastRequest, drawn: State, at: number) {
    drawn.declinedAt = at
    const reasons: DeclineReason[] = [
      'busy',
      'not_relevant',
      'similar',
      'already_own',
      'other',
      'cannot_use_format',
    ]
    const reason = reasons[Math.floor(random() * reasons.length)] ?? 'busy'
    request.offers.push(answered(drawn.member.username, at, thinkingTime(request, at), 'declined', reason))
    later(at + between(5, 2 * hour), () => draw(request, at))
  }

  function accept(request: PastRequest, drawn: State, at: number, fixed?: Partial<Steps>, draft?: string) {
    const seller = stateOf(request.product.seller)
    request.offers.push(answered(drawn.member.username, at, thinkingTime(request, at), 'accepted', null))
    request.status = 'in_review'
    const review: PastReview = {
      reviewer: drawn.member.username,
      status: 'pending',
      acceptedAt: at,
      purchasedAt: null,
      usableFrom: null,
      submittedAt: null,
      verifiedAt: null,
      verifiedBy: null,
      lapsedAt: null,
      text: null,
      draft: draft ?? null,
    }
    request.review = review
    drawn.acceptedAt = at
    drawn.give += 1
    seller.open -= 1
    seller.take += 1
    meet(drawn, seller)
    const missed = !fixed && drawn.member.temperament === 'quiet' && at < -20 * day && random() < 0.12
    if (missed)
      return later(at + reviewHours * hour + 3, () => lapse(request, review, at + reviewHours * hour + 3))
    const steps = fixed ?? stepsFrom(at, request.product, drawn.member)
    if (steps.purchasedAt !== undefined) buy(request, review, steps.purchasedAt, steps)
  }

  /** An offer is made after the request and after the offer before it. */
  function thinkingTime({ createdAt, offers }: PastRequest, at: number) {
    return Math.min(
      between(1, 22),
      (at - Math.max(createdAt, ...offers.map(({ respondedAt }) => respondedAt))) / 2,
    )
  }

  function stepsFrom(at: number, { category }: SeedProduct, { temperament }: CastMember): Steps {
    const pace = { keen: 0.5, regular: 1, casual: 1.3, quiet: 1.5 }[temperament]
    const purchasedAt = at + Math.min(pace * between(0.3 * hour, 40 * hour), (purchaseHours - 1) * hour)
    const usable = purchasedAt + (minimumUseMinutes[category] ?? 10)
    const submittedAt = Math.min(usable + pace * between(hour, 50 * hour), at + (reviewHours - 4) * hour)
    const who = random()
    if (who < 0.14)
      return {
        acceptedAt: at,
        purchasedAt,
        submittedAt,
        verifiedAt: submittedAt + 72 * hour + 1,
        verifiedBy: 'time',
      }
    const verifiedAt = submittedAt + between(0.5 * hour, 34 * hour)
    return {
      acceptedAt: at,
      purchasedAt,
      submittedAt,
      verifiedAt,
      verifiedBy: who < 0.18 ? 'staff' : 'seller',
    }
  }

  function buy(request: PastRequest, review: PastReview, at: number, steps: Partial<Steps>) {
    later(at, () => {
      const usableFrom = at + (minimumUseMinutes[request.product.category] ?? 10)
      Object.assign(review, { status: 'purchased', purchasedAt: at, usableFrom })
      if (steps.submittedAt === undefined) return
      const submittedAt = Math.max(steps.submittedAt, usableFrom + 5)
      later(submittedAt, () => submit(request, review, submittedAt, steps))
    })
  }

  function submit(request: PastRequest, review: PastReview, at: number, steps: Partial<Steps>) {
    const text = found(texts.get(request.product.slug)?.shift())
    Object.assign(review, { status: 'reviewed', submittedAt: at, text, draft: null })
    const { verifiedAt, verifiedBy = 'seller' } = steps
    if (verifiedAt === undefined) return
    later(verifiedAt, () => {
      Object.assign(review, { status: 'verified', verifiedAt, verifiedBy })
      Object.assign(request, { status: 'completed', closedAt: null })
      settle(request, review, 1)
    })
  }

  function lapse(request: PastRequest, review: PastReview, at: number) {
    Object.assign(review, { status: 'lapsed', lapsedAt: at })
    Object.assign(request, { status: 'lapsed', closedAt: at })
    settle(request, review, 0)
    const next = ask(at, request.product, request)
    later(at + between(10, 3 * hour), () => draw(next, at))
  }

  function settle(request: PastRequest, { reviewer }: PastReview, moved: 0 | 1) {
    const giver = stateOf(reviewer)
    const receiver = stateOf(request.product.seller)
    giver.give -= 1
    giver.balance += moved
    receiver.take -= 1
    receiver.balance -= moved
  }

  /** Lets a member give or receive, quickly, until they stand where they have to. */
  function levelOut(username: string, at: number) {
    const one = stateOf(username)
    const missing = (endBalances[username] ?? 0) - one.balance - one.give + one.take
    if (missing === 0 || at > -3.5 * day) return
    if (missing > 0) giveOne(one, at)
    else receiveOne(one, at)
    later(at + 1.9 * day, () => levelOut(username, at + 1.9 * day))
  }

  function giveOne(one: State, at: number) {
    const able = products.filter(
      ({ seller, category }) =>
        category !== 'course' && !(seller in endBalances) && mayAsk(stateOf(seller)) && !one.met.has(seller),
    )
    const product = pick(
      able.filter((each) => canBeAsked(each, at)),
      () => 1,
    )
    if (product) exchange(product, one, at)
  }

  function receiveOne(one: State, at: number) {
    const product = products.find(
      (each) => each.seller === one.member.username && canBeAsked(each, at, isUnderWay(each.slug) ? 1 : 0),
    )
    const able = [...states.values()].filter(
      (each) =>
        each.balance + each.give < 1 &&
        at - each.acceptedAt > 20 * hour &&
        each.busyUntil < at &&
        !(each.member.username in endBalances) &&
        !each.met.has(one.member.username),
    )
    const reviewer = pick(able, () => 1)
    if (product && reviewer && mayAsk(one)) exchange(product, reviewer, at)
  }

  function exchange(product: SeedProduct, reviewer: State, at: number) {
    const request = ask(at, product)
    const acceptedAt = at + 1.5 * hour
    const purchasedAt = acceptedAt + 4 * hour
    const submittedAt = purchasedAt + (product.category === 'course' ? 25 * hour : 9 * hour)
    const steps: Steps = {
      acceptedAt,
      purchasedAt,
      submittedAt,
      verifiedAt: submittedAt + 6 * hour,
      verifiedBy: 'seller',
    }
    later(acceptedAt, () => accept(request, reviewer, acceptedAt, steps))
  }

  // The club grows, and so does the number of those who ask.
  for (let at = begins; at < -6 * hour; at += between(0.4, 1.6) * (0.47 - (at / begins) * -0.38) * day) {
    const asked = at
    later(asked, () => askSomething(asked))
  }
  for (const username of Object.keys(endBalances)) later(settledAt, () => levelOut(username, settledAt))
  for (const { product: slug, reviewer, askedAt, steps, draft } of underWay) {
    const product = found(products.find((one) => one.slug === slug))
    later(askedAt, () => {
      const request = ask(askedAt, product)
      const { acceptedAt = askedAt } = steps
      later(acceptedAt, () => accept(request, stateOf(reviewer), acceptedAt, steps, draft))
    })
  }
  // These wait when the demo begins; dario has turned the first three of them down.
  const waiting: PastRequest[] = []
  for (const at of [-5.6 * hour, -5 * hour, -4.4 * hour, -41]) {
    later(at, () => {
      const able = products.filter(({ seller }) => mayAsk(stateOf(seller)) && !(seller in endBalances))
      const free = able.filter(
        (product) =>
          !requests.some((one) => one.product === product && ['queued', 'in_review'].includes(one.status)),
      )
      const product = pick(free, ({ seller }) =>
        stateOf(seller).met.has('dario') ? 0 : stateOf(seller).balance > 0 ? 4 : 1,
      )
      if (product) waiting.push(ask(at, product))
    })
  }

  let now = begins
  for (let action = takeNext(actions); action; action = takeNext(actions)) {
    now = action.at
    action.run()
  }
  turnDownThree(waiting, Math.max(minutesToday, 1))
  return { joinedAt, listedAt, requests, pausedFrom: -26 * hour, pausedUntil: 9 * day }

  function pick<T>(from: T[], weigh: (one: T) => number): T | undefined {
    let left = random() * from.reduce((sum, one) => sum + weigh(one), 0)
    return from.find((one) => (left -= weigh(one)) < 0)
  }
}

/**
 * Dario declines three times today, the last time a little while ago, so that he is on cooldown: 0, then 30,
 * then 120 minutes.
 */
function turnDownThree(waiting: PastRequest[], minutesToday: number) {
  const third = -Math.min(20, 0.3 * minutesToday)
  const second = third - Math.min(45, 0.25 * minutesToday)
  const first = second - Math.min(120, 0.25 * minutesToday)
  const reasons: DeclineReason[] = ['busy', 'not_relevant', 'busy']
  for (const [nth, at] of [first, second, third].entries()) {
    const offer = answered('dario', at, Math.min(4, 0.05 * minutesToday), 'declined', reasons[nth] ?? 'busy')
    waiting[nth]?.offers.push({ ...offer, cooldown: [0, 30, 120][nth] ?? 0 })
  }
}

function answered(
  reviewer: string,
  at: number,
  thinking: number,
  state: 'accepted' | 'declined',
  reason: DeclineReason | null,
): PastOffer {
  const offeredAt = at - thinking
  return { reviewer, offeredAt, expiresAt: offeredAt + 30, respondedAt: at, state, reason, cooldown: 0 }
}

/** How much more often some are at hand than others. */
const visits = { keen: 4, regular: 3, casual: 2, quiet: 1 }

/** As in the rotation: who owes comes first. */
function bandOf({ balance, give, take, open }: State) {
  return balance + give - take - open
}

function isUnderWay(slug: string) {
  return underWay.some(({ product }) => product === slug)
}

function meet(one: State, other: State) {
  one.met.add(other.member.username)
  other.met.add(one.member.username)
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

function takeNext(actions: Action[]) {
  if (actions.length === 0) return undefined
  actions.sort((one, other) => other.at - one.at || other.order - one.order)
  return actions.pop()
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The demo names something that is not there.')
  return value
}
