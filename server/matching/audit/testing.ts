// Draws without a club: an honest run of one worker, and forgeries of it.
import { createHash } from 'node:crypto'
import {
  betterPlaces,
  checkOffer,
  encodeWindow,
  lotteryKey,
  lotteryValues,
  memberNumber,
  passHash,
  sealDraw,
  slateShare,
  ticketCommitment,
  ticketSecret,
} from '#contract/draw.ts'
import type { CheckedOffer, Draw, OfferEvidence, PassHeader, SkipReason, SlateRule } from '#contract/draw.ts'
import { makeRandom } from '#db/seed/random.ts'
import { hexOf, receiptFormat } from '#contract/draw-receipt.ts'
import type { DrawReceipt } from '#contract/draw-receipt.ts'
import { openWindow } from '../passes/solve.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const SLATE = { start: 0.1, doublingMs: 30 * MINUTE }

export type Pass = { offers: OfferEvidence[] }

/** The name of the first check that fails; null when none does. What cannot be known yet is no fault. */
export function firstFault(evidence: OfferEvidence, slate: SlateRule): keyof CheckedOffer['checks'] | null {
  const { checks } = checkOffer(evidence, slate)
  const names: (keyof typeof checks)[] = [
    'parts',
    'day_secret',
    'commitment',
    'chain',
    'window',
    'draw',
    'winner',
    'slate',
    'no_one_skipped',
  ]
  return names.find((name) => checks[name] === false) ?? null
}

/**
 * A run of one worker: one to six requests at a time, a few minutes to two days old, and 6 to 20 present
 * members. Sellers may be present too. Three in ten pairs have met before, which only the check of history
 * shows.
 */
export function simulate(count: number, seed: number): { daySecret: Buffer; passes: Pass[] } {
  const die = makeRandom(seed)
  const daySecret = Buffer.alloc(32, seed)
  const secretHash = createHash('sha256').update(daySecret).digest()
  const members = Array.from({ length: 60 }, (_, member) => ({
    id: `member-${member}`,
    number: memberNumber(Buffer.alloc(32, member), 2900),
    band: member % 6,
  }))
  const met = new Set(
    members.flatMap((one) => members.filter(() => die() < 0.15).flatMap((two) => [pairOf(one.id, two.id)])),
  )
  const passes: Pass[] = []
  let previousHash: Uint8Array | null = null
  let ticket = 0n

  for (let passNo = 1; passNo <= count; passNo++) {
    const at = new Date(1_800_000_000_000 + passNo * MINUTE)
    const here = shuffled(members, die)
      .slice(0, 6 + Math.floor(die() * 15))
      .toSorted((one, two) => one.band - two.band)
    const requests = shuffled(members, die)
      .slice(0, 1 + Math.floor(die() * 6))
      .map((seller) => {
        const nonce = Buffer.from(hexOf(memberNumber(daySecret, Number(++ticket))))
        const key = lotteryKey(daySecret, ticket, nonce)
        const values = lotteryValues(
          key,
          here.map(({ number }) => number),
        )
        const age = Math.round(die() * (die() < 0.5 ? 2 : 48) * HOUR)
        const share = slateShare(age, SLATE)
        return { sellerId: seller.id, ticket, nonce, values, age, share, cap: age < 6 * HOUR ? 4 : 5 }
      })

    const window = openWindow({
      requests,
      candidates: here.map(({ id }) => ({ memberId: id })),
      score(index, slot) {
        const request = requests[index]!
        const { id, band } = here[slot]!
        const value = request.values[slot]!
        return value >= request.share || id === request.sellerId || band > request.cap
          ? Infinity
          : band + value
      },
    })
    let matching = window.solve()
    for (let found = true; found; matching = found ? window.solve() : matching) {
      found = false
      for (const [index, slot] of matching.candidateOf.entries()) {
        if (slot < 0 || !met.has(pairOf(requests[index]!.sellerId, here[slot]!.id))) continue
        window.forbid(index, slot)
        found = true
      }
    }

    const drawn = requests.flatMap((request, index) => {
      const slot = matching.candidateOf[index]!
      if (slot < 0) return []
      const skipped = betterPlaces(here, request.values, request.share, slot).flatMap((better) => {
        const reason = reasonFor(window.whySkipped(index, better), here[better]!.id === request.sellerId)
        return reason === null ? [] : [{ slot: better, reason }]
      })
      const secret = ticketSecret(daySecret, request.ticket)
      const draw: Draw = {
        commitment: ticketCommitment(secret),
        nonce: request.nonce,
        askedAt: new Date(at.getTime() - request.age),
        slot,
        winner: here[slot]!.number,
        skipped,
        beacon: null,
      }
      return [{ secret, draw, day: { secret: daySecret, secretHash, ticket: request.ticket } }]
    })
    const header: PassHeader = {
      chain: 'worker-1',
      passNo,
      at,
      phase: 0,
      requests: requests.length,
      candidates: here.length,
      matched: drawn.length,
      cut: die() < 0.5 ? null : { band: here.at(-1)!.band, turn: new Date(1_700_000_000_000) },
      slate: SLATE,
      draws: drawn.map(({ draw }) => sealDraw(draw)),
    }
    const list = encodeWindow(here)
    const pass: OfferEvidence['pass'] = {
      previousHash,
      header,
      list,
      hash: passHash(previousHash, header, list),
    }
    previousHash = pass.hash
    passes.push({ offers: drawn.map((offer) => ({ ...offer, pass })) })
  }
  return { daySecret, passes }
}

