// A pass is one run of the draw, in one transaction. It locks requests and candidates, scores each pair,
// matches them, checks the chosen pairs against history, writes the offers, and records the evidence.
// - window: the candidates of a pass, in the order of the rotation.
// - band: a candidate's balance group. Members who owe reviews have the lowest bands and are first in it.
//
// Tiers are explained in tiers.ts, the slate in draw.ts, and the rules in docs/decisions/006-rotation.md.
import { drawSpare, drawSpareMost, drawSpareWidening } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { emitAll } from '#server/kit/live/events.ts'
import { beaconOf } from './beacon/expected.ts'
import { bandLimit, barredFrom } from './candidates.ts'
import type { Candidate, Phase } from './candidates.ts'
import { findCircles } from './limits/circles.ts'
import type { Circles } from './limits/circles.ts'
import {
  betterPlaces,
  encodeWindow,
  lotteryAmong,
  lotteryWeek,
  memberNumber,
  passHash,
  recordedReason,
  sealDraw,
  slateShare,
} from '#contract/draw.ts'
import type { Draw, PassHeader, SkippedPlace, SkipReason, SlateRule } from '#contract/draw.ts'
import { forbiddenOf, historyOf } from './history.ts'
import { windowStartNow } from './pairs.ts'
import { writeOfferNotices } from './passes/offer-notices.ts'
import { readOutlook } from './passes/outlook.ts'
import { insertOffers, insertPass, takeCandidates, takeRequests, waitForChain } from './passes/statements.ts'
import type { Place, QueuedRequest } from './passes/statements.ts'
import { renewQuietHours } from './presence/quiet-hours.ts'
import { openWindow } from './passes/solve.ts'
import type { Matching, PassWindow } from './passes/solve.ts'
import { sweepTiers } from './tiers.ts'

/** Bounds the memory of a pass: with `drawSpareMost` it bounds the window. */
const mostRequests = 500
const mostAttempts = 5
/** More requests that fail in one run of a phase are no fault of theirs. */
const mostFailures = 20
/** After so many looks at chosen pairs, history is read for the whole window. */
const looksAtPairs = 2

type Chosen = { request: number; candidate: number }
/** What a pass decided for one request: the offer to write, and the draw that its evidence states. */
type Drawn = { offerId: string; request: QueuedRequest; reviewer: Candidate; draw: Draw }

/**
 * Runs passes until every waiting request was looked at once, then writes the notices of the offers. Present
 * members come first; old requests then go to the others. Returns the number of offers made. With nothing to
 * do, this is one query. A request that no pass can take keeps no other waiting: its failure is thrown last.
 */
export async function matchRequests(ctx: Ctx, { batch = 50 }: { batch?: number } = {}): Promise<number> {
  let outlook = await readOutlook(ctx)
  if (outlook.quietHoursEnded) await inTransaction(ctx, renewQuietHours)
  if (outlook.tiersChanged) await sweepTiers(ctx)
  if (outlook.quietHoursEnded || outlook.tiersChanged) outlook = await readOutlook(ctx)
  let made = 0
  const failures: unknown[] = []
  for (const phase of outlook.phases) {
    const run = await runPhase(ctx, phase, Math.min(batch, mostRequests))
    made += run.made
    failures.push(...run.failures)
  }
  if (made > 0 || outlook.noticesDue) await writeOfferNotices(ctx)
  if (failures.length > 0) throw failures[0]
  return made
}

/**
 * After a pass that failed, its requests are taken one by one, and the one at fault is left out. The phase
 * ends after too many, and when no request could be read.
 */
async function runPhase(ctx: Ctx, phase: Phase, batch: number) {
  const failures: unknown[] = []
  let made = 0
  let behind: Place | null = null
  let alone = 0
  for (;;) {
    const size = alone > 0 ? 1 : batch
    alone = Math.max(alone - 1, 0)
    const taken: Taken = { requests: 0, last: null }
    try {
      const result: PassResult = await runPass(ctx, { phase, batch: size, behind, taken })
      made += result.matched
      if (result.requests < size) return { made, failures }
      behind = result.last
    } catch (err) {
      if (size > 1) {
        ctx.log.warn({ err, size }, 'a pass failed, and its requests are taken one by one')
        alone = batch
        continue
      }
      failures.push(err)
      if (!taken.last || failures.length > mostFailures) return { made, failures }
      ctx.log.error({ err, queueId: taken.last.id }, 'a request could not be taken by a pass')
      behind = taken.last
    }
  }
}

