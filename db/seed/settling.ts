// Brings the named cast to the balances that are written down, by quick exchanges in the days before the
// last ones.
import { endBalances, isUnderWay } from './fixed-scenes.ts'
import { day, hour } from './past.ts'
import type { Steps } from './past.ts'
import { products } from './products.ts'
import type { SeedProduct } from './products.ts'
import { mayAsk, pick, stateOf } from './simulated-club.ts'
import type { Club, State } from './simulated-club.ts'
import { accept, ask, canBeAsked } from './simulated-requests.ts'
import { later } from './timeline.ts'

/** Lets a member give or receive, quickly, until they stand where they have to. */
export function levelOut(club: Club, username: string, at: number) {
  const one = stateOf(club, username)
  const missing = (endBalances[username] ?? 0) - one.balance - one.give + one.take
  if (missing === 0 || at > -3.5 * day) return
  if (missing > 0) giveOne(club, one, at)
  else receiveOne(club, one, at)
  later(club.timeline, at + 1.9 * day, () => levelOut(club, username, at + 1.9 * day))
}

function giveOne(club: Club, one: State, at: number) {
  const able = products.filter(
    ({ seller, category }) =>
      category !== 'course' &&
      !(seller in endBalances) &&
      mayAsk(stateOf(club, seller)) &&
      !one.met.has(seller),
  )
  const product = pick(
    club,
    able.filter((each) => canBeAsked(club, each, at)),
    () => 1,
  )
  if (product) exchange(club, product, one, at)
}

function receiveOne(club: Club, one: State, at: number) {
  const product = products.find(
    (each) =>
      each.seller === one.member.username && canBeAsked(club, each, at, isUnderWay(each.slug) ? 1 : 0),
  )
  const able = [...club.states.values()].filter(
    (each) =>
      each.balance + each.give < 1 &&
      at - each.acceptedAt > 20 * hour &&
      each.busyUntil < at &&
      !(each.member.username in endBalances) &&
      !each.met.has(one.member.username),
  )
  const reviewer = pick(club, able, () => 1)
  if (product && reviewer && mayAsk(one)) exchange(club, product, reviewer, at)
}

function exchange(club: Club, product: SeedProduct, reviewer: State, at: number) {
  const request = ask(club, at, product)
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
  later(club.timeline, acceptedAt, () => accept(club, request, reviewer, acceptedAt, steps))
}
