// What the page's module and the script find, in draws without a club. They share no code, so each change is
// given to both.
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeWindow, encodeWindow, lotteryKey, lotteryValues, slateShare } from '#contract/draw.ts'
import type { OfferEvidence } from '#contract/draw.ts'
import {
  bytesOf,
  checkAsked,
  checkDays,
  checkOwnPlace,
  checkPasses,
  daysFormat,
  drawReceipt,
  hexOf,
  mayBeDeleted,
  recordHash,
  revealedValue,
} from '#contract/draw-receipt.ts'
import type { DayFile, DayList, DayRecord, DrawReceipt } from '#contract/draw-receipt.ts'
import { failedChecks } from '../testing.ts'
import { withNewHashes, receiptOf, simulate, SLATE } from './testing.ts'

type Files = { receipt: DrawReceipt; days: DayList; day: DayFile }
type Own = { number: string; band: number; turn: string }
type Script = { verify(given: object): { ok: boolean | null; text: string }[] }

// A file of its own, in plain JavaScript.
const { verify } = (await import(join(import.meta.dirname, '../../../scripts/verify-draw.mjs'))) as Script

const run = simulate(25, 11)
// Requests of earlier days are drawn, too. Those of the day of their pass need the file of one day alone.
const offers = run.passes
  .flatMap((pass) => pass.offers)
  .filter(({ draw, pass: { header } }) => dayOf(draw.askedAt) === dayOf(header.at))
const honest = offers.map(filesOf)
const anyOf = <Item>(items: Item[]) => fc.constantFrom(...items)

describe('changes of a receipt and of the published files', () => {
  test('an honest draw has no fault', () => {
    for (const files of honest) {
      expect(drawReceipt.parse(files.receipt)).toEqual(files.receipt)
      expect(faults(files)).toEqual({ page: [], script: [] })
    }
  })

  const changes: Record<string, (files: Files, at: number) => void> = {
    'a candidate': ({ receipt }, at) => void (pass(receipt).list = flip(pass(receipt).list ?? '', at)),
    'the winner': ({ receipt }, at) => void (draw(receipt).winner = flip(draw(receipt).winner, at)),
    'the place of the winner': ({ receipt }) => void (draw(receipt).slot += 1),
    'the seed': ({ receipt }, at) => void (receipt.daySecret = flip(receipt.daySecret ?? '', at)),
    'the nonce': ({ receipt }, at) => void (receipt.nonce = flip(receipt.nonce, at)),
    'the time of the request': ({ receipt }, at) => void (receipt.askedAt = moved(receipt.askedAt, at)),
    'the time of the pass': ({ receipt }, at) => void (pass(receipt).at = moved(pass(receipt).at, at)),
    'the commitment': ({ receipt: { ticket } }, at) => void (ticket.commitment = flip(ticket.commitment, at)),
    'the hash of the day': ({ receipt: { ticket } }, at) => void (ticket.dayHash = flip(ticket.dayHash, at)),
    'the number of the ticket': ({ receipt: { ticket } }, at) =>
      void (ticket.number = String(Number(ticket.number) + 1 + at)),
    'a draw of the pass': ({ receipt }, at) => {
      const [first] = pass(receipt).draws
      if (first) first.digest = flip(first.digest, at)
    },
    'the pass before': ({ receipt }, at) => void (pass(receipt).previousHash = flip('00'.repeat(32), at)),
    'the hash of the pass': ({ receipt }, at) => void (pass(receipt).hash = flip(pass(receipt).hash, at)),
    'the cut-off': ({ receipt }, at) => void (pass(receipt).cut = { band: 9 + at, turn: pass(receipt).at }),
    'the slate of the pass': ({ receipt }, at) => {
      const { start, doublingMs } = SLATE
      pass(receipt).slate =
        at % 2 === 0 ? { start: start / 2, doublingMs } : { start, doublingMs: doublingMs + at }
    },
    'a slate of no whole millionths': ({ receipt }, at) =>
      void (pass(receipt).slate = { ...SLATE, start: SLATE.start + (1 + at) * 1e-11 }),
    'a slate that is left out': ({ receipt }) => void (pass(receipt).slate = null),
    'a record of the list': ({ days }, at) => {
      const record = days.records[at % days.records.length]
      if (record) record.value = flip(record.value, at)
    },
    'the time of a record': ({ days }, at) => {
      const record = days.records[at % days.records.length]
      if (record) record.at = moved(record.at, at)
    },
    'a missing record': ({ days }, at) => void days.records.splice(at % days.records.length, 1),
    'a secret that is published again': ({ receipt, days }, at) =>
      chain(days, 'revealed', receipt, { value: (value) => flip(value, at % 64) }),
    'a commitment that is published again': ({ receipt, days }, at) =>
      chain(days, 'committed', receipt, { value: (value) => flip(value, at) }),
    'a commitment after the request': ({ receipt, days }, at) =>
      chain(days, 'committed', receipt, { at: () => moved(receipt.askedAt, at) }),
    'a receipt without the end of the list': ({ receipt }) => void (receipt.head = null),
    'a record in the file of the day': ({ day }, at) => {
      const record = day.records[at % day.records.length]
      if (record) record.value = flip(record.value, at)
    },
    'a missing record in the file of the day': ({ day }, at) =>
      void day.records.splice(at % day.records.length, 1),
    'a pass of the day': ({ day }, at) => {
      const one = day.passes[at % day.passes.length]
      if (one) one.hash = flip(one.hash, at)
    },
    'a missing pass of the day': ({ day }, at) => void day.passes.splice(at % day.passes.length, 1),
  }

  test.each(Object.entries(changes))('%s is found by both, wherever it is changed', (_, change) => {
    fc.assert(
      fc.property(anyOf(honest), fc.nat(1000), (files, at) => {
        const copy = structuredClone(files)
        change(copy, at)
        const { page, script } = faults(copy)
        expect(page).not.toEqual([])
        expect(script).not.toEqual([])
      }),
      { numRuns: 15, seed: 3 },
    )
  })
})

