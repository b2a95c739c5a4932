// Why I was asked: what the pass recorded about me. It says nothing about the seller, and of the others only
// how many there were at least.
import { sql } from 'kysely'
import { coarse } from '#contract/waiting.ts'
import type { OfferReasons } from '#contract/waiting.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { drawnBand } from '#contract/draw.ts'
import { showsRequest } from '../snapshots.ts'

/** The band of members whose balance is even. Those who owe are below it. */
const even = 4

/**
 * Why I got my open or accepted offer, by the id of its request or of my review. Refuses NOT_FOUND for any
 * other, and for an offer I have not opened: asking about a request must not show that it was offered to me.
 */
export async function explainOffer(ctx: MemberCtx, id: string): Promise<OfferReasons> {
  const { rows } = await sql<{
    here: boolean
    candidates: number | null
    list: Buffer | null
    slot: number | null
  }>`
    select o.live as here, p.candidates, p.list, o.slot
    from offers o left join match_passes p on p.id = o.pass_id
    where o.reviewer_id = ${ctx.who.id} and o.state in ('open', 'accepted')
      and ${showsRequest} and (o.queue_id = ${id}
      or o.queue_id = (select r.queue_id from reviews r where r.id = ${id} and r.reviewer_id = ${ctx.who.id}))
    order by o.offered_at desc limit 1`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  const { here, candidates, list, slot } = row
  const band = list && slot !== null ? drawnBand(list, slot) : null
  return {
    here,
    lookedAt: candidates === null ? null : coarse(candidates),
    group: band === null ? null : band < even ? 'owes' : band === even ? 'even' : 'ahead',
  }
}
