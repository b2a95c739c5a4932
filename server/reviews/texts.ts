// Whether a text is too similar to another one, by the share of trigrams that both have.
import { sql } from 'kysely'
import { plainText } from '#contract/review-text.ts'
import { duplicateSimilarity, needsNewText } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { offered } from '#server/matching/snapshots.ts'

/** A text that another one is close to: that of a review, or of the listing when `similarTo` is null. */
type SimilarText = { similarTo: string | null; share: number }

/** How many of the newest texts with the same passage are looked at, and how many texts are compared. */
const newest = 20
const compared = 50

/**
 * The texts that a review's text, without its disclosure, is a near-duplicate of: other submitted reviews,
 * and its product's description or a passage of it. Earlier versions of the same review do not count. The
 * work is the same however many reviews there are: those with the most passages in common are compared.
 */
export async function findSimilarTexts(
  ctx: Ctx,
  { reviewId, body }: { reviewId: string; body: string },
): Promise<SimilarText[]> {
  const plain = plainText(body)
  const { rows } = await sql<SimilarText>`
    with alike as (
      select same.review_id as id from unnest(passages_of(${plain})) passage
      cross join lateral (select review_id from review_passages where hash = passage
        order by review_id desc limit ${newest}) same
      where same.review_id <> ${reviewId}
      group by 1 order by count(*) desc, 1 desc limit ${compared}
    )
    (select id as similar_to, similarity(body, ${plain}) as share from alike join reviews using (id)
      where submitted_at is not null and similarity(body, ${plain}) >= ${duplicateSimilarity}
      order by share desc, id limit 5)
    union all
    select null, share from (
      select greatest(similarity(${offered.description}, ${plain}), word_similarity(${plain},
        ${offered.description})) as share
      from reviews r join offers on offers.queue_id = r.queue_id and offers.state = 'accepted'
      where r.id = ${reviewId}
    ) of_listing where share >= ${duplicateSimilarity}`.execute(ctx.db)
  return rows
}

/**
 * Refuses TEXT_UNCHANGED when a returned review is handed in as it was, although it was returned for a rule
 * that only another text follows, and ABOUT_PURCHASE when no text can follow the rule.
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
  if (before.returnReason === 'not_bought') throw refuse('ABOUT_PURCHASE')
  if (before.returnReason === null || !needsNewText(before.returnReason)) return
  const same = (now: string, was: string | null) => plainText(now).trim() === plainText(was ?? '').trim()
  if (same(body, before.body) && same(usedFor, before.usedFor) && same(notFor, before.notFor))
    throw refuse('TEXT_UNCHANGED', { field: 'text' })
}

/** Keeps for our staff that a review is close to these texts. Nothing follows from it by itself. */
export async function keepSimilarTexts(
  ctx: Ctx,
  { reviewId, version, texts }: { reviewId: string; version: number; texts: SimilarText[] },
) {
  if (texts.length === 0) return
  await ctx.db
    .insertInto('similarTexts')
    .values(texts.map((text) => ({ id: newId(), reviewId, version, ...text })))
    .execute()
}
