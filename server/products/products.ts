// A product is what a member sells on a listed marketplace, connected by its coupon link. It is live,
// archived or deleted: only a live one is in the rotation, at most ten of a member at a time. A listing is
// connected by one product at a time, however its link is written.
import { sql } from 'kysely'
import {
  categories,
  invalidLinkWords,
  liveProductsLimit,
  maskCouponLink,
  readCouponLink,
  summaryLength,
} from '#contract/products.ts'
import type { Category, CouponLink, ListingAddress, ProductFormat } from '#contract/products.ts'
import { findMarkup, plainText } from '#contract/markdown.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterRollback, inTransaction, lockMembers, thisMonth, violates } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { findOrAddListing, refuseTaken } from './listings.ts'
import { hasConsented } from './marketplaces.ts'
import { canManage } from './my-products.ts'

type ProductFields = {
  title?: string | undefined
  category?: string | undefined
  format?: ProductFormat | null | undefined
  couponLink?: string | undefined
  priceCents?: number | null | undefined
  couponCents?: number | null | undefined
  description?: string | null | undefined
  tags?: string[] | undefined
}

/**
 * Connects a product and answers its id. Refuses, in this order: NAME_REQUIRED, CATEGORY_REQUIRED,
 * INVALID_LINK, LISTING_REMOVED, LISTING_NOT_YOURS, DUPLICATE_PRODUCT, LISTING_TAKEN, MARKETPLACE_CLOSED,
 * CONSENT_REQUIRED, TOO_MANY_LIVE, COUPON_PRICE, DESCRIPTION_LINK, DESCRIPTION_HTML.
 */
export function addProduct(ctx: MemberCtx, fields: ProductFields): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const title = readTitle(fields.title)
    const category = readCategory(fields.category)
    const link = await readListedLink(ctx, fields.couponLink, title)
    await lockMembers(ctx, [ctx.who.id])
    const listingId = await findOrAddListing(ctx, link)
    await refuseTaken(ctx, listingId)
    await refuseMarketplace(ctx, link.marketplace)
    await refuseBeyondLimit(ctx)
    await refuseCouponPrice(ctx, link.marketplace.id, fields.couponCents)
    const id = newId()
    const add = () =>
      ctx.db
        .insertInto('products')
        .values({
          id,
          sellerId: ctx.who.id,
          marketplaceId: link.marketplace.id,
          title,
          category,
          format: fields.format ?? null,
          couponLink: link.link,
          listingId,
          priceCents: fields.priceCents ?? null,
          couponCents: fields.couponCents ?? null,
          ...readDescription(fields.description),
          tags: withoutDoubles(fields.tags ?? []),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
    if ((await add()).numInsertedOrUpdatedRows === 0n) {
      // Another member connected it meanwhile. One who gives way leaves it to be connected after all.
      await refuseTaken(ctx, listingId)
      if ((await add()).numInsertedOrUpdatedRows === 0n)
        throw refuse('LISTING_TAKEN', { field: 'couponLink' })
    }
    await recordActivity(ctx, 'product_connected', {
      productId: id,
      productName: title,
      platform: link.marketplace.name,
      couponUrl: maskCouponLink(link.link),
    })
    await recordOwnAction(ctx, {
      type: 'matching',
      title: 'Product connected',
      description: `You connected “${title}”.`,
      href: '/assets',
    })
    await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
    return id
  })
}

/**
 * Changes the given fields and keeps the others. The checks are those of `addProduct`, for the given fields.
 * Refuses FIXED_IN_REVIEW for link, title, category and prices while the product is offered or in review. A
 * waiting request ends when the link names another listing.
 */
export function editProduct(
  ctx: MemberCtx,
  { id, ...fields }: ProductFields & { id: string },
): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    const product = await findMine(ctx, id)
    const title = fields.title === undefined ? product.title : readTitle(fields.title)
    const category = fields.category === undefined ? undefined : readCategory(fields.category)
    const isNewLink = fields.couponLink !== undefined && fields.couponLink.trim() !== product.couponLink
    const link = isNewLink ? await readListedLink(ctx, fields.couponLink, title) : null
    const listingId = link ? await findOrAddListing(ctx, link) : product.listingId
    if (link) {
      await refuseTaken(ctx, listingId, id)
      await refuseMarketplace(ctx, link.marketplace)
    }
    if (fields.couponCents !== product.couponCents || link)
      await refuseCouponPrice(ctx, link?.marketplace.id ?? product.marketplaceId, fields.couponCents)
    await refuseFixed(ctx, id, {
      couponLink: link !== null && link.link !== product.couponLink,
      title: title !== product.title,
      category: category !== undefined && category !== product.category,
      format: fields.format !== undefined && fields.format !== product.format,
      priceCents: fields.priceCents !== undefined && fields.priceCents !== product.priceCents,
      couponCents: fields.couponCents !== undefined && fields.couponCents !== product.couponCents,
    })
    await ctx.db
      .updateTable('products')
      .set({
        title,
        updatedAt: sql`clock_timestamp()`,
        ...(category ? { category } : {}),
        ...(fields.format === undefined ? {} : { format: fields.format }),
        ...(fields.priceCents === undefined ? {} : { priceCents: fields.priceCents }),
        ...(fields.couponCents === undefined ? {} : { couponCents: fields.couponCents }),
        ...(fields.description === undefined || (fields.description || null) === product.description
          ? {}
          : readDescription(fields.description)),
        ...(fields.tags ? { tags: withoutDoubles(fields.tags) } : {}),
        ...(link ? { couponLink: link.link, listingId, marketplaceId: link.marketplace.id } : {}),
      })
      .where('id', '=', id)
      .execute()
      .catch(asTaken)
    if (link) {
      await recordActivity(ctx, 'product_link_changed', {
        productId: id,
        productName: title,
        platform: link.marketplace.name,
        couponUrl: maskCouponLink(link.link),
      })
    }
    await recordOwnAction(ctx, {
      type: 'matching',
      title: 'Product changed',
      description: `You changed “${title}”.`,
      href: '/assets',
    })
    await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
    return id
  })
}