type Forgery = { forge: (evidence: OfferEvidence) => Files; step: string; words: string }

/** What a club could do that makes every hash again. */
const forgeries: Record<string, Forgery> = {
  'a draw before its request': {
    forge: (evidence) =>
      filesOf(withNewHashes(evidence, { askedAt: new Date(evidence.pass.header.at.getTime() + 120_000) })),
    step: 'time',
    words: 'dated before the request',
  },
  'a ticket of another day': {
    forge: (evidence) => {
      const files = filesOf(evidence)
      const { ticket } = files.receipt
      const day = dayOf(new Date(Date.parse(ticket.day) - 86_400_000))
      for (const record of files.days.records) if (record.day === ticket.day) record.day = day
      ticket.day = day
      chain(files.days, 'committed', files.receipt, {})
      return files
    },
    step: 'asked_day',
    words: 'of another day than the request',
  },
  'a secret that is published before the end of its day': {
    forge: (evidence) => {
      const files = filesOf(evidence)
      const end = Date.parse(files.receipt.ticket.day) + 86_400_000
      chain(files.days, 'revealed', files.receipt, { at: () => new Date(end - 1).toISOString() })
      return files
    },
    step: 'list_secret',
    words: 'published before its day was over',
  },
}

test.each(Object.entries(forgeries))('%s is found by both', (_, { forge, step, words }) => {
  for (const evidence of offers) {
    const { page, script } = faults(forge(evidence))
    expect(page).toContain(step)
    expect(script.join()).toContain(words)
  }
})

test('a list that is left out is found by both for half a year', () => {
  const days = (count: number) => count * 86_400_000
  for (const { receipt, days: list, day } of structuredClone(honest)) {
    const at = Date.parse(pass(receipt).at)
    pass(receipt).list = null
    const given = { receipt, days: list, dayFiles: [day] }
    const script = (now: number) => verify({ ...given, now }).some(({ ok }) => ok === false)
    const page = (now: number) => !mayBeDeleted(pass(receipt), now)
    for (const finds of [script, page])
      expect([178, 179].map((age) => finds(at + days(age)))).toEqual([true, false])
  }
})

