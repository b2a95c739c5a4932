// A circle of three: a member would review a seller who reviewed a third, who reviewed the member. The draw
// puts such members behind the others of their band. It looks back a few weeks only: over a longer time, most
// of a club would stand in some circle, and newcomers, who have no history, would be drawn almost always.
import { sql } from 'kysely'
import { circleDays } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import type { WindowStart } from '../pairs.ts'

export type Circles = { has: (request: number, candidate: number) => boolean }

/** The circles of three that the candidates of a pass would close for its requests, in one query. */
export async function findCircles(
  ctx: Ctx,
  requests: readonly { sellerId: string }[],
  candidates: readonly { memberId: string }[],
  since: WindowStart,
): Promise<Circles> {
  const sellers = [...new Set(requests.map(({ sellerId }) => sellerId))]
  const members = candidates.map(({ memberId }) => memberId)
  const rows = await runPrepared(
    ctx.db,
    sql<{ seller: string; member: string }>`
    with start as materialized (select greatest(${since.same},
      clock_timestamp() - make_interval(hours => ${sql.lit(circleDays * 24)})) as at)
    select distinct given.reviewer_id as seller, got.seller_id as member
    from start, reviews given join reviews got on got.reviewer_id = given.seller_id
    where given.reviewer_id = any(${`{${sellers.join(',')}}`}::uuid[])
      and got.seller_id = any(${`{${members.join(',')}}`}::uuid[])
      and given.accepted_at > start.at and got.accepted_at > start.at
      and given.status <> 'lapsed' and got.status <> 'lapsed'`,
  )
  const closing = new Map<string, Set<string>>(sellers.map((seller) => [seller, new Set()]))
  for (const { seller, member } of rows) closing.get(seller)?.add(member)
  // Most requests close none, and a pass asks for each pair of its window.
  const ofRequest = requests.map(({ sellerId }) => {
    const some = closing.get(sellerId)
    return some && some.size > 0 ? some : null
  })
  return { has: (request, candidate) => ofRequest[request]?.has(members[candidate] ?? '') ?? false }
}