/** How many requests the batch has, and the last of them. */
type Taken = { requests: number; last: Place | null }
type PassResult = Taken & { candidates: number; matched: number }
/** `taken` is filled with the batch as soon as the pass holds it, and again at each attempt. */
type PassOptions = { phase: Phase; batch: number; behind?: Place | null; taken?: Taken }

/** A pass met rows that others changed or hold at that moment, among them the states of these members. */
class PassLost extends Error {
  readonly busy: readonly string[]

  constructor(busy: readonly string[]) {
    super('A pass met rows that others hold.')
    this.busy = busy
  }
}

/**
 * One pass over the first `batch` requests that no other worker holds. It serves what can be served, or
 * writes nothing. When it loses a row to others at the last moment, it begins again without that member; a
 * batch that loses each time waits for the next run, and those behind it do not.
 */
export async function runPass(ctx: Ctx, options: PassOptions): Promise<PassResult> {
  let busy: readonly string[] = []
  const { taken = { requests: 0, last: null } } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(ctx, (ctx) => attemptPass(ctx, { ...options, taken }, busy))
    } catch (error) {
      if (!(error instanceof PassLost)) throw error
      if (attempt === mostAttempts) {
        ctx.log.warn({ attempts: attempt }, 'a pass of the rotation was left to the next run')
        return { ...taken, candidates: 0, matched: 0 }
      }
      busy = [...busy, ...error.busy]
    }
  }
}

async function attemptPass(
  ctx: Ctx,
  { phase, batch, behind = null, taken }: PassOptions & { taken: Taken },
  busy: readonly string[],
): Promise<PassResult> {
  const requests = await takeRequests(ctx, { phase, batch: Math.min(batch, mostRequests), behind })
  const [first, last] = [requests[0], requests.at(-1) ?? null]
  if (!first || !last) return { requests: 0, candidates: 0, matched: 0, last }
  Object.assign(taken, { requests: requests.length, last })
  const { scored, chosen, forbidden } = await choose(ctx, { phase, at: new Date(first.at), requests, busy })
  const result = { requests: requests.length, candidates: scored.candidates.length, last }
  if (chosen.length === 0) return { ...result, matched: 0 }
  const passId = newId()
  const drawn = drawOffers(scored, chosen, forbidden)
  const chain = first.chain ?? (await waitForChain(ctx))
  const head = await writeOffers(ctx, { phase, passId, drawn, chain })
  await recordPass(ctx, phase, scored, { passId, drawn, chain, head })
  await emitAll(
    ctx,
    'offer.made',
    drawn.map(({ request, reviewer }) => ({
      fields: { queueId: request.id },
      recipients: [reviewer.memberId, request.sellerId],
    })),
  )
  return { ...result, matched: drawn.length }
}

/** The requests and candidates of a pass with their lottery values and their window. */
type ScoredPass = {
  at: Date
  requests: QueuedRequest[]
  candidates: Candidate[]
  circles: Circles
  /** Whether more candidates may follow: the window is as large as it was allowed to be. */
  wasCut: boolean
  numbers: Uint8Array[]
  slate: SlateRule
  values: Float64Array[]
  shares: number[]
  window: PassWindow
  /** Why a candidate may not take a request before history is checked, or null. */
  barred: (request: number, candidate: number) => SkipReason | null
}

type Scoring = Pick<ScoredPass, 'at' | 'requests' | 'candidates' | 'circles'> & { size: number }

function scorePass(ctx: Ctx, { at, requests, candidates, circles, size }: Scoring): ScoredPass {
  const week = lotteryWeek(at.getTime())
  const numbers = candidates.map(({ auditKey }) => memberNumber(auditKey, week))
  const { slate } = ctx.config.rotation
  const valuesUnder = lotteryAmong(numbers)
  const values = requests.map(({ lotteryKey }) => valuesUnder(lotteryKey))
  const shares = requests.map(({ askedAt }) => slateShare(at.getTime() - new Date(askedAt).getTime(), slate))

  function barred(request: number, candidate: number): SkipReason | null {
    const asked = requests[request]
    const member = candidates[candidate]
    if (!asked || !member) return 'conflict'
    return barredFrom(asked, member)
  }

  const window = openWindow({
    requests,
    candidates,
    score(request, candidate) {
      const value = values[request]?.[candidate] ?? 1
      if (value >= (shares[request] ?? 0) || barred(request, candidate) !== null)
        return Number.POSITIVE_INFINITY
      return (candidates[candidate]?.band ?? 0) + (value + Number(circles.has(request, candidate))) / 2
    },
  })
  const wasCut = candidates.length === size
  return { at, requests, candidates, circles, wasCut, numbers, slate, values, shares, window, barred }
}

