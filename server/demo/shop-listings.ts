// The listings of the demo's made-up marketplace: what members have connected there, as a shop would show it.
// It never says who sells or who reviewed.
import { sql } from 'kysely'
import { demoShop } from '#contract/demo.ts'
import { readCouponLink } from '#contract/products.ts'
import { withDisclosure } from '#contract/review-text.ts'
import type { Ctx } from '#server/kit/ctx.ts'

export type Listing = {
  id: string
  marketplace: string
  verifiedPurchaseWord: string
  title: string
  category: string
  description: string | null
  imageId: string | null
  /** The ordinary price in cents, 0 when it is free. */
  priceCents: number
  /** What it costs with the coupon that was brought; null without a coupon of this listing. */
  couponCents: number | null
  coupon: string | null
  /** `stars` is null until the review is final. */
  reviews: { text: string; stars: number | null }[]
}

type Row = Omit<Listing, 'coupon' | 'couponCents' | 'reviews' | 'priceCents'> & {
  priceCents: number | null
  couponLink: string
  statedCents: number | null
  couponPrices: number[]
  listingPaths: string[]
  listingIdForm: string
  couponParameter: string
  couponForms: string[]
}

/** The listing with this id, priced with this coupon. Undefined when no member has connected it. */
export async function findListing(ctx: Ctx, id: string, coupon: string | null): Promise<Listing | undefined> {
  const { rows } = await sql<Row>`
    select l.external_id as id, k.name as marketplace, k.verified_purchase_word, p.title, p.category,
      p.description, p.image_id, p.price_cents, p.coupon_link,
      p.coupon_cents as stated_cents, k.coupon_prices, k.listing_paths,
      k.listing_id_form, k.coupon_parameter, k.coupon_forms
    from marketplaces k join listings l on l.marketplace_id = k.id join products p on p.listing_id = l.id
    where k.host = ${demoShop.host} and l.external_id = ${id} and p.deleted_at is null
    order by p.created_at limit 1`.execute(ctx.db)
  const row = rows[0]
  if (!row) return undefined
  const priceCents = row.priceCents ?? 0
  const isValid = coupon !== null && coupon === couponOf(row)
  return {
    ...row,
    priceCents,
    coupon: isValid ? coupon : null,
    couponCents: isValid ? Math.min(couponPrice(row, coupon), priceCents) : null,
    reviews: await readReviews(ctx, id),
  }
}

/** The coupon in the product's own link. */
function couponOf({ couponLink, ...row }: Row): string | null {
  const read = readCouponLink(couponLink, [{ host: demoShop.host, ...row }])
  return read && new URL(read.link).searchParams.get(row.couponParameter)
}

/**
 * The price that the seller stated, else one of the marketplace's coupon prices, the same for a listing each
 * time. A coupon named FREE is free.
 */
function couponPrice({ id, couponPrices, statedCents }: Row, coupon: string): number {
  if (statedCents !== null) return statedCents
  const prices = couponPrices.toSorted((one, other) => one - other)
  const isDearer =
    !coupon.includes('FREE') && [...id].reduce((sum, digit) => sum + Number(digit), 0) % 3 === 0
  return (isDearer ? prices.at(-1) : prices[0]) ?? 0
}

/** The reviews that their writers have posted there. */
async function readReviews(ctx: Ctx, id: string): Promise<Listing['reviews']> {
  const { rows } = await sql<{ body: string; disclosure: string; stars: number | null }>`
    select r.body, r.disclosure, case when r.status = 'verified' then r.rating end as stars
    from reviews r join listings l on l.id = r.listing_id join marketplaces k on k.id = l.marketplace_id
    where k.host = ${demoShop.host} and l.external_id = ${id} and k.lane = 'public'
      and r.status in ('reviewed', 'verified') and r.body is not null
    order by r.submitted_at desc limit 20`.execute(ctx.db)
  return rows.map(({ body, disclosure, stars }) => ({ text: withDisclosure(disclosure, body), stars }))
}
