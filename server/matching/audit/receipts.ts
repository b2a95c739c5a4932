// What the two sides of an offer get to check its draw. A receipt shows numbers that change weekly, and no
// one.
import { sql } from 'kysely'
import type { BeaconChain } from '#contract/beacon.ts'
import { beaconRandomness, drawnNumber, sealDraw } from '#contract/draw.ts'
import type { Draw, SkippedPlace } from '#contract/draw.ts'
import { hexOf, passFormat, receiptFormat } from '#contract/draw-receipt.ts'
import type { DrawnPass, DrawReceipt, PassFile } from '#contract/draw-receipt.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from '#server/products/my-products.ts'
import { beaconOf } from '../beacon/expected.ts'
import type { BeaconColumns } from '../beacon/expected.ts'
import { askedAt } from '../candidates.ts'
import { showsRequest } from '../snapshots.ts'

const mostDraws = 50

/**
 * The receipt of my request, with each of its draws, or of the offers of a request that were made to me, from
 * when I opened them or they were over: it identifies the request. Refuses NOT_FOUND.
 */
export async function getReceipt(ctx: MemberCtx, queueId: string): Promise<DrawReceipt> {
  const request = await readRequest(ctx, queueId)
  const draws = await readDraws(ctx, request)
  if (!request || (!request.mine && draws.length === 0)) throw refuse('NOT_FOUND')
  return {
    format: receiptFormat,
    club: ctx.config.origin,
    side: request.mine ? 'seller' : 'reviewer',
    request: request.id,
    issuedAt: milliseconds(await databaseNow(ctx)),
    slate: ctx.config.rotation.slate,
    ticket: {
      day: request.day,
      number: request.ticket,
      commitment: hexOf(request.commitment),
      dayHash: hexOf(request.secretHash),
    },
    nonce: hexOf(request.nonce),
    askedAt: milliseconds(request.askedAt),
    beacon: receiptBeacon(request),
    daySecret: request.secret && hexOf(request.secret),
    head:
      request.headNumber === null
        ? null
        : { number: Number(request.headNumber), hash: hexOf(request.headHash) },
    draws,
  }
}

type Lottery = {
  commitment: Buffer
  nonce: Buffer
  askedAt: string
} & BeaconColumns
type RequestRow = Lottery & {
  id: string
  mine: boolean
  day: string
  ticket: string
  secretHash: Buffer
  secret: Buffer | null
  headNumber: string | null
  headHash: Buffer
  chain: BeaconChain | null
}

/** In SQL: what the lottery of the request `q` is made of. */
const lotteryColumns = sql`q.lottery_commit as commitment, q.lottery_nonce as nonce, ${askedAt} as asked_at,
  q.beacon_from, q.beacon_round, q.beacon_signature`

async function readRequest(ctx: MemberCtx, id: string) {
  const { rows } = await sql<RequestRow>`
    select q.id, ${canManage(ctx, 'q.seller_id')} as mine, q.lottery_day::text as day,
      q.lottery_ticket::text as ticket, ${lotteryColumns}, d.secret_hash,
      case when r.day is not null then d.secret end as secret,
      (select jsonb_build_object('hash', encode(b.hash, 'hex'), 'publicKey', encode(b.public_key, 'hex'),
          'period', b.period, 'genesis', b.genesis, 'seed', encode(b.seed, 'hex'), 'name', b.name)
        from beacon_chains b where b.hash = q.beacon_chain) as chain,
      h.number as head_number, h.hash as head_hash
    from review_queue q join lottery_days d on d.day = q.lottery_day
    left join draw_records r on r.day = q.lottery_day and r.kind = 'revealed'
    left join lateral (select number, hash from draw_records order by number desc limit 1) h on true
    where q.id = ${id}`.execute(ctx.db)
  return rows[0]
}

function receiptBeacon({ chain, ...row }: RequestRow): DrawReceipt['beacon'] {
  const beacon = beaconOf(row)
  if (!chain || !beacon) return null
  const { from, round, signature } = beacon
  return {
    chain,
    from: from.toISOString(),
    round,
    signature: signature && hexOf(signature),
    randomness: signature && hexOf(beaconRandomness(signature)),
  }
}

type DrawRow = Lottery & { passId: string; slot: number; skipped: SkippedPlace[] }

