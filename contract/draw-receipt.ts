// The receipt of a draw, the public list of the days, and the check of both. docs/checking-a-draw.md
// describes the formats; scripts/verify-draw.mjs makes the same check on its own.
import { z } from 'zod'
import { checkOffer, clockStepMs, passHash, sha256, SKIP_CODES, ticketSecret, whole } from './draw.ts'
import type { CheckedOffer, DrawBeacon, OfferEvidence, SkipReason } from './draw.ts'
import type { KeptDraw } from './kept-draws.ts'
import { time } from './kit.ts'
import { givingCap } from './matching-rules.ts'
import { retention } from './retention.ts'

export const receiptFormat = 'evenhand-draw-receipt/1'
export const passFormat = 'evenhand-draw-pass/1'
export const daysFormat = 'evenhand-draw-days/1'
export const dayFormat = 'evenhand-draw-day/1'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
const hexes = z.string().regex(/^([0-9a-f]{2})*$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const count = z.int().min(0)

const slateRule = z.object({ start: z.number().positive().max(1), doublingMs: z.int().positive() })

const drawnPass = z.object({
  chain: z.string(),
  number: count,
  at: time,
  phase: z.int().min(0).max(2),
  requests: count,
  candidates: count,
  matched: count,
  cut: z.object({ band: count, turn: time }).nullable(),
  /** Older passes do not state it. */
  slate: slateRule.nullable().default(null),
  draws: z.array(z.object({ slot: count, digest: hex(32) })),
  /** Null once the club has deleted it, after half a year. */
  list: hexes.nullable(),
  previousHash: hex(32).nullable(),
  hash: hex(32),
})
export type DrawnPass = z.infer<typeof drawnPass>

/** The beacon's part in a ticket, with all that a check of it needs. */
const receiptBeacon = z.object({
  chain: z.object({
    hash: hex(32),
    publicKey: hex(96),
    period: z.int().positive(),
    genesis: count,
    seed: hex(32),
    name: z.string().max(100),
  }),
  /** When the ticket was used first. A request that repeats another one has its ticket, and its round. */
  from: time,
  round: z.int().positive(),
  /** Both null while the value is awaited, and if it did not come in time. */
  signature: hex(48).nullable(),
  randomness: hex(32).nullable(),
})
export type ReceiptBeacon = z.infer<typeof receiptBeacon>

/** A pass as a file of its own, for a member who looks for themselves in it. */
export const passFile = z.object({ format: z.literal(passFormat), club: z.string(), pass: drawnPass })
export type PassFile = z.infer<typeof passFile>

export const drawReceipt = z.object({
  format: z.literal(receiptFormat),
  club: z.string(),
  side: z.enum(['seller', 'reviewer']),
  request: z.string(),
  issuedAt: time,
  /** The club's rule when the receipt was issued. */
  slate: slateRule,
  ticket: z.object({ day, number: z.string().regex(/^\d{1,18}$/), commitment: hex(32), dayHash: hex(32) }),
  nonce: hex(16),
  askedAt: time,
  /** Null where the club mixed no beacon into the ticket; older receipts do not have it. */
  beacon: receiptBeacon.nullable().default(null),
  /** Null until it is published, after the day. */
  daySecret: hex(32).nullable(),
  /** The last record of the public list when the receipt was issued. */
  head: z.object({ number: count, hash: hex(32) }).nullable(),
  draws: z.array(
    z.object({
      slot: count,
      winner: hex(8),
      // The keys of the codes are the reasons.
      skipped: z.array(z.object({ slot: count, reason: z.enum(Object.keys(SKIP_CODES) as SkipReason[]) })),
      pass: drawnPass,
    }),
  ),
})
export type DrawReceipt = z.infer<typeof drawReceipt>

const dayRecord = z.object({
  number: count,
  kind: z.enum(['committed', 'revealed']),
  day,
  at: time,
  value: hexes,
  previousHash: hex(32).nullable(),
  hash: hex(32),
})
export type DayRecord = z.infer<typeof dayRecord>

export const dayList = z.object({
  format: z.literal(daysFormat),
  club: z.string(),
  records: z.array(dayRecord),
})
export type DayList = z.infer<typeof dayList>

export const dayFile = z.object({
  format: z.literal(dayFormat),
  club: z.string(),
  day,
  records: z.array(dayRecord),
  /** Every pass of the day, by chain and number; empty until the day is revealed. */
  passes: z.array(z.object({ chain: z.string(), number: count, hash: hex(32) })),
})
export type DayFile = z.infer<typeof dayFile>

type StepName =
  | 'kept'
  | 'asked_day'
  | 'beacon_round'
  | 'beacon_value'
  | 'list_chain'
  | 'list_head'
  | 'list_commitment'
  | 'list_secret'
  | 'passes'
  | 'me'
  | 'left_out'

/** One step of a check. `ok` is null when it cannot be made, and the text says why. */
export type CheckStep = { name: StepName; ok: boolean | null; text: string }

/** The hash of a record of the public list. */
export function recordHash(
  record: Pick<DayRecord, 'number' | 'kind' | 'day' | 'at' | 'value' | 'previousHash'>,
) {
  return sha256(
    record.previousHash === null ? new Uint8Array(32) : bytesOf(record.previousHash),
    whole(record.number),
    Uint8Array.of(record.kind === 'committed' ? 1 : 2),
    whole(Date.parse(record.day)),
    whole(Date.parse(record.at)),
    bytesOf(record.value),
  )
}

/** The value of a revealed day: its secret, the number of its passes, and a hash over all of them. */
export function revealedValue(secret: Uint8Array, passes: DayFile['passes']): string {
  return hexOf(secret) + hexOf(whole(passes.length)) + hexOf(passesHash(passes))
}

function passesHash(passes: DayFile['passes']) {
  const text = new TextEncoder()
  return sha256(
    ...passes.flatMap(({ chain, number, hash }) => {
      const name = text.encode(chain)
      return [whole(name.length), name, whole(number), bytesOf(hash)]
    }),
  )
}

/** The evidence of one draw of a receipt. */
export function evidenceOf(receipt: DrawReceipt, place: number): OfferEvidence | null {
  const draw = receipt.draws[place]
  if (!draw || draw.pass.list === null) return null
  const secret = receipt.daySecret === null ? null : bytesOf(receipt.daySecret)
  const ticket = BigInt(receipt.ticket.number)
  return {
    secret: secret && ticketSecret(secret, ticket),
    day: secret && { secret, secretHash: bytesOf(receipt.ticket.dayHash), ticket },
    draw: {
      commitment: bytesOf(receipt.ticket.commitment),
      nonce: bytesOf(receipt.nonce),
      askedAt: new Date(receipt.askedAt),
      slot: draw.slot,
      winner: bytesOf(draw.winner),
      skipped: draw.skipped,
      beacon: drawBeaconOf(receipt),
    },
    pass: {
      previousHash: draw.pass.previousHash === null ? null : bytesOf(draw.pass.previousHash),
      header: headerOf(draw.pass),
      list: bytesOf(draw.pass.list),
      hash: bytesOf(draw.pass.hash),
    },
  }
}

/** The beacon's part as the lottery and the evidence take it. */
export function drawBeaconOf({ beacon }: Pick<DrawReceipt, 'beacon'>): DrawBeacon | null {
  if (!beacon) return null
  const { from, round, signature } = beacon
  return { from: new Date(from), round, signature: signature === null ? null : bytesOf(signature) }
}

function headerOf(pass: DrawnPass): OfferEvidence['pass']['header'] {
  return {
    chain: pass.chain,
    passNo: pass.number,
    at: new Date(pass.at),
    phase: pass.phase,
    requests: pass.requests,
    candidates: pass.candidates,
    matched: pass.matched,
    cut: pass.cut && { band: pass.cut.band, turn: new Date(pass.cut.turn) },
    slate: pass.slate,
    draws: pass.draws.map(({ slot, digest }) => ({ slot, digest: bytesOf(digest) })),
  }
}

/**
 * Checks one draw of a receipt, with the club's rule of when it was issued for a pass that states none. Null
 * when there is no such draw, or its list was deleted.
 */
export function checkDraw(receipt: DrawReceipt, place: number): CheckedOffer | null {
  const evidence = evidenceOf(receipt, place)
  return evidence && checkOffer(evidence, receipt.slate)
}

/** Whether the receipt agrees with what the seller’s own browser kept when it asked. */
export function checkKept(receipt: DrawReceipt, kept: KeptDraw): CheckStep {
  const { ticket, nonce } = receipt
  const ok =
    kept.ticket === ticket.number &&
    kept.commitment === ticket.commitment &&
    kept.nonce === nonce &&
    kept.day === ticket.day &&
    kept.dayHash === ticket.dayHash &&
    // What a browser kept before clubs could mix in a beacon says nothing about it.
    (kept.round === undefined || kept.round === (receipt.beacon?.round ?? null))
  return {
    name: 'kept',
    ok,
    text: ok
      ? 'This browser kept its own copy when you asked: the same commitment, then the same nonce.'
      : kept.round !== undefined && kept.round !== (receipt.beacon?.round ?? null)
        ? 'This browser kept another round of the beacon when you asked.'
        : 'This browser kept another commitment or nonce when you asked.',
  }
}

const dayMs = 24 * 3_600_000

/** Whether the request was made on the day of its ticket, whose secret no one outside knows by its end. */
export function checkAsked({ ticket, askedAt }: DrawReceipt): CheckStep {
  const after = Date.parse(askedAt) - Date.parse(ticket.day)
  const ok = after >= -clockStepMs && after < dayMs + clockStepMs
  return {
    name: 'asked_day',
    ok,
    text: ok
      ? 'The request was made on the day of its ticket.'
      : 'The ticket is of another day than the request.',
  }
}

/** Whether a day's secret was published only after its day: no request of the day could be fitted to it. */
export function isAfterItsDay({ day, at }: Pick<DayRecord, 'day' | 'at'>): boolean {
  return Date.parse(at) >= Date.parse(day) + dayMs
}

/** Whether the club may have deleted the list of a pass by `now` (milliseconds since 1970). Clocks differ. */
export function mayBeDeleted({ at }: Pick<DrawnPass, 'at'>, now: number): boolean {
  return now >= Date.parse(at) + (retention.drawListDays - 1) * dayMs
}

/** Whether the hash of the day's secret was published before the request, and what to say of it. */
function checkCommitted(
  { ticket, askedAt }: DrawReceipt,
  committed: DayRecord | undefined,
): Pick<CheckStep, 'ok' | 'text'> {
  if (!committed) return { ok: false, text: 'The public list has no hash for this day.' }
  if (committed.value !== ticket.dayHash)
    return { ok: false, text: 'The public list has another hash for this day.' }
  const ok = Date.parse(committed.at) <= Date.parse(askedAt)
  if (Date.parse(committed.at) < Date.parse(ticket.day))
    return { ok, text: 'The hash of the day’s secret was published before the day began.' }
  return {
    ok,
    text: ok
      ? 'The hash of the day’s secret was published before the request, on the same day.'
      : 'The hash of the day’s secret was published only after the request.',
  }
}

/** Whether the public list begins as it did when the receipt was issued. */
function checkHead({ head }: DrawReceipt, records: DayRecord[]): Pick<CheckStep, 'ok' | 'text'> {
  if (!head)
    return {
      ok: false,
      text: 'The receipt doesn’t say how the public list ended when it was issued, as each receipt does.',
    }
  if (records.length < head.number)
    return {
      ok: false,
      text: 'The public list ends before the record that was its last when this receipt was issued.',
    }
  const ok = records[head.number - 1]?.hash === head.hash
  return {
    ok,
    text: ok
      ? 'The public list still begins as it did when this receipt was issued.'
      : 'The public list was changed after this receipt was issued.',
  }
}

/** What a secret that was published before the end of its day means. */
export const revealedTooSoon =
  'The day’s secret was published before its day was over, so a request of that day could be fitted to it.'

/** Whether the day's secret in the public list is that of the receipt; null while neither has one. */
function checkRevealed(
  { ticket, daySecret }: DrawReceipt,
  revealed: DayRecord | undefined,
): Pick<CheckStep, 'ok' | 'text'> {
  if (!revealed)
    return daySecret === null
      ? {
          ok: null,
          text: 'The day’s secret isn’t in the public list yet. It appears in the night after the day.',
        }
      : { ok: false, text: 'The day’s secret, which this receipt has, isn’t in the public list.' }
  if (!isAfterItsDay(revealed)) return { ok: false, text: revealedTooSoon }
  const secret = revealed.value.slice(0, 64)
  const opened = hexOf(sha256(bytesOf(secret))) === ticket.dayHash
  const ok = opened && (daySecret === null || secret === daySecret)
  return {
    ok,
    text: ok
      ? 'The day’s secret in the public list matches the hash and this receipt.'
      : 'The day’s secret in the public list matches neither the hash nor this receipt.',
  }
}

/** Checks the public list by itself, and the receipt's day in it. */
export function checkDays(receipt: DrawReceipt, { records }: DayList): CheckStep[] {
  const { ticket } = receipt
  const broken = records.find(
    (record, at) =>
      record.number !== at + 1 ||
      record.previousHash !== (records[at - 1]?.hash ?? null) ||
      hexOf(recordHash(record)) !== record.hash,
  )
  const committed = records.find(({ kind, day }) => kind === 'committed' && day === ticket.day)
  const revealed = records.find(({ kind, day }) => kind === 'revealed' && day === ticket.day)
  return [
    {
      name: 'list_chain',
      ok: broken === undefined,
      text: broken
        ? `The public list is broken at number ${broken.number}.`
        : `The public list is unbroken: ${records.length} records, each chained to the one before.`,
    },
    { name: 'list_head', ...checkHead(receipt, records) },
    { name: 'list_commitment', ...checkCommitted(receipt, committed) },
    { name: 'list_secret', ...checkRevealed(receipt, revealed) },
  ]
}

/** Whether the records in the file of a day are those of the public list. */
function hasRecordsOf(file: DayFile, records: DayRecord[]): boolean {
  const ofDay = records.filter(({ day }) => day === file.day)
  const isSame = (one: DayRecord, other: DayRecord | undefined) =>
    other !== undefined && one.hash === other.hash && hexOf(recordHash(one)) === other.hash
  return file.records.length === ofDay.length && file.records.every((one, at) => isSame(one, ofDay[at]))
}

/**
 * Whether the records and passes of a day are those that the public list states, and whether this pass is
 * among them.
 */
export function checkPasses(pass: DrawnPass, file: DayFile, { records }: DayList): CheckStep {
  const revealed = records.find(({ kind, day }) => kind === 'revealed' && day === file.day)
  if (!revealed || file.day !== pass.at.slice(0, 10))
    return { name: 'passes', ok: null, text: 'The runs of the draw of this day aren’t published yet.' }
  const stated = revealed.value === revealedValue(bytesOf(revealed.value.slice(0, 64)), file.passes)
  const there = file.passes.some(
    ({ chain, number, hash }) => chain === pass.chain && number === pass.number && hash === pass.hash,
  )
  const fault = !hasRecordsOf(file, records)
    ? 'The records in the file of this day aren’t those of the public list.'
    : !stated
      ? 'The runs of the draw of this day aren’t those that the public list states.'
      : !there
        ? 'This run isn’t among those that the public list states for the day.'
        : null
  if (fault !== null) return { name: 'passes', ok: false, text: fault }
  return {
    name: 'passes',
    ok: true,
    text:
      file.passes.length === 1
        ? 'This run of the draw is the only one that the public list states for the day.'
        : `This run of the draw is one of the ${file.passes.length} that the public list states for the day.`,
  }
}

/** A member's own place: their number of the week, their band and since when they waited for their turn. */
type OwnPlace = { number: string; band: number; turn: string }

/** The place of a number in the list of a pass, from 0; -1 when it isn't there. */
export function placeInList({ list }: DrawnPass, number: string): number {
  return (list ?? '').match(/.{18}/g)?.findIndex((place) => place.startsWith(number)) ?? -1
}

/**
 * Up to this band, everyone who could be asked is in the list. Passes of earlier rules left out higher bands,
 * unless a request had waited for hours.
 */
const highestBandAtOnce = 3 + givingCap

/**
 * Whether a member who could be asked at the time had to be in the list of a pass, and is; null where the
 * list can't say.
 */
export function checkOwnPlace(pass: DrawnPass, own: OwnPlace): CheckStep {
  const at = placeInList(pass, own.number)
  if (pass.list === null) return { name: 'me', ok: null, text: 'The list of this run was deleted.' }
  if (at >= 0) return { name: 'me', ok: true, text: `Your number is in the list, at place ${at + 1}.` }
  const highest = Number.parseInt(pass.list.slice(-2), 16) || 0
  if (pass.cut === null && own.band > Math.max(highestBandAtOnce, highest))
    return {
      name: 'me',
      ok: null,
      text:
        'Your number isn’t in the list. You’re ahead, so you’re asked only while a review for you is on ' +
        'its way or for requests that have waited for hours, and the list doesn’t say whether either was so.',
    }
  const before =
    pass.cut === null ||
    own.band < pass.cut.band ||
    (own.band === pass.cut.band && Date.parse(own.turn) < Date.parse(pass.cut.turn))
  const why = pass.cut === null ? 'no one was cut off' : 'your place was before the cut-off'
  return before
    ? {
        name: 'left_out',
        ok: false,
        text:
          `Your number isn’t in the list, although ${why}. If you could be asked at that time, and no ` +
          'other run of that moment has you, you were left out.',
      }
    : { name: 'me', ok: true, text: 'Your place was behind the cut-off, so this draw didn’t get to you.' }
}

/** Whether a pass matches its own hash; null when its list was deleted. */
export function checkPass(pass: DrawnPass): boolean | null {
  if (pass.list === null) return null
  const previous = pass.previousHash === null ? null : bytesOf(pass.previousHash)
  return hexOf(passHash(previous, headerOf(pass), bytesOf(pass.list))) === pass.hash
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
