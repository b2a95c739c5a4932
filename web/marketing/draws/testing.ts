// An honest draw, made by the product's own functions, for tests to check and to change.
import {
  beaconRandomness,
  betterPlaces,
  encodeWindow,
  lotteryKey,
  lotteryValues,
  passHash,
  sealDraw,
  sha256,
  slateShare,
  ticketCommitment,
  ticketSecret,
} from '#contract/draw.ts'
import type { Draw, PassHeader, SkippedPlace, SlateRule } from '#contract/draw.ts'
import { bytesOf, drawBeaconOf, hexOf, recordHash, revealedValue } from '#contract/draw-receipt.ts'
import type { DayFile, DayList, DayRecord, DrawReceipt } from '#contract/draw-receipt.ts'

export type DrawFiles = { receipt: DrawReceipt; days: DayList; day: DayFile }

const slate = { start: 0.1, doublingMs: 30 * 60_000 }
const bytes = (length: number, seed: number) => sha256(Uint8Array.of(seed)).subarray(0, length)

type Drawing = {
  members?: number
  club?: string
  /** `none`: its value did not come. Left out: the club uses no beacon. */
  beacon?: 'value' | 'none'
  /** The slate that the pass states; null as in older ones, whose draws took the receipt's. */
  stated?: SlateRule | null
}

/** Of the chain of tests, whose only key is in sandbox/beacon: its round for a ticket used at 10:00 UTC. */
const beaconOfTen = {
  chain: {
    hash: '3285ff76f876333be10fa4b74532d3991eeaa35546e978870d76977ca2e252bd',
    publicKey:
      'aecb3fe3d22a958237df2fdb9c6932c837687151bf8b819f18296cce5c5967fb215f16445486c93dbf6a2c933969a936' +
      '01c2fda599ece5eb4f44c7a311f061d1390e8337230c72085387af3bef1854ef45307aea81704241cbf9ad10717cf4df',
    period: 3,
    genesis: Date.parse('2026-01-01T00:00:00Z') / 1000,
    seed: '5e'.repeat(32),
    name: 'evenhand-test',
  },
  from: '2026-11-20T10:00:00.000Z',
  round: 9_314_403,
  signature:
    '83adcc8189582e3e5f86b1a356b2476af41d96701b58e77dc2f7d28eafbf653851a544b1ae24c6f94c666478b68feb49',
}

