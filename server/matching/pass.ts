// A pass is one run of the draw, in one transaction. It locks requests and candidates, scores each pair,
// matches them, checks the chosen pairs against history, writes the offers, and records the evidence.
// - window: the candidates of a pass, in the order of the rotation.
// - band: a candidate's balance group. Members who owe reviews have the lowest bands and are first in it.
//
// Tiers are explained in tiers.ts, the slate in draw.ts, and the rules in docs/decisions/006-rotation.md.
import { sql } from 'kysely'
import { drawSpare, offerMinutes } from '#contract/matching.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emitAll } from '#server/kit/live/events.ts'
import { keepOpen } from '#server/products/lanes.ts'
import { takesPart } from '#server/membership/standings.ts'
import { bandLimit, barredFrom, candidateColumns, hoursBefore, phases } from './candidates.ts'
import type { Candidate, Phase } from './candidates.ts'
import {
  betterPlaces,
  encodeWindow,
  lotteryValues,
  memberNumber,
  passHash,
  sealDraw,
  slateShare,
} from './draw.ts'
import type { Draw, PassHeader, SkippedPlace, SkipReason } from './draw.ts'
import { forbiddenOf } from './history.ts'
import { notifyOffersMade } from './notices.ts'
import { readPairWindow, windowStart } from './pairs.ts'
import { openWindow } from './solve.ts'
import type { Matching, PassWindow } from './solve.ts'
import { sweepTiers } from './tiers.ts'

const widening = 4
const mostWidenings = 4
const mostRounds = 8
const mostChains = 16

type QueuedRequest = {
  id: string
  sellerId: string
  listingId: string
  productTitle: string
  createdAt: string
  prioAt: string
  ageHours: number
  lotteryKey: Buffer
  lotteryCommit: Buffer
  lotteryNonce: Buffer
}
type Chosen = { request: number; candidate: number }
type WindowStart = ReturnType<typeof windowStart>
/** What a pass decided for one request: the offer to write, and the draw that its evidence states. */
type Drawn = { offerId: string; request: QueuedRequest; reviewer: Candidate; draw: Draw }

/**
 * Runs passes until no request can be matched now. Present members come first; old requests then go to the
 * others. A batch without a match is tried on wider windows, then skipped for this run, so it never blocks
 * later requests. Returns the number of offers made.
 */
export async function matchRequests(ctx: Ctx, { batch = 50 }: { batch?: number } = {}): Promise<number> {
  await sweepTiers(ctx)
  let made = 0
  for (const phase of [phases.present, phases.absent, phases.standby]) {
    let behind: Place | null = null
    let widened = 0
    for (let round = 0; round < 200; round += 1) {
      const spare = drawSpare * widening ** widened
      const result: PassResult = await runPass(ctx, { phase, batch, behind, spare })
      made += result.matched
      if (result.requests === 0) break
      if (result.matched > 0) continue
      if (result.wasCut && widened < mostWidenings) {
        widened += 1
      } else {
        behind = result.last
        widened = 0
      }
    }
  }
  return made
}

/** A request's place in the queue. */
type Place = { prioAt: string; id: string }

/**
 * `wasCut`: the window reached its size limit, so more candidates may follow. `last`: the last request of the
 * batch.
 */
type PassResult = {
  requests: number
  candidates: number
  matched: number
  wasCut: boolean
  last: Place | null
}
type PassOptions = { phase: Phase; batch: number; behind?: Place | null; spare?: number }

/** One pass over the first `batch` requests that no other worker holds. */
export function runPass(
  ctx: Ctx,
  { phase, batch, behind = null, spare = drawSpare }: PassOptions,
): Promise<PassResult> {
  return inTransaction(ctx, async (ctx) => {
    const open = await keepOpen(ctx)
    const at = await passTime(ctx)
    const requests = await takeRequests(ctx, { phase, batch, behind, open })
    const last = requests.at(-1) ?? null
    if (!last) return { requests: 0, candidates: 0, matched: 0, wasCut: false, last }
    const size = requests.length + spare
    const candidates = await takeCandidates(ctx, phase, bandLimit(requests), size)
    const seen = { requests: requests.length, candidates: candidates.length }
    if (candidates.length === 0) return { ...seen, matched: 0, wasCut: false, last }
    const wasCut = candidates.length === size

    const scored = scorePass(ctx, at, requests, candidates)
    const passId = newId()
    const drawn = await chooseAndWrite(ctx, phase, scored, passId)
    if (drawn.length > 0) {
      await recordPass(ctx, phase, scored, { passId, drawn, wasCut })
      await notifyBoth(ctx, phase, drawn)
    }
    return { ...seen, matched: drawn.length, wasCut, last }
  })
}