function reasonFor(
  skip: ReturnType<ReturnType<typeof openWindow>['whySkipped']>,
  own: boolean,
): SkipReason | null {
  if (skip === 'forbidden') return 'paired_before'
  if (skip === 'reciprocal') return 'paired_in_pass'
  if (skip === 'refused') return own ? 'own_product' : 'over_cap'
  return null
}

export function withHeader(evidence: OfferEvidence, change: Partial<PassHeader>): OfferEvidence {
  return { ...evidence, pass: { ...evidence.pass, header: { ...evidence.pass.header, ...change } } }
}

/** The same forgery with every hash of the pass made again, as only the operator could. */
export function withNewHashes(
  evidence: OfferEvidence,
  change: Partial<Draw>,
  header: Partial<PassHeader> = {},
): OfferEvidence {
  const draw = { ...evidence.draw, ...change }
  const draws = evidence.pass.header.draws.map((sealed) =>
    sealed.slot === evidence.draw.slot ? sealDraw(draw) : sealed,
  )
  const forged = withHeader({ ...evidence, draw }, { draws, ...header })
  const hash = passHash(forged.pass.previousHash, forged.pass.header, forged.pass.list)
  return { ...forged, pass: { ...forged.pass, hash } }
}

function pairOf(one: string, two: string): string {
  return [one, two].toSorted().join(' ')
}

function shuffled<T>(items: readonly T[], die: () => number): T[] {
  return items
    .map((item) => ({ item, at: die() }))
    .toSorted((one, two) => one.at - two.at)
    .map(({ item }) => item)
}

/** The receipt of a simulated offer, with its day's secret. */
export function receiptOf({ day, draw, pass }: OfferEvidence): DrawReceipt {
  const { header } = pass
  const iso = (at: Date) => at.toISOString()
  return {
    format: receiptFormat,
    club: 'http://localhost',
    side: 'seller',
    request: '00000000-0000-7000-8000-000000000001',
    issuedAt: iso(header.at),
    slate: SLATE,
    ticket: {
      day: iso(draw.askedAt).slice(0, 10),
      number: String(day?.ticket),
      commitment: hexOf(draw.commitment),
      dayHash: hexOf(day?.secretHash ?? new Uint8Array()),
    },
    nonce: hexOf(draw.nonce),
    askedAt: iso(draw.askedAt),
    beacon: null,
    daySecret: day && hexOf(day.secret),
    head: null,
    draws: [
      {
        slot: draw.slot,
        winner: hexOf(draw.winner),
        skipped: [...draw.skipped],
        pass: {
          chain: header.chain,
          number: header.passNo,
          at: iso(header.at),
          phase: header.phase,
          requests: header.requests,
          candidates: header.candidates,
          matched: header.matched,
          cut: header.cut && { band: header.cut.band, turn: iso(header.cut.turn) },
          slate: header.slate,
          draws: header.draws.map(({ slot, digest }) => ({ slot, digest: hexOf(digest) })),
          list: hexOf(pass.list),
          previousHash: pass.previousHash && hexOf(pass.previousHash),
          hash: hexOf(pass.hash),
        },
      },
    ],
  }
}
