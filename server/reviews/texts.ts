// Whether a text is too similar to another one, by the share of trigrams that both have.
import { sql } from 'kysely'
import { duplicateSimilarity, needsNewText, plainText } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { offered } from '#server/matching/snapshots.ts'

/**
 * Whether a review's text, without its disclosure, is a near-duplicate of another submitted review, or of its
 * product's description or a passage of it. Earlier versions of the same review do not count.
 */
export function isNearDuplicate(
  ctx: Ctx,
  { reviewId, body }: { reviewId: string; body: string },
): Promise<boolean> {
  const plain = plainText(body)
  return inTransaction(ctx, async (ctx) => {
    // Only the operator `%` uses the index, and it reads its threshold from this setting.
    await sql`select set_config('pg_trgm.similarity_threshold', ${String(duplicateSimilarity)},
      true)`.execute(ctx.db)
    const { rows } = await sql<{ duplicate: boolean }>`
      select exists (
        select from reviews where body % ${plain} and id <> ${reviewId} and submitted_at is not null
      ) or exists (
        select from reviews r join offers on offers.queue_id = r.queue_id and offers.state = 'accepted'
        where r.id = ${reviewId}
          and greatest(similarity(${offered.description}, ${plain}), word_similarity(${plain},
            ${offered.description})) >= ${duplicateSimilarity}
      ) as duplicate`.execute(ctx.db)
    return rows[0]?.duplicate ?? false
  })
}

/**
 * Refuses TEXT_UNCHANGED when a returned review is handed in as it was, although it was returned for a rule
 * that only another text follows.
 */
export async function requireNewText(
  ctx: Ctx,
  { id, body, usedFor, notFor }: { id: string; body: string; usedFor: string; notFor: string },
): Promise<void> {
  const before = await ctx.db
    .selectFrom('reviews')
    .select(['returnReason', 'body', 'usedFor', 'notFor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (before.returnReason === null || !needsNewText(before.returnReason)) return
  const same = (now: string, was: string | null) => plainText(now).trim() === plainText(was ?? '').trim()
  if (same(body, before.body) && same(usedFor, before.usedFor) && same(notFor, before.notFor))
    throw refuse('TEXT_UNCHANGED', { field: 'text' })
}
