// What has proven a review proves no other one: for ever, also after the proof was replaced or deleted, or
// its member left. Order numbers are compared per marketplace, files and pictures in the whole club.
import { sql } from 'kysely'
import { orderNumbersPerReview } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import { comparePictures, mostBitsApart } from '#server/kit/uploads/perceptual-hash.ts'
import type { PictureHash } from '#server/kit/uploads/perceptual-hash.ts'
import { refuse } from '#server/kit/refusal.ts'

/**
 * Marks an order number as used by this review, and returns the review that used it first, and whether the
 * number was new. Two ways to write one number count as the same where the marketplace's pattern says so.
 * Refuses INVALID_ORDER_ID, and ORDER_ID_QUOTA beyond the five numbers that a review may use up.
 */
export async function claimOrderNumber(
  ctx: Ctx,
  { reviewId, marketplaceId, orderId }: { reviewId: string; marketplaceId: string; orderId: string },
): Promise<{ usedBy: string; isNew: boolean }> {
  const read = await sql<{ number: string | null }>`
    select (regexp_match(${orderId}, order_pattern))[1] as number from marketplaces
    where id = ${marketplaceId}`.execute(ctx.db)
  const number = read.rows[0]?.number
  if (!number) throw refuse('INVALID_ORDER_ID', { field: 'orderId' })
  const hash = hashOf(ctx, marketplaceId, number)
  const { rows } = await sql<{ usedBy: string; isNew: boolean }>`
    insert into used_order_numbers (marketplace_id, hash, review_id)
    values (${marketplaceId}, ${hash}, ${reviewId})
    on conflict (marketplace_id, hash) do update set hash = excluded.hash
    returning review_id as used_by, xmax = 0 as is_new`.execute(ctx.db)
  const used = await ctx.db
    .selectFrom('usedOrderNumbers')
    .select(({ fn }) => fn.countAll<number>().as('numbers'))
    .where('reviewId', '=', reviewId)
    .executeTakeFirstOrThrow()
  if (used.numbers > orderNumbersPerReview) throw refuse('ORDER_ID_QUOTA', { field: 'orderId' })
  return rows[0] ?? { usedBy: reviewId, isNew: true }
}

/** The reviews that this order number was ever used for, on any marketplace. */
export async function findReviewsByOrderNumber(ctx: Ctx, orderId: string): Promise<string[]> {
  const read = await sql<{ id: string; number: string | null }>`
    select id, (regexp_match(${orderId}, order_pattern))[1] as number from marketplaces`.execute(ctx.db)
  const hashes = read.rows.flatMap(({ id, number }) => (number ? [hashOf(ctx, id, number)] : []))
  const { rows } = await sql<{ reviewId: string }>`
    select review_id from used_order_numbers where hash = any(${hashes}::bytea[])`.execute(ctx.db)
  return rows.map(({ reviewId }) => reviewId)
}

function hashOf(ctx: Ctx, marketplaceId: string, number: string) {
  return keyedHash(ctx.config, 'order number', `${marketplaceId}:${number}`)
}

type Picture = { reviewId: string; sha256: Buffer; hash: PictureHash }
type Likeness = { id: string; reviewId: string; bitsApart: number; same: boolean }

/**
 * The proofs of other reviews that are this file or picture, or look almost like it, in every state, and
 * those of this review that our staff refused. Uploads are compared one after the other, until the
 * transaction ends.
 */
export async function findLikenesses(ctx: Ctx, picture: Picture): Promise<Likeness[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('pictures of proofs', 0))`.execute(ctx.db)
  const { rows } = await sql<{
    id: string
    reviewId: string
    sameFile: boolean
    tones: Buffer | null
    apart: number | null
  }>`
    with given as (select ${picture.hash.bits}::bit(992) as bits)
    select p.id, p.review_id, p.sha256 = ${picture.sha256} as same_file, p.picture_tones as tones,
      bit_count(p.picture_bits # given.bits) as apart
    from proofs p, given
    where (p.review_id <> ${picture.reviewId} or p.state = 'refused') and (p.sha256 = ${picture.sha256}
      or p.picture_ones between bit_count(given.bits) - ${mostBitsApart}::int
        and bit_count(given.bits) + ${mostBitsApart}::int
      and bit_count(p.picture_bits # given.bits) <= ${mostBitsApart}::int)
    order by same_file desc, apart, p.id limit 100`.execute(ctx.db)
  return rows.flatMap(({ id, reviewId, sameFile, tones, apart }) => {
    const bitsApart = apart ?? 0
    const verdict = sameFile || !tones ? 'same' : comparePictures(picture.hash.tones, tones, bitsApart)
    return verdict === 'different' ? [] : [{ id, reviewId, bitsApart, same: verdict === 'same' }]
  })
}

/** Keeps for our staff that a proof looks almost like these. Nothing follows from it by itself. */
export async function keepSimilarProofs(ctx: Ctx, proofId: string, likenesses: Likeness[]) {
  if (likenesses.length === 0) return
  const rows = likenesses.map(({ id, bitsApart }) => ({ proofId, similarTo: id, bitsApart }))
  await ctx.db.insertInto('similarProofs').values(rows).execute()
}
