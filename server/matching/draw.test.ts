import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  betterPlaces,
  decodeWindow,
  encodeWindow,
  lotteryKey,
  lotteryValue,
  lotteryValues,
  memberNumber,
  passHash,
  slateShare,
  ticketCommitment,
  ticketSecret,
} from '#contract/draw.ts'
import type { Draw, OfferEvidence, PassHeader } from '#contract/draw.ts'
import { firstFault, withNewHashes, simulate, SLATE, withHeader } from './audit/testing.ts'
import type { Pass } from './audit/testing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the slate', () => {
  test.each([
    [0, 0.1],
    [-5 * MINUTE, 0.1],
    [30 * MINUTE, 0.2],
    [60 * MINUTE, 0.4],
    [99 * MINUTE, 0.1 * 2 ** 3.3],
    [100 * MINUTE, 1],
    [90 * 24 * HOUR, 1],
  ])('after %i ms holds %f of the club', (age, share) => {
    expect(slateShare(age, SLATE)).toBeCloseTo(share, 12)
  })
})

describe('the key and the numbers', () => {
  const daySecret = Buffer.alloc(32, 7)
  const nonce = Buffer.alloc(16, 9)

  test('the key is made of the ticket of the day and the nonce of the seller', () => {
    const secret = createHmac('sha256', daySecret).update(Buffer.from('0000000100000002', 'hex')).digest()
    expect(Buffer.from(ticketSecret(daySecret, 0x1_0000_0002n))).toEqual(secret)
    expect(Buffer.from(ticketCommitment(secret))).toEqual(createHash('sha256').update(secret).digest())
    expect(Buffer.from(lotteryKey(daySecret, 0x1_0000_0002n, nonce))).toEqual(
      createHmac('sha256', secret).update(nonce).digest(),
    )
  })

  test('a member has one number a week, unlike all others', () => {
    const numbers = new Set<string>()
    for (let member = 0; member < 50; member++) {
      for (let week = 2900; week < 2910; week++) {
        const number = memberNumber(Buffer.alloc(32, member), week)
        expect(number).toHaveLength(8)
        expect(memberNumber(Buffer.alloc(32, member), week)).toEqual(number)
        numbers.add(Buffer.from(number).toString('hex'))
      }
    }
    expect(numbers.size).toBe(500)
  })

  test('the value of a number under a key never changes: old draws must stay checkable', () => {
    const key = lotteryKey(daySecret, 1n, nonce)
    expect(lotteryValue(key, Buffer.from('0123456789abcdef', 'hex'))).toBe(GOLDEN_ONE)
    expect(lotteryValue(key, Buffer.from('fffffffffffffff0', 'hex'))).toBe(GOLDEN_TWO)
  })

  test('many values at once are the single values, in steps of 2^-48', () => {
    fc.assert(
      fc.property(bytes(32), fc.array(bytes(8), { maxLength: 20 }), (key, numbers) => {
        const values = lotteryValues(key, numbers)
        for (const [slot, number] of numbers.entries()) {
          expect(values[slot]).toBe(lotteryValue(key, number))
          expect(Number.isInteger(values[slot]! * 2 ** 48)).toBe(true)
          expect(values[slot]).toBeGreaterThanOrEqual(0)
          expect(values[slot]).toBeLessThan(1)
        }
      }),
      { seed: 1 },
    )
  })

  test('values are uniform over members, over requests, and for numbers in a row', () => {
    const key = lotteryKey(daySecret, 1n, nonce)
    const drawn = Array.from({ length: 32_000 }, (_, week) =>
      lotteryValue(key, memberNumber(daySecret, week)),
    )
    const number = memberNumber(daySecret, 1)
    const overKeys = Array.from({ length: 32_000 }, (_, ticket) =>
      lotteryValue(lotteryKey(daySecret, BigInt(ticket), nonce), number),
    )
    const inARow = Array.from({ length: 32_000 }, (_, count) => {
      const counter = Buffer.alloc(8)
      counter.writeUInt32BE(count, 4)
      return lotteryValue(key, counter)
    })
    // With 63 degrees of freedom 1 in 10,000 fair samples exceeds 113.
    for (const values of [drawn, overKeys, inARow]) expect(chiSquare(values, 64)).toBeLessThan(113)
  })

  test('a low value for one request does not mean a low value for the next', () => {
    const keys = [lotteryKey(daySecret, 1n, nonce), lotteryKey(daySecret, 2n, nonce)] as const
    const next = Array.from({ length: 32_000 }, (_, week) => {
      const number = memberNumber(daySecret, week)
      const one = lotteryValue(keys[0], number)
      const two = lotteryValue(keys[1], number)
      return (Math.floor(one * 8) * 8 + Math.floor(two * 8)) / 64
    })
    expect(chiSquare(next, 64)).toBeLessThan(113)
  })
})