type Choosing = { phase: Phase; at: Date; requests: QueuedRequest[]; busy: readonly string[] }
/** Why history rules out a pair: by member, then by request. */
type Forbidden = Map<string, Map<number, SkipReason>>

/**
 * Takes candidates and solves their window until every chosen pair is allowed. While a request is left and
 * more candidates may follow, the whole window is taken again, wider. So the last window is one read of the
 * rotation, and it is whole in the evidence. The chosen pairs are checked against history; after two checks
 * with a fault, history is read for the whole window at once.
 */
async function choose(ctx: Ctx, { phase, at, requests, busy }: Choosing) {
  const forbidden: Forbidden = new Map()
  const allowed = new Set<string>()
  const read = new Set<string>()
  let spare = drawSpare
  let looks = 0
  let scored = await take()

  async function take() {
    // Few different sizes, so that their statements are prepared.
    const size = 2 ** Math.ceil(Math.log2(requests.length)) + spare
    const candidates = await takeCandidates(ctx, { phase, band: bandLimit(requests), size, busy })
    const circles = await findCircles(ctx, requests, candidates, windowStartNow)
    const taken = scorePass(ctx, { at, requests, candidates, circles, size })
    for (const [candidate, { memberId }] of candidates.entries())
      for (const request of forbidden.get(memberId)?.keys() ?? []) taken.window.forbid(request, candidate)
    return taken
  }

  const memberAt = ({ candidate }: Chosen) => scored.candidates[candidate]?.memberId ?? ''
  const keyAt = (edge: Chosen) => `${edge.request}:${memberAt(edge)}`

  function forbid(edge: Chosen, reason: SkipReason) {
    const { request, candidate } = edge
    const reasons = forbidden.get(memberAt(edge)) ?? new Map<number, SkipReason>()
    forbidden.set(memberAt(edge), reasons.set(request, reason))
    scored.window.forbid(request, candidate)
  }

  async function readHistory() {
    const candidates = scored.candidates.flatMap(({ memberId }, place) =>
      read.has(memberId) ? [] : [{ memberId, place }],
    )
    const { rows } = await historyOf({ requests, candidates }, windowStartNow).execute(ctx.db)
    for (const { request, reason, places } of rows) {
      for (const place of places.split(',')) {
        const candidate = candidates[Number(place)]?.place
        if (candidate !== undefined) forbid({ request, candidate }, reason)
      }
    }
    for (const { memberId } of candidates) read.add(memberId)
  }

  for (;;) {
    const chosen = edgesOf(scored.window.solve())
    if (chosen.length < requests.length && scored.wasCut && spare < drawSpareMost) {
      spare *= drawSpareWidening
      scored = await take()
      if (looks >= looksAtPairs) await readHistory()
      continue
    }
    const open = chosen.filter((edge) => !allowed.has(keyAt(edge)))
    const faults = open.length > 0 ? await findForbidden(ctx, scored, open) : []
    if (faults.length === 0) return { scored, chosen, forbidden }
    for (const { edge, reason } of faults) forbid(edge, reason)
    for (const edge of open) if (!forbidden.get(memberAt(edge))?.has(edge.request)) allowed.add(keyAt(edge))
    looks += 1
    if (looks === looksAtPairs) await readHistory()
  }
}

function edgesOf({ candidateOf }: Matching): Chosen[] {
  return [...candidateOf].flatMap((candidate, request) => (candidate < 0 ? [] : [{ request, candidate }]))
}

/** The chosen edges that history forbids. */
async function findForbidden(ctx: Ctx, scored: ScoredPass, chosen: Chosen[]) {
  const edges = chosen.map(({ request, candidate }, edge) => ({
    edge,
    listing: scored.requests[request]?.listingId,
    seller: scored.requests[request]?.sellerId,
    reviewer: scored.candidates[candidate]?.memberId,
  }))
  const rows = await runPrepared(ctx.db, forbiddenOf(edges, windowStartNow))
  return rows.flatMap(({ edge, reason }) => {
    const at = chosen[edge]
    return at ? [{ edge: at, reason }] : []
  })
}