/** A request of 10:00 UTC on November 20, drawn among so many members 50 minutes later. */
export function honestDraw({
  members = 40,
  club = 'http://localhost',
  beacon,
  stated = slate,
}: Drawing = {}): DrawFiles {
  const day = '2026-11-20'
  const daySecret = bytes(32, 1)
  const dayHash = sha256(daySecret)
  const ticket = 12n
  const nonce = bytes(16, 2)
  const askedAt = new Date('2026-11-20T10:00:00.000Z')
  const signature = beacon === 'value' ? beaconOfTen.signature : null
  const shownBeacon = beacon
    ? { ...beaconOfTen, signature, randomness: signature && hexOf(beaconRandomness(bytesOf(signature))) }
    : null
  const mixed = drawBeaconOf({ beacon: shownBeacon })
  const at = new Date('2026-11-20T10:50:00.000Z')
  const numbers = Array.from({ length: members }, (_, place) =>
    sha256(Uint8Array.of(3), Uint8Array.of(place >> 8, place & 255)).slice(0, 8),
  )
  const window = numbers.map((number, place) => ({ number, band: Math.floor((place * 3) / members) + 1 }))
  const list = encodeWindow(window)
  const values = lotteryValues(lotteryKey(daySecret, ticket, nonce, mixed), numbers)
  const share = slateShare(at.getTime() - askedAt.getTime(), stated ?? slate)
  const order = numbers
    .map((_, place) => place)
    .filter((place) => values[place]! < share)
    .toSorted((one, other) => window[one]!.band + values[one]! - window[other]!.band - values[other]!)
  // The best place is the seller's own, the second met them before, and the third wins.
  const slot = order[2]!
  const reasons: SkippedPlace['reason'][] = ['own_product', 'paired_before']
  const skipped = betterPlaces(window, values, share, slot).map((place) => ({
    slot: place,
    reason: reasons[order.indexOf(place)]!,
  }))
  const commitment = ticketCommitment(ticketSecret(daySecret, ticket))
  const draw: Draw = { commitment, nonce, askedAt, slot, winner: numbers[slot]!, skipped, beacon: mixed }
  const previousHash = bytes(32, 4)
  const header: PassHeader = {
    chain: 'draw',
    passNo: 7,
    at,
    phase: 0,
    requests: 1,
    candidates: members,
    matched: 1,
    cut: { band: 3, turn: new Date('2026-11-20T09:00:00.000Z') },
    slate: stated,
    draws: [sealDraw(draw)],
  }
  const hash = hexOf(passHash(previousHash, header, list))
  const passes = [{ chain: 'draw', number: 7, hash }]
  const records = recordsOf([
    { kind: 'committed', day, at: '2026-11-19T00:00:00.000Z', value: hexOf(dayHash) },
    {
      kind: 'committed',
      day: '2026-11-21',
      at: '2026-11-20T00:00:00.000Z',
      value: hexOf(sha256(bytes(32, 5))),
    },
    { kind: 'revealed', day, at: '2026-11-21T02:00:00.000Z', value: revealedValue(daySecret, passes) },
  ])
  const last = records.at(-1)!
  return {
    days: { format: 'evenhand-draw-days/1', club, records },
    day: {
      format: 'evenhand-draw-day/1',
      club,
      day,
      records: records.filter((record) => record.day === day),
      passes,
    },
    receipt: {
      format: 'evenhand-draw-receipt/1',
      club,
      side: 'seller',
      request: '00000000-0000-4000-8000-000000000012',
      issuedAt: '2026-11-21T08:00:00.000Z',
      slate,
      ticket: { day, number: String(ticket), commitment: hexOf(commitment), dayHash: hexOf(dayHash) },
      nonce: hexOf(nonce),
      askedAt: askedAt.toISOString(),
      beacon: shownBeacon,
      daySecret: hexOf(daySecret),
      head: { number: last.number, hash: last.hash },
      draws: [
        {
          slot,
          winner: hexOf(numbers[slot]!),
          skipped,
          pass: {
            chain: header.chain,
            number: header.passNo,
            at: at.toISOString(),
            phase: header.phase,
            requests: header.requests,
            candidates: header.candidates,
            matched: header.matched,
            cut: { band: 3, turn: '2026-11-20T09:00:00.000Z' },
            slate: stated,
            draws: header.draws.map((sealed) => ({ slot: sealed.slot, digest: hexOf(sealed.digest) })),
            list: hexOf(list),
            previousHash: hexOf(previousHash),
            hash,
          },
        },
      ],
    },
  }
}

/** The same draw before the night in which its secret is published. */
export function unrevealed({ receipt, days, day }: DrawFiles): DrawFiles {
  const records = days.records.slice(0, 2)
  const last = records[1]!
  return {
    receipt: { ...receipt, daySecret: null, head: { number: last.number, hash: last.hash } },
    days: { ...days, records },
    day: { ...day, records: records.slice(0, 1), passes: [] },
  }
}

function recordsOf(given: Pick<DayRecord, 'kind' | 'day' | 'at' | 'value'>[]): DayRecord[] {
  const records: DayRecord[] = []
  for (const one of given) {
    const record = { ...one, number: records.length + 1, previousHash: records.at(-1)?.hash ?? null }
    records.push({ ...record, hash: hexOf(recordHash(record)) })
  }
  return records
}

const flip = (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1)
const later = (time: string) => new Date(Date.parse(time) + 1).toISOString()