test('a window is written as nine bytes a candidate and read back', () => {
  const place = fc.record({ number: bytes(8), band: fc.integer({ min: 0, max: 8 }) })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 50 }), (window) => {
      const list = encodeWindow(window)
      expect(list).toHaveLength(9 * window.length)
      expect(decodeWindow(list).map(({ number, band }) => ({ number: Buffer.from(number), band }))).toEqual(
        window,
      )
    }),
    { seed: 2 },
  )
})

test('better places are those in the slate with a lower sum of band and value; ties go by rotation', () => {
  const number = Buffer.alloc(8)
  const window = [0, 1, 1, 1, 2].map((band) => ({ number, band }))
  const values = Float64Array.of(0.9, 0.25, 0.125, 0.25, 0)
  expect(betterPlaces(window, values, 1, 3)).toEqual([0, 1, 2])
  expect(betterPlaces(window, values, 1, 1)).toEqual([0, 2])
  expect(betterPlaces(window, values, 0.5, 4)).toEqual([1, 2, 3])
})

test('the hash of a pass covers the pass before, the window, and each part of the header', () => {
  const header: PassHeader = {
    chain: 'worker-1',
    passNo: 7,
    at: new Date(1_800_000_000_000),
    phase: 0,
    requests: 3,
    candidates: 2,
    matched: 1,
    cut: { band: 2, turn: new Date(1_700_000_000_000) },
    slate: { start: 0.1, doublingMs: 1000 },
    draws: [{ slot: 1, digest: Buffer.alloc(32, 1) }],
  }
  const list = Buffer.alloc(18, 3)
  const previous = Buffer.alloc(32, 4)
  const hashes = [
    passHash(previous, header, list),
    passHash(null, header, list),
    passHash(previous, header, list.subarray(9)),
    ...[
      { chain: 'worker-2' },
      { passNo: 8 },
      { at: new Date(1_800_000_000_001) },
      { phase: 1 },
      { requests: 4 },
      { candidates: 3 },
      { matched: 2 },
      { cut: null },
      { cut: { band: 3, turn: new Date(1_700_000_000_000) } },
      { cut: { band: 2, turn: new Date(1_700_000_000_001) } },
      { slate: null },
      { slate: { start: 0.100001, doublingMs: 1000 } },
      { slate: { start: 0.1, doublingMs: 1001 } },
      { draws: [] },
      { draws: [{ slot: 0, digest: Buffer.alloc(32, 1) }] },
      { draws: [{ slot: 1, digest: Buffer.alloc(32, 2) }] },
    ].map((change) => passHash(previous, { ...header, ...change }, list)),
  ]
  expect(new Set(hashes.map((hash) => Buffer.from(hash).toString('hex'))).size).toBe(hashes.length)
})