test('another winner is found by both, even when the club makes every hash of the pass again', () => {
  const seen = { slate: 0, no_one_skipped: 0 }
  fc.assert(
    fc.property(anyOf(offers), fc.nat(1000), (evidence, at) => {
      const window = decodeWindow(evidence.pass.list)
      const slot = at % window.length
      fc.pre(evidence.pass.header.draws.every((draw) => draw.slot !== slot))
      const inside = isInside(evidence, slot)
      const forged = withNewHashes(evidence, {
        slot,
        winner: window[slot]?.number ?? new Uint8Array(),
        skipped: [],
      })
      // A better place that was skipped could have been drawn, if its reason were false.
      fc.pre(!inside || isBehind(evidence, slot))
      const { page, script } = faults(filesOf(forged))
      const expected = inside ? 'no_one_skipped' : 'slate'
      expect(page).toContain(expected)
      expect(script.join()).toContain(inside ? 'Better places without a reason' : 'not inside the slate')
      // What is wrong is said in other words than what holds.
      const honest = wordsOf(filesOf(evidence))
      expect(script.filter((text) => honest.includes(text))).toEqual([])
      seen[expected] += 1
    }),
    { numRuns: 150, seed: 5 },
  )
  expect(Math.min(seen.slate, seen.no_one_skipped)).toBeGreaterThan(5)
})

test('a member left out is found by both with that member’s place, even if every hash is made again', () => {
  const seen = { before: 0, behind: 0 }
  fc.assert(
    fc.property(anyOf(offers), fc.nat(1000), fc.boolean(), (evidence, at, early) => {
      const window = decodeWindow(evidence.pass.list)
      // Not the last one, whose band the cut-off states.
      const place = window.length - 2 - (at % 4)
      const gone = window[place]
      fc.pre(gone !== undefined && place > evidence.draw.slot)
      if (!gone) return
      const { cut } = evidence.pass.header
      const turn = new Date((cut?.turn.getTime() ?? 0) + (early ? -1 : 0)).toISOString()
      const own: Own = { number: hexOf(gone.number), band: gone.band, turn }
      expect(found(filesOf(evidence).receipt, own)).toEqual({ page: true, script: true })

      const list = encodeWindow(window.filter((one) => one !== gone))
      const draws = evidence.pass.header.draws.filter(({ slot }) => slot < place)
      const shorter = { ...evidence, pass: { ...evidence.pass, list } }
      const counts = { candidates: window.length - 1, matched: draws.length, draws }
      const { receipt } = filesOf(withNewHashes(shorter, {}, counts))
      const before = !cut || gone.band < cut.band || early
      expect(found(receipt, own)).toEqual({ page: !before, script: !before })
      seen[before ? 'before' : 'behind'] += 1
    }),
    { numRuns: 150, seed: 7 },
  )
  expect(Math.min(seen.before, seen.behind)).toBeGreaterThan(5)
})

/** What each of the two finds wrong, in its own words. */
function faults({ receipt, days, day }: Files): { page: string[]; script: string[] } {
  const steps = [checkAsked(receipt), ...checkDays(receipt, days), checkPasses(pass(receipt), day, days)]
  return {
    page: [...failedChecks(receipt), ...steps.flatMap(({ name, ok }) => (ok === false ? [name] : []))],
    script: verify({ receipt, days, dayFiles: [day] })
      .filter(({ ok }) => ok === false)
      .map(({ text }) => text),
  }
}

/** What the script says of each step. */
function wordsOf({ receipt, days, day }: Files): string[] {
  return verify({ receipt, days, dayFiles: [day] }).map(({ text }) => text)
}

/** Whether a member is satisfied with a pass: by the page, and by the script. */
function found(receipt: DrawReceipt, own: Own) {
  const me = { ...own, turn: Date.parse(own.turn) }
  const { format: _, ...rest } = receipt
  const file = { ...rest, format: 'evenhand-draw-pass/1', pass: pass(receipt) }
  return {
    page: checkOwnPlace(pass(receipt), own).ok,
    script: verify({ receipt: file, me, now: Date.parse(file.pass.at) }).every(({ ok }) => ok),
  }
}

