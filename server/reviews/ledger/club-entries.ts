import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { changeBalance } from '#server/matching/standing.ts'

type Move = { memberId: string; delta: number } & (
  | { reason: 'settled' | 'carried' }
  | { reason: 'corrected'; corrects: string }
  | { reason: 'appealed'; reviewId: string }
)

/**
 * Two entries that sum to zero: of the member, and of the club, which is no member and whose entry names no
 * review. Returns the member's.
 */
export async function moveFromClub(ctx: Ctx, { memberId, delta, ...move }: Move) {
  const id = newId()
  await ctx.db
    .insertInto('ledgerEntries')
    .values([
      { id, memberId, delta, ...move },
      { id: newId(), memberId: null, delta: -delta, ...move, reviewId: null },
    ])
    .execute()
  await changeBalance(ctx, memberId, delta)
  return id
}