describe('the offers of a run', () => {
  const run = simulate(300, 11)
  const offers = run.passes.flatMap((pass) => pass.offers)

  test('all verify, before the day is over and after', () => {
    expect(offers.length).toBeGreaterThan(500)
    expect(offers.some(({ draw }) => draw.skipped.length > 0)).toBe(true)
    for (const evidence of offers) {
      expect(firstFault(evidence, SLATE)).toBe(null)
      expect(firstFault({ ...evidence, day: null }, SLATE)).toBe(null)
    }
  })

  test.each<[string, (evidence: OfferEvidence) => OfferEvidence]>([
    ['a dropped candidate', dropCandidate],
    ['another winner', (evidence) => withDraw(evidence, otherWinner(evidence))],
    ['another winner at the same place', (evidence) => withDraw(evidence, { winner: Buffer.alloc(8, 1) })],
    ['another seed', (evidence) => ({ ...evidence, secret: flip(evidence.secret!) })],
    ['another seed with its own commitment', otherSeed],
    ['another nonce', (evidence) => withDraw(evidence, { nonce: flip(evidence.draw.nonce) })],
    ['another commitment', (evidence) => withDraw(evidence, { commitment: flip(evidence.draw.commitment) })],
    [
      'a shifted time of the pass',
      (evidence) => withHeader(evidence, { at: later(evidence.pass.header.at) }),
    ],
    [
      'a shifted time of the request',
      (evidence) => withDraw(evidence, { askedAt: later(evidence.draw.askedAt) }),
    ],
    ['an invented reason', (evidence) => withDraw(evidence, { skipped: [{ slot: 0, reason: 'conflict' }] })],
    ['another band', otherBand],
    ['another previous pass', otherChain],
    [
      'a draw hidden from the pass',
      (evidence) => withHeader(evidence, { draws: evidence.pass.header.draws.slice(1) }),
    ],
    ['a day that was not announced', (evidence) => withDay(evidence, { secretHash: Buffer.alloc(32) })],
    ['another ticket of the day', (evidence) => withDay(evidence, { ticket: evidence.day!.ticket + 1n })],
  ])('%s is found in every one', (_, tamper) => {
    for (const evidence of offers) expect(firstFault(tamper(evidence), SLATE)).not.toBe(null)
  })

  test('evidence with parts of the wrong size is refused', () => {
    const evidence = offers[0]!
    const short = Buffer.alloc(7)
    expect(firstFault({ ...evidence, secret: short }, SLATE)).toBe('parts')
    expect(firstFault(withDraw(evidence, { nonce: short }), SLATE)).toBe('parts')
    expect(firstFault(withDraw(evidence, { winner: short }), SLATE)).toBe('parts')
    expect(firstFault({ ...evidence, pass: { ...evidence.pass, list: short } }, SLATE)).toBe('parts')
  })

  test('each fault of a pass that was hashed again is found', () => {
    const seen = { no_one_skipped: 0, slate: 0 }
    for (const evidence of offers) {
      const key = lotteryKey(run.daySecret, evidence.day!.ticket, evidence.draw.nonce)
      const window = decodeWindow(evidence.pass.list)
      const values = lotteryValues(
        key,
        window.map(({ number }) => number),
      )
      const { header } = evidence.pass
      const share = slateShare(header.at.getTime() - evidence.draw.askedAt.getTime(), SLATE)
      const taken = new Set(header.draws.map(({ slot }) => slot))
      for (const slot of window.keys()) {
        if (taken.has(slot)) continue
        const expected = values[slot]! < share ? 'no_one_skipped' : 'slate'
        const skipped = evidence.draw.skipped.filter((place) => place.slot !== slot)
        const better = betterPlaces(window, values, share, slot).includes(evidence.draw.slot)
        // A better place that was skipped for a reason would be a legal draw if the reason were false.
        if (expected === 'no_one_skipped' && !better) continue
        const forged = withNewHashes(evidence, { slot, winner: window[slot]!.number, skipped })
        expect(firstFault(forged, SLATE)).toBe(expected)
        seen[expected]++
      }
      expect(firstFault(withNewHashes(evidence, {}, { requests: 0 }), SLATE)).toBe('window')
      expect(firstFault(withNewHashes(evidence, {}, { candidates: 0 }), SLATE)).toBe('window')
      const unmade = withNewHashes(evidence, { commitment: flip(evidence.draw.commitment) })
      expect(firstFault(unmade, SLATE)).toBe('commitment')
      expect(firstFault(withNewHashes(evidence, {}, { matched: 0 }), SLATE)).toBe('window')
      const twice = [...header.draws, ...header.draws]
      const doubled = { draws: twice, matched: twice.length, requests: twice.length }
      expect(firstFault(withNewHashes(evidence, {}, doubled), SLATE)).toBe('window')
      expect(firstFault(withNewHashes(evidence, {}, { cut: { band: 9, turn: header.at } }), SLATE)).toBe(
        'window',
      )
      expect(firstFault(withNewHashes(evidence, {}, { matched: 0, draws: [] }), SLATE)).toBe('draw')
      expect(firstFault(withNewHashes(evidence, { winner: Buffer.alloc(8, 1) }), SLATE)).toBe('winner')
      if (window[0]!.band !== window.at(-1)!.band) {
        const list = encodeWindow(window.toReversed())
        const upside = withNewHashes({ ...evidence, pass: { ...evidence.pass, list } }, {}, { cut: null })
        expect(firstFault(upside, SLATE)).toBe('window')
      }
      if (evidence.draw.skipped.length > 0) {
        expect(firstFault(withNewHashes(evidence, { skipped: [] }), SLATE)).toBe('no_one_skipped')
      }
    }
    expect(seen.no_one_skipped).toBeGreaterThan(100)
    expect(seen.slate).toBeGreaterThan(100)
  })

  test('leave at most 200 bytes of evidence each', () => {
    const stored = run.passes.filter((pass) => pass.offers.length > 0).map(storedBytes)
    const perOffer = stored.reduce((sum, bytes) => sum + bytes, 0) / offers.length
    expect(perOffer).toBeLessThanOrEqual(200)
    expect(perOffer).toBeGreaterThan(60)
  })
})