/** The time of a pass. The evidence hashes milliseconds, so the rest is cut off. */
async function passTime(ctx: Ctx) {
  const { rows } = await sql<{
    at: string
  }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(ctx.db)
  return new Date(rows[0]?.at ?? '')
}

type Taking = { phase: Phase; batch: number; behind: Place | null; open: string[] }

/** The first waiting requests for products on open marketplaces. */
async function takeRequests(ctx: Ctx, { phase, batch, behind, open }: Taking) {
  const oldEnough = hoursBefore(phase)
  const further = behind ? sql`and (q.prio_at, q.id) > (${behind.prioAt}, ${behind.id})` : sql``
  const { rows } = await sql<QueuedRequest>`
    select q.id, q.seller_id, q.listing_id, p.title as product_title, q.created_at, q.prio_at,
      q.lottery_key, q.lottery_commit, q.lottery_nonce,
      extract(epoch from clock_timestamp() - q.created_at)::float8 / 3600 as age_hours
    from review_queue q join products p on p.id = q.product_id
    where q.status = 'queued' and p.marketplace_id = any(${open}::uuid[]) and q.created_at <= clock_timestamp() - make_interval(hours => ${oldEnough})
      ${further}
    order by q.prio_at, q.id limit ${batch}
    for no key update of q skip locked`.execute(ctx.db)
  return rows
}

async function takeCandidates(ctx: Ctx, phase: Phase, band: number, size: number) {
  const here = phase === phases.present ? sql`and s.here_until > clock_timestamp()` : sql``
  const { rows } = await sql<Candidate>`
    select ${candidateColumns} from reviewer_states s
    where s.tier = ${phase} and s.band <= ${band} and s.available_at <= clock_timestamp() ${here}
      and ${takesPart('s.member_id')}
    order by s.tier, s.band, s.turn_at, s.member_id limit ${size}
    for no key update of s skip locked`.execute(ctx.db)
  return rows
}

/** The requests and candidates of a pass with their lottery values and their window. */
type ScoredPass = {
  at: Date
  requests: QueuedRequest[]
  candidates: Candidate[]
  numbers: Buffer[]
  values: Float64Array[]
  shares: number[]
  window: PassWindow
  /** Why a candidate may not take a request before history is checked, or null. */
  barred: (request: number, candidate: number) => SkipReason | null
}

const weekMs = 7 * 24 * 3_600_000

function scorePass(ctx: Ctx, at: Date, requests: QueuedRequest[], candidates: Candidate[]): ScoredPass {
  const week = Math.floor(at.getTime() / weekMs)
  const numbers = candidates.map(({ auditKey }) => memberNumber(auditKey, week))
  const { slateStart: start, slateDoublingMinutes } = ctx.config.rotation
  const slate = { start, doublingMs: slateDoublingMinutes * 60_000 }
  const values = requests.map((request) => lotteryValues(request.lotteryKey, numbers))
  const shares = requests.map(({ createdAt }) =>
    slateShare(at.getTime() - new Date(createdAt).getTime(), slate),
  )

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
      return (candidates[candidate]?.band ?? 0) + value
    },
  })
  return { at, requests, candidates, numbers, values, shares, window, barred }
}

/**
 * Solves the window and writes the offers. Pairs that history forbids are cut, and the window is solved
 * again.
 */
async function chooseAndWrite(ctx: Ctx, phase: Phase, scored: ScoredPass, passId: string): Promise<Drawn[]> {
  const since = windowStart(await readPairWindow(ctx))
  const forbidden = new Map<string, SkipReason>()
  const forbid = ({ request, candidate }: Chosen, reason: SkipReason) => {
    forbidden.set(`${request}:${candidate}`, reason)
    scored.window.forbid(request, candidate)
  }
  for (let round = 0; round < mostRounds;) {
    const chosen = edgesOf(scored.window.solve())
    if (chosen.length === 0) break
    const faults = await findForbidden(ctx, scored, chosen, since)
    if (faults.length > 0) {
      // Each check of history cuts at least one edge, so the loop ends.
      for (const { edge, reason } of faults) forbid(edge, reason)
      continue
    }
    const drawn = drawOffers(scored, chosen, forbidden)
    const made = await writeOffers(ctx, phase, passId, drawn, since)
    if (made.size === drawn.length) return drawn
    // Another worker took these pairs a moment ago, so this round was rolled back.
    for (const edge of chosen)
      if (!made.has(scored.requests[edge.request]?.id ?? '')) forbid(edge, 'paired_before')
    round += 1
  }
  return []
}

