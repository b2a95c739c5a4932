import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playHistory } from './history.ts'
import type { History } from './history.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const history = playHistory({ minutesToday: 600 })

function exchanges({ requests }: History) {
  return requests.flatMap(({ review, product }) => (review ? [{ ...review, product }] : []))
}

describe('the history of the demo club', () => {
  test('is the same every time', () => {
    expect(playHistory({ minutesToday: 600 })).toEqual(history)
  })

  test('lets no pair meet twice and no member review their own product', () => {
    const pairs = exchanges(history)
      .filter(({ status }) => status !== 'lapsed')
      .map(({ reviewer, product: { seller } }) => [reviewer, seller].toSorted().join(' '))
    expect(new Set(pairs).size).toBe(pairs.length)
    expect(exchanges(history).filter(({ reviewer, product }) => reviewer === product.seller)).toEqual([])
  })

  test('uses each text once, for the product that it is about', () => {
    const written = exchanges(history).filter(({ text }) => text !== null)
    expect(new Set(written.map(({ text }) => text)).size).toBe(written.length)
    expect(written.filter(({ text, product }) => text?.product !== product.slug)).toEqual([])
  })

  test('has no member accept twice within 20 hours, so that no cap of a day is near', () => {
    const last = new Map<string, number>()
    for (const { reviewer, acceptedAt } of exchanges(history).toSorted(
      (a, b) => a.acceptedAt - b.acceptedAt,
    )) {
      expect(acceptedAt - (last.get(reviewer) ?? -Infinity)).toBeGreaterThan(20 * 60)
      last.set(reviewer, acceptedAt)
    }
  })

  test('goes forward: asked, offered, answered, bought, handed in, final, nothing in the future', () => {
    for (const { createdAt, offers, review } of history.requests) {
      const steps = [createdAt, ...offers.flatMap((offer) => [offer.offeredAt, offer.respondedAt])]
      if (review) steps.push(review.acceptedAt, review.purchasedAt ?? review.acceptedAt)
      if (review?.submittedAt) steps.push(review.submittedAt, review.verifiedAt ?? review.submittedAt)
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      expect(Math.max(...steps)).toBeLessThanOrEqual(0)
    }
  })

  test('puts dario’s three declines into one day, whatever the hour of the seed', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1440, noNaN: true }), (minutesToday) => {
        const { requests } = playHistory({ minutesToday })
        const today = requests.flatMap(({ offers }) =>
          offers.filter(
            ({ reviewer, cooldown, respondedAt }) =>
              reviewer === 'dario' && (cooldown > 0 || respondedAt > -400),
          ),
        )
        const declined = today.toSorted((a, b) => a.respondedAt - b.respondedAt)
        expect(declined.map(({ cooldown }) => cooldown)).toEqual([0, 30, 120])
        const days = declined.map(({ respondedAt }) => Math.floor((minutesToday + respondedAt) / 1440))
        expect(new Set(days)).toEqual(new Set([minutesToday < 1 ? -1 : 0]))
        expect(declined[2]?.respondedAt).toBeGreaterThan(-120)
      }),
      { numRuns: 20, examples: [[0], [0.5], [1]] },
    )
  })
})
