import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whyOfferWaits } from './offer-manners.ts'
import type { Surroundings } from './offer-manners.ts'

const noon = Date.parse('2026-11-22T12:00:00Z')

/** Nothing speaks against opening the offer. */
const calm: Surroundings = {
  offer: { setAside: false, quietUntil: null, newcomer: false },
  now: noon,
  closedHere: false,
  dashboardSeconds: 0,
  hidden: false,
  occupied: false,
  sincePress: 60_000,
  pointerInTheWay: false,
}

const anything = fc.record<Surroundings>({
  offer: fc.record({
    setAside: fc.boolean(),
    quietUntil: fc.option(fc.integer({ min: -60, max: 60 }).map((seconds) => at(seconds))),
    newcomer: fc.boolean(),
  }),
  now: fc.constant(noon),
  closedHere: fc.boolean(),
  dashboardSeconds: fc.integer({ min: 0, max: 90 }),
  hidden: fc.boolean(),
  occupied: fc.boolean(),
  sincePress: fc.integer({ min: 0, max: 5_000 }),
  pointerInTheWay: fc.boolean(),
})

function at(seconds: number): string {
  return new Date(noon + seconds * 1_000).toISOString()
}

test('an offer that was closed never opens by itself, whatever else is true', () => {
  fc.assert(
    fc.property(anything, fc.boolean(), (here, onServer) => {
      const closed = onServer
        ? { ...here, offer: { ...here.offer, setAside: true } }
        : { ...here, closedHere: true }
      expect(whyOfferWaits(closed)).toBe('closed')
    }),
  )
})

test('an offer opens only when nothing speaks against it', () => {
  fc.assert(
    fc.property(anything, (here) => {
      const { offer } = here
      const may =
        !offer.setAside &&
        !here.closedHere &&
        (offer.quietUntil === null || Date.parse(offer.quietUntil) <= noon) &&
        (!offer.newcomer || here.dashboardSeconds >= 60) &&
        !here.hidden &&
        !here.occupied &&
        here.sincePress >= 1_000 &&
        !here.pointerInTheWay
      expect(whyOfferWaits(here) === null).toBe(may)
    }),
  )
})

test.each<[string, Partial<Surroundings>, ReturnType<typeof whyOfferWaits>]>([
  ['at once', {}, null],
  ['29 seconds after an answer', { offer: { ...calm.offer, quietUntil: at(1) } }, 'answered'],
  ['30 seconds after an answer', { offer: { ...calm.offer, quietUntil: at(0) } }, null],
  ['for a newcomer', { offer: { ...calm.offer, newcomer: true }, dashboardSeconds: 59 }, 'newcomer'],
  ['after a minute', { offer: { ...calm.offer, newcomer: true }, dashboardSeconds: 60 }, null],
  ['in another tab', { hidden: true }, 'hidden'],
  ['over a half-typed form', { occupied: true }, 'occupied'],
  ['while a key is pressed', { sincePress: 10 }, 'pressing'],
  ['under a resting pointer', { pointerInTheWay: true }, 'pointer'],
])('an offer %s', (_, here, waits) => {
  expect(whyOfferWaits({ ...calm, ...here })).toBe(waits)
})
