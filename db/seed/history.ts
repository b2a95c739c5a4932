// The last ninety days of the demo club, played once by its own rules with random numbers that are the same
// every time. What the named cast has under way at the end is written down in fixed-scenes.ts.
import type { DeclineReason } from '#contract/matching-rules.ts'
import { endBalances, settledAt, underWay } from './fixed-scenes.ts'
import { answered, day, hour } from './past.ts'
import type { PastRequest } from './past.ts'
import { products } from './products.ts'
import { levelOut } from './settling.ts'
import { between, found, mayAsk, newClub, pick, stateOf } from './simulated-club.ts'
import type { Club } from './simulated-club.ts'
import { accept, ask, askSomething } from './simulated-requests.ts'
import { later, play } from './timeline.ts'

export type History = {
  joinedAt: Map<string, number>
  listedAt: Map<string, number>
  requests: PastRequest[]
  pausedFrom: number
  pausedUntil: number
}

const begins = -89 * day

/**
 * Plays the ninety days. `minutesToday` is how much of the UTC day has passed: dario's three declines are all
 * of one day. The same every time but for those.
 */
export function playHistory({ minutesToday }: { minutesToday: number }): History {
  const club = newClub(begins)
  planRequests(club)
  for (const username of Object.keys(endBalances)) {
    later(club.timeline, settledAt, () => levelOut(club, username, settledAt))
  }
  planFixedScenes(club)
  const waiting = planWaiting(club)
  play(club.timeline)
  turnDownThree(waiting, minutesToday)
  const { joinedAt, listedAt, requests } = club
  return { joinedAt, listedAt, requests, pausedFrom: -26 * hour, pausedUntil: 9 * day }
}

/** The club grows, and so does the number of those who ask. */
function planRequests(club: Club) {
  for (
    let at = begins;
    at < -6 * hour;
    at += between(club, 0.4, 1.6) * (0.47 - (at / begins) * -0.38) * day
  ) {
    const asked = at
    later(club.timeline, asked, () => askSomething(club, asked))
  }
}

function planFixedScenes(club: Club) {
  for (const { product: slug, reviewer, askedAt, steps, draft } of underWay) {
    const product = found(products.find((one) => one.slug === slug))
    later(club.timeline, askedAt, () => {
      const request = ask(club, askedAt, product)
      const { acceptedAt = askedAt } = steps
      later(club.timeline, acceptedAt, () =>
        accept(club, request, stateOf(club, reviewer), acceptedAt, steps, draft),
      )
    })
  }
}

/** Four requests that wait when the demo begins; dario has turned the first three of them down. */
function planWaiting(club: Club): PastRequest[] {
  const waiting: PastRequest[] = []
  for (const at of [-5.6 * hour, -5 * hour, -4.4 * hour, -41]) {
    later(club.timeline, at, () => {
      const product = pick(club, productsToAskFor(club), ({ seller }) => {
        const state = stateOf(club, seller)
        if (state.met.has('dario')) return 0
        return state.balance > 0 ? 4 : 1
      })
      if (product) waiting.push(ask(club, at, product))
    })
  }
  return waiting
}

/** Products outside the fixed scenes whose sellers may ask, and that have no request under way. */
function productsToAskFor(club: Club) {
  const able = products.filter(({ seller }) => mayAsk(stateOf(club, seller)) && !(seller in endBalances))
  return able.filter(
    (product) =>
      !club.requests.some((one) => one.product === product && ['queued', 'in_review'].includes(one.status)),
  )
}

/**
 * Dario declines three times today, the last time a little while ago, so that he is on cooldown: 0, then 30,
 * then 120 minutes. In the first minute of a day, all three are of the day before: the minutes count by day.
 */
function turnDownThree(waiting: PastRequest[], minutesToday: number) {
  const isNewDay = minutesToday < 1
  const ended = isNewDay ? -minutesToday : 0
  const length = isNewDay ? 60 : minutesToday
  const third = ended - Math.min(20, 0.3 * length)
  const second = third - Math.min(45, 0.25 * length)
  const first = second - Math.min(120, 0.25 * length)
  const reasons: DeclineReason[] = ['busy', 'not_relevant', 'busy']
  for (const [nth, at] of [first, second, third].entries()) {
    const offer = answered('dario', at, Math.min(4, 0.05 * length), 'declined', reasons[nth] ?? 'busy')
    waiting[nth]?.offers.push({ ...offer, cooldown: [0, 30, 120][nth] ?? 0 })
  }
}
