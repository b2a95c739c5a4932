// Computes every chain of passes again from the rows: numbers without a gap, and each hash from its contents
// and the hash before.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { lotteryWeek, memberNumber, passHash, sealDraw } from '#contract/draw.ts'
import type { SkippedPlace } from '#contract/draw.ts'

type Pass = {
  id: string
  chain: string
  passNo: number
  at: string
  phase: number
  requests: number
  candidates: number
  matched: number
  cutBand: number | null
  cutTurn: string | null
  slateStart: number
  slateDoublingMs: number
  list: Buffer
  previousHash: Buffer | null
  hash: Buffer
}
type Drawn = {
  passId: string
  slot: number
  skipped: SkippedPlace[]
  commitment: Buffer
  nonce: Buffer
  askedAt: string
  auditKey: Buffer
}

/** What is wrong with the chains, in words; empty when nothing is. */
export async function faultsOfChains(ctx: Ctx): Promise<string[]> {
  const { rows: passes } = await sql<Pass>`
    select id, chain, pass_no, at, phase, requests, candidates, matched, cut_band, cut_turn, slate_start,
      slate_doubling_ms, list, previous_hash, hash
    from match_passes order by chain, pass_no`.execute(ctx.db)
  const drawn = await readDraws(ctx)
  let before: Pass | undefined
  return passes.flatMap((pass) => {
    const last = before?.chain === pass.chain ? before : undefined
    before = pass
    const fault = faultOf(pass, last, drawn.get(pass.id) ?? [])
    return fault ? [`${pass.chain}, pass ${pass.passNo}: ${fault}`] : []
  })
}

async function readDraws(ctx: Ctx) {
  const { rows } = await sql<Drawn>`
    select o.pass_id, o.slot, o.skipped, q.lottery_commit as commitment, q.lottery_nonce as nonce,
      coalesce(q.asked_at, q.created_at) as asked_at, s.audit_key
    from offers o join review_queue q on q.id = o.queue_id
      join reviewer_states s on s.member_id = o.reviewer_id
    where o.pass_id is not null order by o.pass_id, o.slot`.execute(ctx.db)
  const drawn = new Map<string, Drawn[]>()
  for (const row of rows) drawn.set(row.passId, [...(drawn.get(row.passId) ?? []), row])
  return drawn
}

function faultOf(pass: Pass, last: Pass | undefined, drawn: Drawn[]): string | null {
  if (pass.passNo !== (last ? last.passNo + 1 : 1)) return 'a number is missing'
  if (Buffer.compare(pass.previousHash ?? Buffer.alloc(0), last?.hash ?? Buffer.alloc(0)) !== 0)
    return 'the hash before is another'
  const at = new Date(pass.at)
  const week = lotteryWeek(at.getTime())
  const draws = drawn.map(({ slot, skipped, commitment, nonce, askedAt, auditKey }) =>
    sealDraw({
      slot,
      skipped,
      commitment,
      nonce,
      askedAt: new Date(askedAt),
      winner: memberNumber(auditKey, week),
      beacon: null,
    }),
  )
  const cut =
    pass.cutBand === null || pass.cutTurn === null
      ? null
      : { band: pass.cutBand, turn: new Date(pass.cutTurn) }
  const slate = { start: pass.slateStart, doublingMs: pass.slateDoublingMs }
  const hash = passHash(pass.previousHash, { ...pass, at, cut, slate, draws }, pass.list)
  return pass.hash.equals(hash) ? null : 'the hash does not follow from the pass'
}
