// What anyone may read about a verified review: its receipt, and its card if the seller shows cards. Neither
// names a member nor reads the stars. They stand while the review does and its seller is in the club. A card
// has the text of the review, and ends when its reviewer leaves, too.
import { sql } from 'kysely'
import { cardsShown, receiptChecks } from '#contract/receipts.ts'
import type { Receipt, ReceiptCheck, ReviewCard, ReviewCards } from '#contract/receipts.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { laneOfReview, stands } from './reads.ts'

/** A day in UTC. */
const day = (column: string) => sql<string>`(${sql.ref(column)} at time zone 'UTC')::date`

/** The receipt at this address. 'gone' once its review no longer stands, null if there never was one. */
export async function findReceipt(ctx: Ctx, key: string): Promise<Receipt | 'gone' | null> {
  const row = await ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .select(['reviews.status', 'receiptKey as key', 'couponPriceCents', 'reviews.disclosure', 'aiAssisted'])
    .select(['verifiedBy', 'marketplaces.name as marketplace', 'verifiedPurchaseWord'])
    .select([offered.title.as('productTitle'), laneOfReview.as('lane'), stands.as('stands')])
    .select([day('purchasedAt').as('purchasedOn'), day('verifiedAt').as('verifiedOn')])
    .where('receiptKey', '=', key)
    .executeTakeFirst()
  if (!row || row.status !== 'verified' || row.verifiedBy === null) return null
  const { status: _, stands: isStanding, verifiedBy, couponPriceCents, ...receipt } = row
  if (!isStanding) return 'gone'
  return {
    ...receipt,
    verifiedBy,
    couponPriceCents: couponPriceCents ?? 0,
    checks: checksOf(receipt.lane),
  }
}

/** A review is not submitted before it has passed all of them; a private one has no disclosure. */
function checksOf(lane: Receipt['lane']): ReceiptCheck[] {
  // The keys of the labels are the checks.
  const all = Object.keys(receiptChecks) as ReceiptCheck[]
  return all.filter((check) => check !== 'disclosure' || lane === 'public')
}

/** One page of the cards at this address, newest first; null while they are not shown. */
export async function findCards(
  ctx: Ctx,
  { key, page = 1, size = cardsShown.page }: { key: string; page?: number; size?: number },
): Promise<ReviewCards | null> {
  const { rows } = await sql<Omit<ReviewCards, 'cards' | 'page' | 'pages'> & { listingId: string }>`
    select c.key, p.title as product_title, k.name as marketplace, k.verified_purchase_word, p.listing_id,
      (select count(*)::int from reviews where reviews.listing_id = p.listing_id and ${isCard}) as reviews
    from review_cards c join products p on p.id = c.product_id join members s on s.id = p.seller_id
      join marketplaces k on k.id = p.marketplace_id
    where c.key = ${key} and c.shown and p.deleted_at is null and s.erased_at is null`.execute(ctx.db)
  const [product] = rows
  if (!product) return null
  const { listingId, ...head } = product
  const pages = Math.max(1, Math.ceil(head.reviews / size))
  const shown = Math.min(Math.max(1, page), pages)
  return { ...head, page: shown, pages, cards: await readCards(ctx, listingId, { page: shown, size }) }
}

/**
 * In SQL: whether a review has a card. All of a listing's public reviews have one, also those from before the
 * product was connected again. Private feedback is never published, nor the text of a member who has left.
 */
export const isCard = sql<boolean>`(${stands} and ${laneOfReview} = 'public' and not exists (
  select from members m where m.id = reviews.reviewer_id and m.erased_at is not null))`

async function readCards(ctx: Ctx, listingId: string, { page, size }: { page: number; size: number }) {
  const { rows } = await sql<ReviewCard>`
    select reviews.receipt_key as receipt, ${day('reviews.verified_at')} as verified_on, reviews.disclosure,
      reviews.body as text, reviews.ai_assisted
    from reviews where reviews.listing_id = ${listingId} and ${isCard}
    order by reviews.verified_at desc, reviews.id desc limit ${size} offset ${(page - 1) * size}`.execute(
    ctx.db,
  )
  return rows
}