function edgesOf({ candidateOf }: Matching): Chosen[] {
  return [...candidateOf].flatMap((candidate, request) => (candidate < 0 ? [] : [{ request, candidate }]))
}

/** The chosen edges that history forbids. */
async function findForbidden(ctx: Ctx, scored: ScoredPass, chosen: Chosen[], since: WindowStart) {
  const edges = chosen.map(({ request, candidate }, edge) => ({
    edge,
    listing: scored.requests[request]?.listingId,
    seller: scored.requests[request]?.sellerId,
    reviewer: scored.candidates[candidate]?.memberId,
  }))
  const { rows } = await forbiddenOf(edges, since).execute(ctx.db)
  return rows.flatMap(({ edge, reason }) => {
    const at = chosen[edge]
    return at ? [{ edge: at, reason }] : []
  })
}

/**
 * The draws of a pass as its evidence states them, with a reason for each better place that was skipped and
 * not drawn elsewhere. They are in the order of their places, which is the order that was hashed.
 */
function drawOffers(
  scored: ScoredPass,
  chosen: Chosen[],
  forbidden: ReadonlyMap<string, SkipReason>,
): Drawn[] {
  const { requests, candidates, numbers, values, shares, barred } = scored
  const places = placesOf(scored)
  const taken = new Set(chosen.map(({ candidate }) => candidate))

  function reasonFor(request: number, place: number): SkipReason {
    return barred(request, place) ?? forbidden.get(`${request}:${place}`) ?? 'paired_in_pass'
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
        .map((place) => ({ slot: place, reason: reasonFor(at, place) }))
      const draw: Draw = {
        commitment: request.lotteryCommit,
        nonce: request.lotteryNonce,
        askedAt: new Date(request.createdAt),
        slot,
        winner: numbers[slot] ?? Buffer.alloc(8),
        skipped,
      }
      return { offerId: newId(), request, reviewer, draw }
    })
}

function placesOf({ candidates, numbers }: ScoredPass) {
  return candidates.map(({ band }, slot) => ({ number: numbers[slot] ?? Buffer.alloc(8), band }))
}

/** Returns the requests whose pairs were won. Unless all were won, nothing is written. */
async function writeOffers(ctx: Ctx, phase: Phase, passId: string, drawn: Drawn[], since: WindowStart) {
  const rows = drawn.map(({ offerId, request, reviewer, draw }) => ({
    id: offerId,
    queue: request.id,
    seller: request.sellerId,
    reviewer: reviewer.memberId,
    pass: passId,
    slot: draw.slot,
    skipped: draw.skipped,
  }))
  await sql`savepoint offers`.execute(ctx.db)
  const made = await insertOffers(ctx, phase, rows, since)
  const end = made.size === rows.length ? sql`release savepoint offers` : sql`rollback to savepoint offers`
  await end.execute(ctx.db)
  return made
}

export type NewOffer = {
  id: string
  queue: string
  seller: string
  reviewer: string
  pass: string | null
  slot: number
  skipped: readonly SkippedPlace[]
}

/**
 * Writes offers in one statement: first the pair's row, since an offer requires it, then the offer with the
 * product as it is now, the request and the member. Returns the requests whose pairs were won. Offers of
 * pairs that another worker holds are not written.
 */
