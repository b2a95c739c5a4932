// Requests of the simulated club and the offers of them, by the rules of the rotation: who owes comes
// first, a pair meets once, no member reviews their own product.
import { reviewHours } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { isHeld, keptTexts, neverAsked } from './fixed-scenes.ts'
import { answered, day, hour } from './past.ts'
import type { PastRequest, PastReview, Steps } from './past.ts'
import { products } from './products.ts'
import type { SeedProduct } from './products.ts'
import { bandOf, between, found, mayAsk, meet, pick, settle, stateOf } from './simulated-club.ts'
import type { Club, State } from './simulated-club.ts'
import { buy, stepsFrom } from './simulated-reviews.ts'
import { later } from './timeline.ts'

export function canBeAsked(
  club: Club,
  product: SeedProduct,
  at: number,
  kept = keptTexts[product.slug] ?? 0,
) {
  const open = club.requests.some(
    (one) => one.product === product && ['queued', 'in_review'].includes(one.status),
  )
  const left = (club.texts.get(product.slug)?.length ?? 0) - kept
  return (
    product.slug !== neverAsked && !open && left > 0 && found(club.listedAt.get(product.slug)) < at - hour
  )
}

export function ask(
  club: Club,
  at: number,
  product: SeedProduct,
  follows: PastRequest | null = null,
): PastRequest {
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
  club.requests.push(request)
  stateOf(club, product.seller).open += 1
  return request
}

export function askSomething(club: Club, at: number) {
  const able = products.filter(({ seller }) => mayAsk(stateOf(club, seller)) && !isHeld(seller, at))
  const asked = pick(
    club,
    able.filter((product) => canBeAsked(club, product, at)),
    ({ seller, slug }) => (stateOf(club, seller).balance > 0 ? 4 : 1) * (club.texts.get(slug)?.length ?? 0),
  )
  if (!asked) return
  const request = ask(club, at, asked)
  if (club.random() < 0.02)
    later(club.timeline, at + between(club, hour, 4 * hour), () => cancel(club, request, at + 2 * hour))
  later(club.timeline, at + 4 + 6 * hour * club.random() ** 2, () => draw(club, request, at))
}

export function accept(
  club: Club,
  request: PastRequest,
  drawn: State,
  at: number,
  fixed?: Partial<Steps>,
  draft?: string,
) {
  const seller = stateOf(club, request.product.seller)
  request.offers.push(answered(drawn.member.username, at, thinkingTime(club, request, at), 'accepted', null))
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
  const missed = !fixed && drawn.member.temperament === 'quiet' && at < -20 * day && club.random() < 0.12
  if (missed)
    return later(club.timeline, at + reviewHours * hour + 3, () =>
      lapse(club, request, review, at + reviewHours * hour + 3),
    )
  const steps = fixed ?? stepsFrom(club, at, request.product, drawn.member)
  if (steps.purchasedAt !== undefined) buy(club, request, review, steps.purchasedAt, steps)
}

function cancel(club: Club, request: PastRequest, at: number) {
  if (request.status !== 'queued' || request.offers.some((offer) => offer.respondedAt > at)) return
  Object.assign(request, { status: 'cancelled', closedAt: at })
  stateOf(club, request.product.seller).open -= 1
}

function draw(club: Club, request: PastRequest, askedAt: number) {
  if (request.status !== 'queued') return
  const at = Math.max(askedAt + 2, club.timeline.now)
  const seller = stateOf(club, request.product.seller)
  const able = [...club.states.values()].filter((one) => mayBeAsked(club, one, seller, request, at))
  const lowest = Math.min(...able.map(bandOf))
  const drawn = pick(
    club,
    able.filter((one) => bandOf(one) === lowest),
    ({ member }) => visits[member.temperament],
  )
  if (!drawn) return later(club.timeline, at + 2 * hour, () => draw(club, request, at))
  const luck = club.random()
  if (luck < 0.05) expire(club, request, drawn, at)
  else if (luck < 0.15 && at - drawn.declinedAt > 2 * day) decline(club, request, drawn, at)
  else accept(club, request, drawn, at)
}

function mayBeAsked(club: Club, one: State, seller: State, request: PastRequest, at: number) {
  return (
    one !== seller &&
    one.joinedAt < at - day &&
    !isHeld(one.member.username, at) &&
    one.balance + one.give < 1 &&
    one.busyUntil < at &&
    at - one.acceptedAt > 20 * hour &&
    !one.met.has(seller.member.username) &&
    !club.requests.some(
      (past) =>
        past.product === request.product &&
        past.offers.some(({ reviewer }) => reviewer === one.member.username),
    )
  )
}

function expire(club: Club, request: PastRequest, drawn: State, at: number) {
  const end = at + 12 * hour
  if (end > -hour) return accept(club, request, drawn, at)
  drawn.busyUntil = end
  const reviewer = drawn.member.username
  later(club.timeline, end, () => {
    request.offers.push({
      reviewer,
      offeredAt: at,
      expiresAt: end,
      respondedAt: end + 0.5,
      state: 'expired',
      reason: null,
      cooldown: 0,
    })
    later(club.timeline, end + between(club, 5, 2 * hour), () => draw(club, request, end))
  })
}

function decline(club: Club, request: PastRequest, drawn: State, at: number) {
  drawn.declinedAt = at
  const reasons: DeclineReason[] = [
    'busy',
    'not_relevant',
    'similar',
    'already_own',
    'other',
    'cannot_use_format',
  ]
  const reason = reasons[Math.floor(club.random() * reasons.length)] ?? 'busy'
  request.offers.push(
    answered(drawn.member.username, at, thinkingTime(club, request, at), 'declined', reason),
  )
  later(club.timeline, at + between(club, 5, 2 * hour), () => draw(club, request, at))
}

function lapse(club: Club, request: PastRequest, review: PastReview, at: number) {
  Object.assign(review, { status: 'lapsed', lapsedAt: at })
  Object.assign(request, { status: 'lapsed', closedAt: at })
  settle(club, request, review, 0)
  const next = ask(club, at, request.product, request)
  later(club.timeline, at + between(club, 10, 3 * hour), () => draw(club, next, at))
}

/** An offer is made after the request and after the offer before it. */
function thinkingTime(club: Club, { createdAt, offers }: PastRequest, at: number) {
  return Math.min(
    between(club, 1, 22),
    (at - Math.max(createdAt, ...offers.map(({ respondedAt }) => respondedAt))) / 2,
  )
}

/** How much more often some are at hand than others. */
const visits = { keen: 4, regular: 3, casual: 2, quiet: 1 }