/**
 * Takes a product out of the rotation. A review in progress continues. Archiving it again changes nothing.
 */
export async function archiveProduct(ctx: MemberCtx, id: string): Promise<string> {
  await archiveProducts(ctx, [id])
  return id
}

/** Archives several products of mine, all or none. Refuses NOT_FOUND. */
export function archiveProducts(ctx: MemberCtx, ids: readonly string[]): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    for (const id of new Set(ids)) {
      const product = await findMine(ctx, id)
      if (product.archivedAt) continue
      await ctx.db
        .updateTable('products')
        .set({ archivedAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
        .where('id', '=', id)
        .execute()
      await recordOwnAction(ctx, {
        type: 'matching',
        title: 'Product archived',
        description: `“${product.title}” is out of the rotation.`,
        href: '/assets',
      })
      await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
    }
  })
}

/**
 * Puts an archived product back. Its link is read again, in case the marketplace's entry has changed. Refuses
 * MARKETPLACE_CLOSED, CONSENT_REQUIRED, TOO_MANY_LIVE, INVALID_LINK, LISTING_REMOVED, LISTING_NOT_YOURS,
 * DUPLICATE_PRODUCT and LISTING_TAKEN.
 */
export async function restoreProduct(ctx: MemberCtx, id: string): Promise<string> {
  await restoreProducts(ctx, [id])
  return id
}

/** Puts several archived products of mine back, all or none. Refuses as `restoreProduct` does. */
export function restoreProducts(ctx: MemberCtx, ids: readonly string[]): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    for (const id of new Set(ids)) await restore(ctx, id)
  })
}

/** What was live when the month began counts as live since before. */
const liveAgain = sql<string>`case when archived_at < ${thisMonth} then clock_timestamp() else live_since end`

async function restore(ctx: MemberCtx, id: string) {
  const product = await findMine(ctx, id)
  if (!product.archivedAt) return
  await refuseMarketplace(ctx, { id: product.marketplaceId, lane: product.lane })
  await refuseBeyondLimit(ctx)
  const link = await readListedLink(ctx, product.couponLink, product.title)
  const listingId = await findOrAddListing(ctx, link)
  await refuseTaken(ctx, listingId, id)
  await ctx.db
    .updateTable('products')
    .set({ archivedAt: null, updatedAt: sql`clock_timestamp()`, listingId, liveSince: liveAgain })
    .where('id', '=', id)
    .execute()
    .catch(asTaken)
  await recordOwnAction(ctx, {
    type: 'matching',
    title: 'Product restored',
    description: `“${product.title}” may be in the rotation again.`,
    href: '/assets',
  })
  await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
}

/**
 * Takes the product of a broken listing out of the rotation, and returns it; null when it is not in the
 * rotation. The caller holds the seller's lock.
 */
