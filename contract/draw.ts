/**
 * The lottery of a pass, and the evidence that shows how it was held.
 *
 * - A request's ticket holds a secret derived from the day's secret. The commitment is its hash. The lottery
 *   key is made of the secret and a nonce, and of a round of a public beacon where the club uses one.
 * - Each member has their own lottery number, which changes weekly. Key and number give a value in [0, 1).
 * - The slate is the share of the club that a request may be offered to. It grows with the request's age. A
 *   member may be drawn while their value is below the slate. The lowest band + value wins; ties go by
 *   rotation.
 * - Each pass stores its window (9 bytes a candidate) and a hash chained to the pass before. The hash covers
 *   the window, the header and every draw, so a changed draw is found even when it is plausible.
 *
 * A draw states a reason for each better candidate that it skipped, unless another draw of the pass took
 * them. The server draws with these functions, and the page that checks a draw uses the same ones.
 * docs/checking-a-draw.md describes every byte; scripts/verify-draw.mjs computes them on its own.
 * The evidence cannot prove that the operator, who knows the key in time, left no member out of the
 * window. Only that member can see it, from their own band and turn and the window's cut-off.
 */
import { hmac as keyed } from '@noble/hashes/hmac.js'
import { sha256 as sha2 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'

/** `start` is a share in millionths, as hashes cover it. */
export type SlateRule = { start: number; doublingMs: number }

/** The slate of a request of this age: `start` at first, then doubling up to 1, which is every member. */
export function slateShare(ageMs: number, { start, doublingMs }: SlateRule): number {
  return Math.min(1, start * 2 ** (Math.max(0, ageMs) / doublingMs))
}

/** The secret of one ticket of a day, which both parties may see once its day is over. 32 bytes. */
export function ticketSecret(daySecret: Uint8Array, ticket: bigint): Uint8Array {
  return hmac(daySecret, whole(ticket))
}

/** The commitment to a ticket's secret: its hash. 32 bytes. */
export function ticketCommitment(secret: Uint8Array): Uint8Array {
  return sha256(secret)
}

/** The round of a public beacon that counts for a ticket. */
type MixedRound = { round: number; signature: Uint8Array | null }

/**
 * The lottery key of a request, made of its ticket, its nonce of 16 bytes and, if there is one, the beacon's
 * value. 32 bytes.
 */
export function lotteryKey(
  daySecret: Uint8Array,
  ticket: bigint,
  nonce: Uint8Array,
  beacon: MixedRound | null = null,
): Uint8Array {
  return keyOf(ticketSecret(daySecret, ticket), nonce, beacon)
}

function keyOf(secret: Uint8Array, nonce: Uint8Array, beacon: MixedRound | null): Uint8Array {
  if (!beacon?.signature) return hmac(secret, nonce)
  return hmac(secret, concatBytes(nonce, whole(beacon.round), beaconRandomness(beacon.signature)))
}

/** The random value of a round: the hash of its signature, which no one can choose. 32 bytes. */
export function beaconRandomness(signature: Uint8Array): Uint8Array {
  return sha256(signature)
}

export const lotteryWeekMs = 7 * 24 * 3_600_000

/** The week in whose lotteries a moment (ms since 1970) falls. */
export function lotteryWeek(ms: number): number {
  return Math.floor(ms / lotteryWeekMs)
}

/** A member's number in the lotteries of a week. 8 bytes. */
export function memberNumber(auditKey: Uint8Array, week: number): Uint8Array {
  return sha256(auditKey, whole(week).subarray(4)).subarray(0, NUMBER_BYTES)
}

/**
 * The value of a member's number under a key: in [0, 1), in steps of 2^-48, so that adding a band loses
 * nothing.
 *
 * The number's halves pass through four Feistel rounds, with the 32-bit finalizer of MurmurHash3 as round
 * function. The first four 32-bit integers of the key (big-endian) are added in the rounds, the others before
 * and after them. For each key this is a permutation of the numbers. It need not be a cipher, since the key
 * is secret until the draw.
 */
export function lotteryValue(key: Uint8Array, number: Uint8Array): number {
  return valueOf(keyIntegers(key), wordAt(number, 0), wordAt(number, 4))
}

/** The values of many members under one key. */
export function lotteryValues(key: Uint8Array, numbers: readonly Uint8Array[]): Float64Array {
  return lotteryAmong(numbers)(key)
}

/** The same for many keys: the numbers are read once. */
export function lotteryAmong(numbers: readonly Uint8Array[]): (key: Uint8Array) => Float64Array {
  const halves = new Int32Array(2 * numbers.length)
  for (const [at, number] of numbers.entries()) {
    halves[2 * at] = wordAt(number, 0)
    halves[2 * at + 1] = wordAt(number, 4)
  }
  return (key) => {
    const words = keyIntegers(key)
    const values = new Float64Array(numbers.length)
    for (let slot = 0; slot < values.length; slot++)
      values[slot] = valueOf(words, halves[2 * slot]!, halves[2 * slot + 1]!)
    return values
  }
}

/** One member in the window of a pass. */
type WindowPlace = { number: Uint8Array; band: number }

/** The window of a pass, in rotation order: 8 bytes of number and one of band for each candidate. */
export function encodeWindow(places: readonly WindowPlace[]): Uint8Array {
  const list = new Uint8Array(places.length * PLACE_BYTES)
  for (const [slot, { number, band }] of places.entries()) {
    list.set(number, slot * PLACE_BYTES)
    list[slot * PLACE_BYTES + NUMBER_BYTES] = band
  }
  return list
}

export function decodeWindow(list: Uint8Array): WindowPlace[] {
  return Array.from({ length: Math.floor(list.length / PLACE_BYTES) }, (_, slot) => {
    const place = list.subarray(slot * PLACE_BYTES, (slot + 1) * PLACE_BYTES)
    return { number: place.subarray(0, NUMBER_BYTES), band: place[NUMBER_BYTES] ?? 0 }
  })
}

/** The number that a window states for one of its places; null when it is not in the list. */
export function drawnNumber(list: Uint8Array, slot: number): Uint8Array | null {
  const number = list.subarray(slot * PLACE_BYTES, slot * PLACE_BYTES + NUMBER_BYTES)
  return number.length === NUMBER_BYTES ? number : null
}

/** The band that a window states for one of its places; null when it is not in the list. */
export function drawnBand(list: Uint8Array, slot: number): number | null {
  return list[slot * PLACE_BYTES + NUMBER_BYTES] ?? null
}

/** Why a better placed candidate could not be drawn. */
export type SkipReason = keyof typeof SKIP_CODES

export const SKIP_CODES = {
  own_product: 1,
  paired_before: 2,
  reviewed_before: 3,
  paired_in_pass: 4,
  over_cap: 5,
  asked_recently: 6,
  conflict: 7,
  cannot_take: 8,
  circle: 9,
  ruled_out: 10,
} as const

/** What one of the two is to the other or to the product. Earlier draws recorded these as they are. */
const betweenThem: ReadonlySet<SkipReason> = new Set([
  'own_product',
  'paired_before',
  'reviewed_before',
  'asked_recently',
  'conflict',
  'cannot_take',
])

/**
 * A reason as the evidence records it. Both parties read the evidence with everyone's number of the week, so
 * it must not show which number the seller has, whom a member declared, or who met whom.
 */
export function recordedReason(reason: SkipReason): SkipReason {
  return betweenThem.has(reason) ? 'ruled_out' : reason
}

export type SkippedPlace = { slot: number; reason: SkipReason }

/** One request's draw: the place of the winner in the window, and the better places that were skipped. */
export type Draw = {
  commitment: Uint8Array
  nonce: Uint8Array
  /** When the request was made. Its slate grows from then on. */
  askedAt: Date
  slot: number
  winner: Uint8Array
  skipped: readonly SkippedPlace[]
  beacon: DrawBeacon | null
}

/** The beacon's part in a draw: when the ticket was used, the round, and its signature; null if none came. */
export type DrawBeacon = MixedRound & { from: Date }

/** A draw as the other parties of its pass see it: its place, and a hash that hides the rest. */
type SealedDraw = { slot: number; digest: Uint8Array }

export function sealDraw(draw: Draw): SealedDraw {
  const digest = sha256(
    draw.commitment,
    draw.nonce,
    whole(draw.askedAt.getTime()),
    whole(draw.slot),
    draw.winner,
    ...draw.skipped.flatMap(({ slot, reason }) => [whole(slot), Uint8Array.of(SKIP_CODES[reason])]),
    // The three cases differ in their length: skipped places have 9 bytes each.
    ...(draw.beacon ? beaconParts(draw.beacon) : []),
  )
  return { slot: draw.slot, digest }
}

function beaconParts({ from, round, signature }: DrawBeacon): Uint8Array[] {
  return [whole(from.getTime()), whole(round), signature ?? new Uint8Array()]
}

/** The header of a pass, as its hash covers it. */
export type PassHeader = {
  /** Passes share a few chains, of which each takes a free one. */
  chain: string
  passNo: number
  at: Date
  /** The tier of the candidates: 0 present, 1 absent, 2 stand-by. */
  phase: number
  requests: number
  candidates: number
  matched: number
  /**
   * The last place of the window: members before it must be in the list. Null when every candidate is in the
   * list.
   */
  cut: { band: number; turn: Date } | null
  /** Null in passes that were recorded before they stated it. */
  slate: SlateRule | null
  draws: readonly SealedDraw[]
}

/** The hash of a pass, chained to the previous hash. The first pass of a chain has none. 32 bytes. */
export function passHash(previousHash: Uint8Array | null, header: PassHeader, list: Uint8Array): Uint8Array {
  const chain = new TextEncoder().encode(header.chain)
  return sha256(
    previousHash ?? new Uint8Array(HASH_BYTES),
    whole(chain.length),
    chain,
    whole(header.passNo),
    whole(header.at.getTime()),
    whole(header.phase),
    whole(header.requests),
    whole(header.candidates),
    whole(header.matched),
    Uint8Array.of(header.cut === null ? 0 : 1),
    whole(header.cut?.band ?? 0),
    whole(header.cut?.turn.getTime() ?? 0),
    ...(header.slate ? [whole(millionths(header.slate.start)), whole(header.slate.doublingMs)] : []),
    ...header.draws.flatMap(({ slot, digest }) => [whole(slot), digest]),
    list,
  )
}

function millionths(share: number): number {
  return Math.round(share * 1_000_000)
}

/** The places of the window that are better than `slot` in this lottery and inside its slate. */
export function betterPlaces(
  window: readonly WindowPlace[],
  values: Float64Array,
  share: number,
  slot: number,
): number[] {
  const lowest = scoreAt(slot)
  const better: number[] = []
  // A loop: the draw does this for each request of a pass, over its whole window.
  for (let other = 0; other < window.length; other += 1) {
    if ((values[other] ?? 1) >= share) continue
    const score = scoreAt(other)
    if (score < lowest || (score === lowest && other < slot)) better.push(other)
  }
  return better

  function scoreAt(place: number): number {
    return (window[place]?.band ?? Infinity) + (values[place] ?? Infinity)
  }
}

/** The evidence with which the two parties of an offer can check it. */
export type OfferEvidence = {
  /** The ticket's secret; null until it is published with its day. */
  secret: Uint8Array | null
  /** After the day: its secret, the hash that was published the day before, and the ticket's number. */
  day: { secret: Uint8Array; secretHash: Uint8Array; ticket: bigint } | null
  draw: Draw
  pass: { previousHash: Uint8Array | null; header: PassHeader; list: Uint8Array; hash: Uint8Array }
}

/** The outcome of each check: null for one that has to wait until the secret is published. */
export type CheckedOffer = {
  /** In the order of the check, by what each holds. */
  checks: {
    /** Each part has the right size. */
    parts: boolean | null
    /** The day's secret matches its published hash, and the ticket's secret is derived from it. */
    day_secret: boolean | null
    /** The ticket's secret matches the commitment. */
    commitment: boolean | null
    /** The pass matches its hash: window, time, counts, cut-off, draws and the pass before. */
    chain: boolean | null
    /** The pass's counts, places and bands agree with each other. */
    window: boolean | null
    /** The draw is the one that the pass recorded at this place. */
    draw: boolean | null
    /** The winner is the member at this place of the window. */
    winner: boolean | null
    /** The draw came after the request. */
    time: boolean | null
    /** The winner was inside the slate. */
    slate: boolean | null
    /** No better placed candidate was skipped without a reason. */
    no_one_skipped: boolean | null
  }
  window: WindowPlace[]
  /** The lottery values of the window, the slate and the better places; null without the secret. */
  lottery: { values: Float64Array; share: number; better: number[] } | null
}

/**
 * Computes an offer's draw again, with the slate that its pass states; one that states none was drawn with
 * `slate`. The caller compares that slate, the commitment, the nonce, their own number and the published
 * hashes with their own copies. Throws for nothing: whatever does not fit is a failed check.
 */
export function checkOffer({ secret, day, draw, pass }: OfferEvidence, slate: SlateRule): CheckedOffer {
  const { header, list } = pass
  const stated = header.slate ?? slate
  const window = decodeWindow(list)
  const sized =
    (secret === null || secret.length === HASH_BYTES) &&
    draw.nonce.length === NONCE_BYTES &&
    draw.winner.length === NUMBER_BYTES &&
    (!draw.beacon?.signature || draw.beacon.signature.length === SIGNATURE_BYTES) &&
    millionths(stated.start) / 1_000_000 === stated.start &&
    list.length % PLACE_BYTES === 0
  const recorded = header.draws.find((sealed) => sealed.slot === draw.slot)
  const lottery = secret === null ? null : holdLottery(secret, draw, header, window, stated)
  // A circle only moves a member behind the others of their band.
  const skipped = draw.skipped.filter(
    ({ slot, reason }) => reason !== 'circle' || window[slot]?.band === window[draw.slot]?.band,
  )
  const excused = new Set([...header.draws, ...skipped].map(({ slot }) => slot))
  return {
    window,
    lottery,
    checks: {
      parts: sized,
      day_secret:
        day &&
        same(sha256(day.secret), day.secretHash) &&
        secret !== null &&
        same(ticketSecret(day.secret, day.ticket), secret),
      commitment: secret && same(ticketCommitment(secret), draw.commitment),
      chain: same(passHash(pass.previousHash, header, list), pass.hash),
      window: isConsistent(header, window),
      draw: recorded !== undefined && same(recorded.digest, sealDraw(draw).digest),
      winner: same(window[draw.slot]?.number ?? new Uint8Array(), draw.winner),
      time: header.at.getTime() >= draw.askedAt.getTime() - clockStepMs,
      slate: lottery && (lottery.values[draw.slot] ?? 1) < lottery.share,
      no_one_skipped: lottery && lottery.better.every((slot) => excused.has(slot)),
    },
  }
}

function holdLottery(
  secret: Uint8Array,
  draw: Draw,
  header: PassHeader,
  window: readonly WindowPlace[],
  slate: SlateRule,
) {
  const key = keyOf(secret, draw.nonce, draw.beacon)
  const values = lotteryValues(
    key,
    window.map(({ number }) => number),
  )
  const share = slateShare(header.at.getTime() - draw.askedAt.getTime(), slate)
  return { values, share, better: betterPlaces(window, values, share, draw.slot) }
}

/** How far a clock that is set back may date a draw before its request, and a request before its day. */
export const clockStepMs = 60_000

/** Whether the counts agree, no place was drawn twice, and the bands rise up to the cut-off. */
function isConsistent(header: PassHeader, window: readonly WindowPlace[]): boolean {
  const bands = window.map(({ band }) => band)
  const slots = new Set(header.draws.map(({ slot }) => slot))
  return (
    header.candidates === window.length &&
    header.matched === header.draws.length &&
    header.matched <= header.requests &&
    slots.size === header.draws.length &&
    bands.every((band, slot) => slot === 0 || band >= (bands[slot - 1] ?? 0)) &&
    (header.cut === null || header.cut.band === bands.at(-1))
  )
}

const NUMBER_BYTES = 8
const PLACE_BYTES = 9
const HASH_BYTES = 32
const NONCE_BYTES = 16
const SIGNATURE_BYTES = 48

function keyIntegers(key: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: 8 }, (_, index) => wordAt(key, index * 4))
}

/** Written without a loop, since a pass calls it for each request and candidate. */
function valueOf(key: Uint32Array, first: number, second: number): number {
  let left = first ^ key[4]!
  let right = second ^ key[5]!
  left ^= finalise(right ^ key[0]!)
  right ^= finalise(left ^ key[1]!)
  left ^= finalise(right ^ key[2]!)
  right ^= finalise(left ^ key[3]!)
  left = (left ^ key[6]!) >>> 0
  right = (right ^ key[7]!) >>> 0
  return (left * 2 ** 16 + (right >>> 16)) / 2 ** 48
}

/** The 32-bit finalizer of MurmurHash3. */
function finalise(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Four bytes, big-endian. Callers pass keys of 32 bytes and numbers of 8, so no byte is missing. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
}

/** A count or a time in milliseconds as 8 bytes. The fixed width keeps hashed records unambiguous. */
export function whole(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
  return bytes
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  return keyed(sha2, key, message)
}

/** SHA-256 of these parts, one after the other. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha2.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}