/** A simulated offer with the files of its day: an earlier day, its own and the next one. */
function filesOf(evidence: OfferEvidence): Files {
  const receipt = receiptOf(evidence)
  const { at } = pass(receipt)
  const day = at.slice(0, 10)
  receipt.ticket.day = day
  const secret = bytesOf(receipt.daySecret ?? '')
  const passes = run.passes.flatMap(({ offers: [first] }) =>
    first
      ? [{ chain: first.pass.header.chain, number: first.pass.header.passNo, hash: hexOf(first.pass.hash) }]
      : [],
  )
  const own = passes.find(({ number }) => number === pass(receipt).number)
  if (own) own.hash = pass(receipt).hash
  const early = '2027-01-01T00:00:00.000Z'
  const days: DayList = { format: daysFormat, club: receipt.club, records: [] }
  const add = (record: Pick<DayRecord, 'kind' | 'day' | 'at' | 'value'>) => {
    const last = days.records.at(-1)
    const next = { ...record, number: (last?.number ?? 0) + 1, previousHash: last?.hash ?? null }
    days.records.push({ ...next, hash: hexOf(recordHash(next)) })
  }
  add({ kind: 'committed', day: '2027-01-01', at: early, value: '5a'.repeat(32) })
  add({ kind: 'committed', day, at: early, value: receipt.ticket.dayHash })
  add({ kind: 'revealed', day, at: moved(at, 86_400_000), value: revealedValue(secret, passes) })
  receipt.head = { number: 3, hash: days.records[2]?.hash ?? '' }
  const records = structuredClone(days.records.filter((record) => record.day === day))
  const file: DayFile = { format: 'evenhand-draw-day/1', club: receipt.club, day, records, passes }
  return { receipt, days, day: file }
}

type Change = { value?: (value: string) => string; at?: (at: string) => string }

/** The same list with one record of the receipt’s day changed, and every hash from there on made again. */
function chain(days: DayList, kind: DayRecord['kind'], receipt: DrawReceipt, { value, at }: Change) {
  let previousHash: string | null = null
  for (const record of days.records) {
    if (record.kind === kind && record.day === receipt.ticket.day) {
      record.value = value?.(record.value) ?? record.value
      record.at = at?.(record.at) ?? record.at
    }
    record.previousHash = previousHash
    record.hash = hexOf(recordHash(record))
    previousHash = record.hash
  }
  const last = days.records.at(-1)
  receipt.head = { number: days.records.length, hash: last?.hash ?? '' }
}

function lotteryOf({ day, draw, pass: { header, list } }: OfferEvidence) {
  if (!day) throw new Error('A simulated draw has a day.')
  const window = decodeWindow(list)
  const key = lotteryKey(day.secret, day.ticket, draw.nonce)
  const values = lotteryValues(
    key,
    window.map(({ number }) => number),
  )
  const share = slateShare(header.at.getTime() - draw.askedAt.getTime(), SLATE)
  return { values, share, score: (slot: number) => (window[slot]?.band ?? 0) + (values[slot] ?? 1) }
}

function isInside(evidence: OfferEvidence, slot: number) {
  const { values, share } = lotteryOf(evidence)
  return (values[slot] ?? 1) < share
}

/** Whether a place is behind the winner, whose own place no draw of the forged pass takes any more. */
function isBehind(evidence: OfferEvidence, slot: number) {
  const { score } = lotteryOf(evidence)
  return score(slot) > score(evidence.draw.slot)
}

function draw(receipt: DrawReceipt) {
  const [first] = receipt.draws
  if (!first) throw new Error('The receipt has no draw.')
  return first
}

function pass(receipt: DrawReceipt) {
  return draw(receipt).pass
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Another digit at a place of a hexadecimal text. */
function flip(text: string, at: number): string {
  const place = at % text.length
  const digit = (Number.parseInt(text.charAt(place), 16) ^ 1).toString(16)
  return text.slice(0, place) + digit + text.slice(place + 1)
}

function moved(time: string, by: number): string {
  return new Date(Date.parse(time) + 1 + by).toISOString()
}