export async function takeOutBroken(ctx: Ctx, listingId: string) {
  const product = await ctx.db
    .updateTable('products')
    .set({ archivedAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .where('listingId', '=', listingId)
    .where('archivedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .returning(['id', 'sellerId', 'title'])
    .executeTakeFirst()
  if (!product) return null
  await emit(ctx, 'product.changed', { productId: product.id }, [product.sellerId])
  return product
}

/** Deletes a product: no list shows it, and its open requests are cancelled. Refuses IN_REVIEW. */
export function deleteProduct(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    const { title } = await findMine(ctx, id)
    await ctx.db
      .updateTable('products')
      .set({ deletedAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
    await emit(ctx, 'product.deleted', { productId: id }, [ctx.who.id])
    // This check follows the cancellation of open requests, so no acceptance can happen between check and
    // deletion.
    const underWay = await ctx.db
      .selectFrom('reviewQueue')
      .select('id')
      .where('productId', '=', id)
      .where('status', '=', 'in_review')
      .executeTakeFirst()
    if (underWay) throw refuse('IN_REVIEW')
    await recordOwnAction(ctx, {
      type: 'matching',
      title: 'Product deleted',
      description: `You deleted “${title}”.`,
      href: '/assets',
    })
  })
}

async function findMine(ctx: MemberCtx, id: string) {
  const product = await ctx.db
    .selectFrom('products')
    .innerJoin('marketplaces', 'marketplaces.id', 'products.marketplaceId')
    .select([
      'products.title',
      'products.category',
      'products.format',
      'products.priceCents',
      'products.couponCents',
      'products.description',
      'products.couponLink',
      'products.listingId',
      'products.archivedAt',
      'products.marketplaceId',
      'marketplaces.lane',
    ])
    .where('products.id', '=', id)
    .where(canManage(ctx, 'products.sellerId'))
    .where('products.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!product) throw refuse('NOT_FOUND')
  return product
}

// Control characters and marks of direction are removed from a line. The rest must have a visible character.
function readTitle(text = '') {
  const title = text
    .toWellFormed()
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ')
    .trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(title)) throw refuse('NAME_REQUIRED', { field: 'title' })
  return title
}

function readCategory(text = ''): Category {
  const category = categories.find((known) => known === text)
  if (!category) throw refuse('CATEGORY_REQUIRED', { field: 'category' })
  return category
}

type ListedMarketplace = ListingAddress & { id: string; name: string; lane: string }
type ListedLink = CouponLink<ListedMarketplace>

/**
 * Reads the link by the listed marketplaces. A refused link is logged, masked, outside the transaction.
 */
async function readListedLink(ctx: MemberCtx, text = '', productName: string): Promise<ListedLink> {
  const listed: ListedMarketplace[] = await ctx.db
    .selectFrom('marketplaces')
    .select(['id', 'name', 'host', 'lane', 'listingPaths', 'listingIdForm', 'couponParameter', 'couponForms'])
    .orderBy(sql`name collate "C"`)
    .execute()
  const link = readCouponLink(text, listed)
  if (link) return link

  const names = listed.filter(({ lane }) => lane !== 'closed').map(({ name }) => name)
  const { title, reason } = invalidLinkWords(names)
  afterRollback(ctx, (outside) =>
    recordActivity(outside, 'product_connect_failed', {
      productName,
      error: reason,
      attemptedUrl: maskCouponLink(text),
    }),
  )
  throw refuse('INVALID_LINK', { field: 'couponLink', title, reason })
}

/**
 * Refuses a change of what a member was offered or is reviewing. The lock on the open request waits for a
 * draw that is offering it, and lets no draw take it until the change is stored.
 */
async function refuseFixed(ctx: Ctx, productId: string, changes: Record<string, boolean>) {
  const field = Object.keys(changes).find((name) => changes[name])
  if (!field) return
  const open = await ctx.db
    .selectFrom('reviewQueue')
    .select('status')
    .where('productId', '=', productId)
    .where('status', 'in', ['queued', 'held', 'offered', 'in_review'])
    .forShare()
    .execute()
  const isFixed = open.some(({ status }) => status === 'offered' || status === 'in_review')
  if (isFixed) throw refuse('FIXED_IN_REVIEW', { field })
}

/** Another product took the listing since it was found free. */
function asTaken(error: unknown): never {
  throw violates(error, 'products_one_listing') ? refuse('DUPLICATE_PRODUCT', { field: 'couponLink' }) : error
}

async function refuseMarketplace(ctx: MemberCtx, { id, lane }: Pick<ListedMarketplace, 'id' | 'lane'>) {
  if (lane === 'closed') throw refuse('MARKETPLACE_CLOSED')
  if (!(await hasConsented(ctx, ctx.who.id, id))) throw refuse('CONSENT_REQUIRED')
}

/** Counts under the member's lock, so that two products at once cannot both become the last one. */
async function refuseBeyondLimit(ctx: MemberCtx) {
  const { live } = await ctx.db
    .selectFrom('products')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where(canManage(ctx, 'sellerId'))
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (live >= liveProductsLimit) throw refuse('TOO_MANY_LIVE')
}

/** The description as it is stored, with its beginning for cards. Links and HTML are refused, not removed. */
function readDescription(text: string | null = null) {
  const markup = findMarkup(text ?? '')
  if (markup === 'link') throw refuse('DESCRIPTION_LINK', { field: 'description' })
  if (markup === 'html') throw refuse('DESCRIPTION_HTML', { field: 'description' })
  return { description: text || null, summary: text ? plainText(text, summaryLength) || null : null }
}

/** Refuses a price with the coupon that the marketplace's entry does not allow. */
async function refuseCouponPrice(ctx: MemberCtx, marketplaceId: string, price: number | null = null) {
  if (price === null) return
  const { couponPrices } = await ctx.db
    .selectFrom('marketplaces')
    .select('couponPrices')
    .where('id', '=', marketplaceId)
    .executeTakeFirstOrThrow()
  if (!couponPrices.includes(price)) throw refuse('COUPON_PRICE', { field: 'couponCents' })
}

function withoutDoubles(tags: string[]) {
  return [...new Set(tags)]
}
