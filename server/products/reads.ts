import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { summaryLength } from '#contract/products.ts'
import type { Category, ExchangePath, ProductCard, RequestStatus } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { refuse } from '#server/kit/refusal.ts'
import { wasDrawn } from './exchanges.ts'
import { canManage } from './my-products.ts'

/**
 * Why a review of each of these products cannot be requested now, its reviews that count toward the limit,
 * and whether its queued request waits for a moment to be drawn. The matching module provides it, through
 * app.ts.
 */
export type WhyNotAsk = (
  ctx: MemberCtx,
  productIds: string[],
) => Promise<
  Map<string, { refusal: ProductCard['askRefusal']; exposure: ProductCard['exposure']; waits: boolean }>
>

/** My products in the rotation, at most ten, in my own order, and without one the newest first. */
export async function listProducts(ctx: MemberCtx, whyNotAsk: WhyNotAsk): Promise<ProductCard[]> {
  const rows = await readCards(ctx, sql`p.archived_at is null order by p.place, p.created_at desc, p.id desc`)
  return withAskRefusal(ctx, rows.map(cardOf), whyNotAsk)
}

/** My archived products, the latest archived first. */
export async function listArchivedProducts(
  ctx: MemberCtx,
  { cursor, limit = 20 }: PageInput,
  whyNotAsk: WhyNotAsk,
): Promise<Page<ProductCard>> {
  const rows = await readCards(
    ctx,
    sql`p.archived_at is not null and ${afterCursor(cursor, sql`p.archived_at, p.id`)}
      order by p.archived_at desc, p.id desc limit ${limit + 1}`,
  )
  // Every row of this list has it.
  const { items, next } = pageOf(rows, limit, ({ archivedAt, id }) => ({ time: archivedAt ?? '', id }))
  return { items: await withAskRefusal(ctx, items.map(cardOf), whyNotAsk), next }
}

/** One of my products. Refuses NOT_FOUND when it is deleted or not mine. */
export async function getProduct(ctx: MemberCtx, id: string, whyNotAsk: WhyNotAsk): Promise<ProductCard> {
  const rows = await readCards(ctx, sql`p.id = ${id}`)
  const [card] = await withAskRefusal(ctx, rows.map(cardOf), whyNotAsk)
  if (!card) throw refuse('NOT_FOUND')
  return card
}

type Card = Omit<ProductCard, 'askRefusal' | 'exposure'>

async function withAskRefusal(ctx: MemberCtx, cards: Card[], whyNotAsk: WhyNotAsk) {
  const reasons = await whyNotAsk(
    ctx,
    cards.map(({ id }) => id),
  )
  return cards.map((card) => ({
    ...card,
    request: card.request && heldIf(reasons.get(card.id)?.waits ?? false, card.request),
    exposure: reasons.get(card.id)?.exposure ?? { reviews: 0, of: 0 },
    askRefusal: reasons.get(card.id)?.refusal ?? null,
  }))
}

/** A queued request that waits shows as on hold, as one whose seller is away does. */
function heldIf(waits: boolean, request: NonNullable<Card['request']>): NonNullable<Card['request']> {
  return waits && request.status === 'queued' ? { ...request, status: 'held' } : request
}

type Row = Omit<Card, 'request' | 'category' | 'imageFocus' | 'archived'> & {
  archivedAt: string | null
  focusX: number
  focusY: number
  category: Category
  queueId: string | null
  requestStatus: RequestStatus | null
  requestedAt: string | null
  completedReviewId: string | null
  drawnAt: string | null
} & Omit<ExchangePath, 'drawnAt'>

// Ratings and texts count once they are final; until then the seller sees neither. Reviews and requests are
// those of the listing, so that connecting it again shows the same history.
/** `which`: the last condition, with the order and the bound of a list. */
function readCards(ctx: MemberCtx, which: RawBuilder<unknown>): Promise<Row[]> {
  return runPrepared(
    ctx.db,
    sql<Row>`
    select p.id, p.title, p.category, p.format, p.description,
      coalesce(p.summary, left(p.description, ${sql.lit(summaryLength)})) as summary, p.tags, p.price_cents,
      p.coupon_cents, p.coupon_link, p.image_id, coalesce(i.focus_x, 50) as focus_x,
      coalesce(i.focus_y, 50) as focus_y, p.created_at,
      p.archived_at, m.name as marketplace_name,
      coalesce(s.username, nullif(s.display_name, ''), nullif(s.full_name, ''), 'Account') as author,
      seen.reviews > 0 as verified, seen.reviews, seen.rating, seen.downloads, seen.views,
      asked.*
    from products p
    join marketplaces m on m.id = p.marketplace_id
    join members s on s.id = p.seller_id
    left join images i on i.id = p.image_id
    cross join lateral (
      select count(*) filter (where r.status = 'verified' and r.removed_at is null)::int as reviews,
        round(avg(r.rating) filter (
          where r.status = 'verified' and r.removed_at is null), 2)::float8 as rating,
        count(r.purchased_at)::int as downloads,
        coalesce(sum(r.coupon_opens), 0)::int as views
      from reviews r where r.listing_id = p.listing_id
    ) seen
    left join lateral (
      select q.id as queue_id, q.status as request_status,
        -- A successor is as old as the request whose review lapsed.
        coalesce(q.asked_at, q.created_at) as requested_at,
        case when q.status = 'completed' then r.id end as completed_review_id,
        date_trunc('minute', case when q.status in ('offered', 'in_review', 'completed')
          then q.offered_at end) as drawn_at,
        ${wasDrawn} as has_receipt,
        date_trunc('minute', r.accepted_at) as accepted_at,
        date_trunc('minute', r.purchased_at) as bought_at,
        date_trunc('minute', r.submitted_at) as written_at,
        date_trunc('minute', r.verified_at) as verified_at,
        date_trunc('minute', case
          when r.status = 'pending' and r.purchase_due_at > clock_timestamp() then r.purchase_due_at
          when r.status in ('pending', 'purchased') then r.due_at
          when r.status = 'reviewed' and r.held_at is null then r.confirm_due_at
          when r.status = 'returned' then r.return_due_at end) as due_at
      from review_queue q
        left join reviews r on r.queue_id = q.id and q.status in ('in_review', 'completed')
      where q.listing_id = p.listing_id and q.seller_id = p.seller_id
      order by q.created_at desc, q.id desc limit 1
    ) asked on true
    where ${canManage(ctx, 'p.seller_id')} and p.deleted_at is null and ${which}`,
  )
}

function cardOf({
  queueId,
  requestStatus,
  requestedAt,
  completedReviewId,
  drawnAt,
  hasReceipt,
  acceptedAt,
  boughtAt,
  writtenAt,
  verifiedAt,
  dueAt,
  focusX,
  focusY,
  archivedAt,
  ...card
}: Row): Card {
  return {
    ...card,
    archived: archivedAt !== null,
    imageFocus: { x: focusX, y: focusY },
    request:
      queueId && requestStatus && requestedAt
        ? {
            id: queueId,
            status: requestStatus,
            createdAt: requestedAt,
            completedReviewId,
            path:
              drawnAt === null
                ? null
                : { drawnAt, hasReceipt, acceptedAt, boughtAt, writtenAt, verifiedAt, dueAt },
          }
        : null,
  }
}