/** Each change that a cheat could make, and the step at which it is found. */
export const tamperings: [what: string, step: string, change: (files: DrawFiles) => void][] = [
  ['a candidate', 'chain', ({ receipt }) => void (passOf(receipt).list = flip(passOf(receipt).list!))],
  [
    'a candidate that was dropped',
    'chain',
    ({ receipt }) => {
      passOf(receipt).list = passOf(receipt).list!.slice(18)
      passOf(receipt).candidates -= 1
    },
  ],
  ['the winner', 'winner', ({ receipt }) => void (receipt.draws[0]!.winner = flip(receipt.draws[0]!.winner))],
  ['the secret', 'list_secret', ({ receipt }) => void (receipt.daySecret = flip(receipt.daySecret!))],
  ['the nonce', 'draw', ({ receipt }) => void (receipt.nonce = flip(receipt.nonce))],
  ['the time of the request', 'draw', ({ receipt }) => void (receipt.askedAt = later(receipt.askedAt))],
  ['the time of the draw', 'chain', ({ receipt }) => void (passOf(receipt).at = later(passOf(receipt).at))],
  ['a reason', 'draw', ({ receipt }) => void receipt.draws[0]!.skipped.pop()],
  [
    'the commitment',
    'commitment',
    ({ receipt }) => void (receipt.ticket.commitment = flip(receipt.ticket.commitment)),
  ],
  [
    'the hash of the day',
    'list_commitment',
    ({ receipt }) => void (receipt.ticket.dayHash = flip(receipt.ticket.dayHash)),
  ],
  ['the number of the ticket', 'commitment', ({ receipt }) => void (receipt.ticket.number = '13')],
  ['the cut-off', 'chain', ({ receipt }) => void (passOf(receipt).cut!.band = 2)],
  ['the slate', 'chain', ({ receipt }) => void (passOf(receipt).slate!.start = 0.2)],
  ['a slate of no whole millionths', 'parts', ({ receipt }) => void (passOf(receipt).slate!.start += 1e-9)],
  ['a slate that is left out', 'chain', ({ receipt }) => void (passOf(receipt).slate = null)],
  ['the hash before', 'chain', ({ receipt }) => void (passOf(receipt).previousHash = '11'.repeat(32))],
  ['the hash of the run', 'chain', ({ receipt }) => void (passOf(receipt).hash = flip(passOf(receipt).hash))],
  [
    'a record of the public list',
    'list_chain',
    ({ days }) => void (days.records[0]!.value = flip(days.records[0]!.value)),
  ],
  ['a missing record of the list', 'list_chain', ({ days }) => void days.records.splice(1, 1)],
  [
    'a list that was begun again',
    'list_head',
    ({ receipt }) => void (receipt.head!.hash = flip(receipt.head!.hash)),
  ],
  ['a list that is left out', 'parts', ({ receipt }) => void (passOf(receipt).list = null)],
  [
    'a secret that was published before the end of its day',
    'list_secret',
    (files) => {
      files.days.records[2]!.at = '2026-11-20T23:59:59.999Z'
      files.days.records = recordsOf(files.days.records)
      files.receipt.head!.hash = files.days.records[2]!.hash
    },
  ],
  ['a published record that is missing', 'passes', ({ day }) => void day.passes.pop()],
]

/** Each change of the beacon's part, and the step at which it is found. */
export const beaconTamperings: [what: string, step: string, change: (files: DrawFiles) => void][] = [
  ['the round', 'beacon_round', ({ receipt }) => void (receipt.beacon!.round += 1)],
  [
    'the time of the round, with another round',
    'beacon_value',
    ({ receipt }) => {
      receipt.beacon!.round -= 1
      receipt.beacon!.from = '2026-11-20T09:59:57.000Z'
    },
  ],
  ['the chain', 'beacon_round', ({ receipt }) => void (receipt.beacon!.chain.genesis -= 3)],
  [
    'the randomness',
    'beacon_value',
    ({ receipt }) => void (receipt.beacon!.randomness = flip(receipt.beacon!.randomness!)),
  ],
  [
    'the signature',
    'beacon_value',
    ({ receipt }) => {
      const signature = flip(receipt.beacon!.signature!)
      Object.assign(receipt.beacon!, {
        signature,
        randomness: hexOf(beaconRandomness(bytesOf(signature))),
      })
    },
  ],
  [
    'a value that is said not to have come',
    'draw',
    ({ receipt }) => void Object.assign(receipt.beacon!, { signature: null, randomness: null }),
  ],
  ['a beacon that is left out', 'draw', ({ receipt }) => void (receipt.beacon = null)],
]

function passOf(receipt: DrawReceipt) {
  return receipt.draws[0]!.pass
}