async function readDraws(ctx: MemberCtx, request: RequestRow | undefined): Promise<DrawReceipt['draws']> {
  if (!request) return []
  const theirs = request.mine ? sql`` : sql`and o.reviewer_id = ${ctx.who.id} and ${showsRequest}`
  const { rows } = await sql<DrawRow>`
    select o.pass_id, o.slot, o.skipped, ${lotteryColumns}
    from offers o join review_queue q on q.id = o.queue_id
    where o.queue_id = ${request.id} and o.pass_id is not null ${theirs}
    order by o.offered_at, o.id limit ${mostDraws}`.execute(ctx.db)
  const passes = await readPasses(
    ctx,
    rows.map(({ passId }) => passId),
  )
  return rows.flatMap((row) => {
    const pass = passes.get(row.passId)
    if (!pass) return []
    const { slot, winner, skipped } = drawOf(row, pass.list)
    return [{ slot, winner: hexOf(winner), skipped: [...skipped], pass: shown(pass) }]
  })
}

function drawOf(row: DrawRow, list: Uint8Array | null): Draw {
  const { commitment, nonce, slot, skipped } = row
  const askedAt = new Date(row.askedAt)
  const winner = (list && drawnNumber(list, slot)) ?? new Uint8Array(8)
  return { commitment, nonce, askedAt, slot, winner, skipped, beacon: beaconOf(row) }
}

type PassRow = {
  id: string
  chain: string
  passNo: string
  at: string
  phase: number
  requests: number
  candidates: number
  matched: number
  cutBand: number | null
  cutTurn: string | null
  slateStart: number | null
  slateDoublingMs: number | null
  list: Buffer | null
  previousHash: Buffer | null
  hash: Buffer
}
type Pass = PassRow & { draws: { slot: number; digest: Uint8Array }[] }

/** The passes with these ids, each with the digests of all of its draws. */
async function readPasses(ctx: Ctx, ids: string[]): Promise<Map<string, Pass>> {
  const passes = await sql<PassRow>`
    select id, chain, pass_no, at, phase, requests, candidates, matched, cut_band, cut_turn, slate_start,
      slate_doubling_ms, list, previous_hash, hash
    from match_passes where id = any(${ids}::uuid[])`.execute(ctx.db)
  const draws = await sql<DrawRow>`
    select o.pass_id, o.slot, o.skipped, ${lotteryColumns}
    from offers o join review_queue q on q.id = o.queue_id
    where o.pass_id = any(${ids}::uuid[]) order by o.slot`.execute(ctx.db)
  return new Map(
    passes.rows.map((pass) => {
      const mine = draws.rows.filter(({ passId }) => passId === pass.id)
      return [pass.id, { ...pass, draws: mine.map((draw) => sealDraw(drawOf(draw, pass.list))) }]
    }),
  )
}

/** The draws of a pass whose list was deleted cannot be sealed again, so no digest is shown. */
function shown(pass: Pass): DrawnPass {
  return {
    chain: pass.chain,
    number: Number(pass.passNo),
    at: milliseconds(pass.at),
    phase: pass.phase,
    requests: pass.requests,
    candidates: pass.candidates,
    matched: pass.matched,
    cut:
      pass.cutBand === null || pass.cutTurn === null
        ? null
        : { band: pass.cutBand, turn: milliseconds(pass.cutTurn) },
    slate:
      pass.slateStart === null || pass.slateDoublingMs === null
        ? null
        : { start: pass.slateStart, doublingMs: pass.slateDoublingMs },
    draws: pass.list ? pass.draws.map(({ slot, digest }) => ({ slot, digest: hexOf(digest) })) : [],
    list: pass.list && hexOf(pass.list),
    previousHash: pass.previousHash && hexOf(pass.previousHash),
    hash: hexOf(pass.hash),
  }
}

/** One pass as a file, so that a member can look for their own number in it. Refuses NOT_FOUND. */
export async function getPass(ctx: MemberCtx, id: string): Promise<PassFile> {
  const pass = (await readPasses(ctx, [id])).get(id)
  if (!pass) throw refuse('NOT_FOUND')
  return { format: passFormat, club: ctx.config.origin, pass: shown(pass) }
}

/** The hashes cover whole milliseconds. */
function milliseconds(at: string): string {
  return new Date(at).toISOString()
}