export async function insertOffers(ctx: Ctx, phase: Phase, offers: NewOffer[], since: WindowStart) {
  const minutes = phase === phases.present ? offerMinutes.present : offerMinutes.absent
  const { rows } = await sql<{ queueId: string }>`
    with e as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(offers)}::jsonb)
        as t(id uuid, queue uuid, seller uuid, reviewer uuid, pass uuid, slot int, skipped jsonb)
      order by least(seller, reviewer), greatest(seller, reviewer)
    ), won as (
      insert into pair_uses as u (lo, hi, held)
      select least(seller, reviewer), greatest(seller, reviewer), true from e
      on conflict (lo, hi) do update set held = true where not u.held and (u.last_at is null
        or u.last_at <= ${since})
      returning lo, hi
    ), ok as materialized (
      select e.* from e join won on won.lo = least(e.seller, e.reviewer) and won.hi = greatest(e.seller,
        e.reviewer)
    ), made as (
      insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at, pass_id,
        slot, skipped, snapshot)
      select ok.id, queue, reviewer, seller, 'open', ${phase === phases.present}, clock_timestamp(),
        clock_timestamp() + make_interval(mins => ${minutes}), pass, slot, skipped, product_snapshot(p)
      from ok join review_queue q on q.id = ok.queue join products p on p.id = q.product_id
      returning id, queue_id, reviewer_id, offered_at, expires_at
    ), moved as (
      update review_queue q set status = 'offered', offered_to = m.reviewer_id, offered_at = m.offered_at,
        offer_expires_at = m.expires_at, attempts = q.attempts + 1
      from made m where q.id = m.queue_id returning q.id
    ), taken as (
      update reviewer_states s set open_offer_id = m.id, tier = 9, turn_at = m.offered_at
      from made m where s.member_id = m.reviewer_id returning s.member_id
    )
    select made.queue_id from made
      join moved on moved.id = made.queue_id join taken on taken.member_id = made.reviewer_id`.execute(ctx.db)
  return new Set(rows.map(({ queueId }) => queueId))
}

/** Records the evidence of a pass, chained to the pass before. */
async function recordPass(
  ctx: Ctx,
  phase: Phase,
  scored: ScoredPass,
  { passId, drawn, wasCut }: { passId: string; drawn: Drawn[]; wasCut: boolean },
) {
  const { at, requests, candidates } = scored
  const last = candidates.at(-1)
  const chain = await takeChain(ctx)
  const header: PassHeader = {
    chain: chain.name,
    passNo: chain.passNo,
    at,
    phase,
    requests: requests.length,
    candidates: candidates.length,
    matched: drawn.length,
    cut: wasCut && last ? { band: last.band, turn: new Date(last.turnAt) } : null,
    draws: drawn.map(({ draw }) => sealDraw(draw)),
  }
  const list = encodeWindow(placesOf(scored))
  await ctx.db
    .insertInto('matchPasses')
    .values({
      id: passId,
      chain: chain.name,
      passNo: chain.passNo,
      at: at.toISOString(),
      phase,
      requests: header.requests,
      candidates: header.candidates,
      matched: header.matched,
      cutBand: header.cut?.band ?? null,
      cutTurn: header.cut?.turn.toISOString() ?? null,
      list,
      previousHash: chain.hash,
      hash: passHash(chain.hash, header, list),
    })
    .execute()
  ctx.log.info(
    { pass: chain.passNo, requests: header.requests, candidates: header.candidates, matched: header.matched },
    'a pass of the rotation ended',
  )
}

async function notifyBoth(ctx: Ctx, phase: Phase, drawn: Drawn[]) {
  const made = drawn.map(({ request, reviewer }) => ({
    fields: { queueId: request.id },
    recipients: [reviewer.memberId, request.sellerId],
  }))
  const offers = drawn.map(({ offerId, request, reviewer }) => ({
    offerId,
    reviewerId: reviewer.memberId,
    productTitle: request.productTitle,
    live: phase === phases.present,
  }))
  await emitAll(ctx, 'offer.made', made)
  await notifyOffersMade(ctx, offers)
}

/** A chain of passes that no other worker is writing now, with its head. */
async function takeChain(ctx: Ctx): Promise<{ name: string; passNo: number; hash: Buffer | null }> {
  for (let number = 0; number < mostChains; number += 1) {
    const name = `chain-${number}`
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`match-pass:${name}`}, 0)) as mine`.execute(ctx.db)
    if (!rows[0]?.mine && number < mostChains - 1) continue
    if (!rows[0]?.mine)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`match-pass:${name}`}, 0))`.execute(ctx.db)
    const head = await ctx.db
      .selectFrom('matchPasses')
      .select(['passNo', 'hash'])
      .where('chain', '=', name)
      .orderBy('passNo', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { name, passNo: Number(head?.passNo ?? 0) + 1, hash: head?.hash ?? null }
  }
  throw new Error('No chain of passes is free.')
}