const GOLDEN_ONE = 0.09357060884066115
const GOLDEN_TWO = 0.9572980813688545

/**
 * A pass's list, its two hashes and its numbers; an offer's pass, place and skips; a request's ticket, nonce
 * and commitment.
 */
function storedBytes({ offers }: Pass): number {
  const { list, hash, previousHash } = offers[0]!.pass
  const numbers = 8 + 8 + 2 + 3 * 4 + 2 + 8
  const perOffer = offers.map(({ draw }) => 16 + 4 + 3 * draw.skipped.length + 8 + draw.nonce.length + 32)
  return (
    list.length +
    hash.length +
    (previousHash?.length ?? 0) +
    numbers +
    perOffer.reduce((sum, n) => sum + n, 0)
  )
}

function withDraw(evidence: OfferEvidence, change: Partial<Draw>): OfferEvidence {
  return { ...evidence, draw: { ...evidence.draw, ...change } }
}

function withDay(evidence: OfferEvidence, change: Partial<NonNullable<OfferEvidence['day']>>): OfferEvidence {
  return { ...evidence, day: { ...evidence.day!, ...change } }
}

/** Removes another member from the window and moves all later places up. */
function dropCandidate(evidence: OfferEvidence): OfferEvidence {
  const gone = evidence.draw.slot === 0 ? 1 : 0
  const window = decodeWindow(evidence.pass.list).filter((_, slot) => slot !== gone)
  const slot = evidence.draw.slot - (gone < evidence.draw.slot ? 1 : 0)
  const shorter = { ...withDraw(evidence, { slot }), pass: { ...evidence.pass, list: encodeWindow(window) } }
  return withHeader(shorter, { candidates: window.length })
}

function otherWinner(evidence: OfferEvidence): Partial<Draw> {
  const window = decodeWindow(evidence.pass.list)
  const slot = (evidence.draw.slot + 1) % window.length
  return { slot, winner: window[slot]!.number }
}

function otherSeed(evidence: OfferEvidence): OfferEvidence {
  const secret = flip(evidence.secret!)
  return { ...withDraw(evidence, { commitment: ticketCommitment(secret) }), secret, day: null }
}

function otherBand(evidence: OfferEvidence): OfferEvidence {
  const list = Buffer.from(evidence.pass.list)
  list[8] = list[8]! + 1
  return { ...evidence, pass: { ...evidence.pass, list } }
}

function otherChain(evidence: OfferEvidence): OfferEvidence {
  return { ...evidence, pass: { ...evidence.pass, previousHash: Buffer.alloc(32, 5) } }
}

function flip(bytes: Uint8Array): Buffer {
  const flipped = Buffer.from(bytes)
  flipped[0] = flipped[0]! ^ 1
  return flipped
}

function later(time: Date): Date {
  return new Date(time.getTime() + 1)
}

function bytes(length: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array))
}

function chiSquare(values: readonly number[], bins: number): number {
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of values) counts[Math.floor(value * bins)]!++
  const expected = values.length / bins
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