/**
 * The draws of a pass as its evidence states them, with a reason for each better place that was skipped and
 * not drawn elsewhere. They are in the order of their places, which is the order that was hashed.
 */
function drawOffers(scored: ScoredPass, chosen: Chosen[], forbidden: Forbidden): Drawn[] {
  const { requests, candidates, circles, numbers, values, shares, barred } = scored
  const places = placesOf(scored)
  const taken = new Set(chosen.map(({ candidate }) => candidate))

  function reasonFor(request: number, place: number, slot: number): SkipReason {
    const closesCircle = circles.has(request, place) && candidates[place]?.band === candidates[slot]?.band
    return (
      barred(request, place) ??
      forbidden.get(candidates[place]?.memberId ?? '')?.get(request) ??
      (closesCircle ? 'circle' : 'paired_in_pass')
    )
  }

  return chosen
    .toSorted((one, other) => one.candidate - other.candidate)
    .map(({ request: at, candidate: slot }) => {
      const request = requests[at]
      const reviewer = candidates[slot]
      if (!request || !reviewer) throw new Error('A drawn request is not part of the pass.')
      const better = betterPlaces(places, values[at] ?? new Float64Array(), shares[at] ?? 0, slot)
      const skipped: SkippedPlace[] = better
        .filter((place) => !taken.has(place))
        .map((place) => ({ slot: place, reason: recordedReason(reasonFor(at, place, slot)) }))
      const draw: Draw = {
        commitment: request.lotteryCommit,
        nonce: request.lotteryNonce,
        askedAt: new Date(request.askedAt),
        slot,
        winner: numbers[slot] ?? new Uint8Array(8),
        skipped,
        beacon: beaconOf(request),
      }
      return { offerId: newId(), request, reviewer, draw }
    })
}

/** The hour before a moment: the time itself could identify the last member of a window. */
function hourOf(at: string) {
  const hourMs = 3_600_000
  return new Date(Math.floor(Date.parse(at) / hourMs) * hourMs)
}

function placesOf({ candidates, numbers }: ScoredPass) {
  return candidates.map(({ band }, slot) => ({ number: numbers[slot] ?? new Uint8Array(8), band }))
}

type Writing = { phase: Phase; passId: string; drawn: Drawn[]; chain: number }

/** Writes all offers of a pass and returns the head of its chain, or throws that the pass is lost. */
async function writeOffers(ctx: Ctx, { phase, passId, drawn, chain }: Writing) {
  const offers = drawn.map(({ offerId, request, reviewer, draw }) => ({
    id: offerId,
    queue: request.id,
    seller: request.sellerId,
    reviewer: reviewer.memberId,
    pass: passId,
    slot: draw.slot,
    skipped: draw.skipped,
  }))
  const written = await insertOffers(ctx, phase, offers, chain)
  if (written.some(({ made }) => !made))
    throw new PassLost(written.filter(({ free }) => !free).map(({ reviewerId }) => reviewerId))
  return { passNo: written[0]?.passNo ?? 0, hash: written[0]?.hash ?? null }
}

type Recording = {
  passId: string
  drawn: Drawn[]
  chain: number
  head: { passNo: number; hash: Buffer | null }
}

/** Records the evidence of a pass, chained to the pass before. */
async function recordPass(
  ctx: Ctx,
  phase: Phase,
  scored: ScoredPass,
  { passId, drawn, chain, head }: Recording,
) {
  const { at, requests, candidates, wasCut, slate } = scored
  const last = candidates.at(-1)
  const header: PassHeader = {
    chain: `chain-${chain}`,
    passNo: head.passNo + 1,
    at,
    phase,
    requests: requests.length,
    candidates: candidates.length,
    matched: drawn.length,
    cut: wasCut && last ? { band: last.band, turn: hourOf(last.turnAt) } : null,
    slate,
    draws: drawn.map(({ draw }) => sealDraw(draw)),
  }
  const list = encodeWindow(placesOf(scored))
  await insertPass(ctx, {
    ...header,
    id: passId,
    phase,
    slate,
    list: Buffer.from(list),
    previousHash: head.hash,
    hash: Buffer.from(passHash(head.hash, header, list)),
    offerIds: drawn.map(({ offerId }) => offerId),
  })
  ctx.log.info(
    {
      pass: header.passNo,
      requests: header.requests,
      candidates: header.candidates,
      matched: header.matched,
    },
    'a pass of the rotation ended',
  )
}
