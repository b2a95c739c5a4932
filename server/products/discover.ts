// What members see of each other's live products. No answer holds a member, a listing, a coupon or a time,
// and the ids are random. No order here reads what reviewers said.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { summaryLength } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { trendingDays, trendingShownFrom } from '#contract/discover.ts'
import type { DescribedProduct, LiveProduct, TrendingProduct } from '#contract/discover.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { containing } from '#server/kit/db/conditions.ts'
import { withLongStatements } from '#server/kit/db/db.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { readPlace, writePlace } from '#server/kit/db/text-place.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from './my-products.ts'
import { isTakingPart } from '#server/membership/standings.ts'

type Filter = { category?: Category | undefined; tag?: string | undefined; search?: string | undefined }

const usualPage = 24

/**
 * The club's live products, as `Filter` says. They have the order of their random ids, which begins at
 * another place every day, so no product is always first.
 */
export async function listLiveProducts(
  ctx: MemberCtx,
  { cursor, limit = usualPage, ...filter }: PageInput & Filter,
): Promise<Page<LiveProduct>> {
  const { start, last } = readStart(cursor) ?? { start: startOfDay(ctx), last: null }
  const read = async (place: RawBuilder<unknown>, most: number) => {
    const { rows } = await sql<Row>`
      select ${columns(ctx)} from ${liveProducts(ctx)} where ${isLive} and ${matches(filter)} and ${place}
      order by p.public_id limit ${most}`.execute(ctx.db)
    return rows.map(asLiveProduct)
  }
  // Behind the last id follow those before the day's start.
  const isWrapped = last !== null && last < start
  const rows = isWrapped
    ? await read(sql`p.public_id > ${last} and p.public_id < ${start}`, limit + 1)
    : await read(last === null ? sql`p.public_id >= ${start}` : sql`p.public_id > ${last}`, limit + 1)
  if (!isWrapped && rows.length <= limit)
    rows.push(...(await read(sql`p.public_id < ${start}`, limit + 1 - rows.length)))
  const items = rows.slice(0, limit)
  const end = items.at(-1)
  return { items, next: rows.length > limit && end ? writePlace({ key: start, id: end.id }) : null }
}

/** The live products with the most completed exchanges in seven days; equal ones by their random ids. */
export async function listTrendingProducts(
  ctx: MemberCtx,
  { cursor, limit = usualPage, category }: PageInput & Pick<Filter, 'category'>,
): Promise<Page<TrendingProduct>> {
  const place = readCount(cursor)
  const { rows } = await sql<Row & { exchanges: number }>`
    select ${columns(ctx)}, p.exchanges_in_week as exchanges from ${liveProducts(ctx)}
    where ${isLive} and p.exchanges_in_week > 0 and ${matches({ category })}
      and ${
        place
          ? sql`p.exchanges_in_week <= ${place.count}
            and (p.exchanges_in_week < ${place.count} or p.public_id > ${place.id})`
          : sql`true`
      }
    order by p.exchanges_in_week desc, p.public_id limit ${limit + 1}`.execute(ctx.db)
  const items = rows.slice(0, limit)
  const end = items.at(-1)
  return {
    items: items.map((row) => ({
      ...asLiveProduct(row),
      exchanges: row.exchanges >= trendingShownFrom ? row.exchanges : null,
    })),
    next: rows.length > limit && end ? writePlace({ key: String(end.exchanges), id: end.id }) : null,
  }
}

/** One of the club's live products, with its description. Refuses NOT_FOUND. */
export async function getLiveProduct(ctx: MemberCtx, publicId: string): Promise<DescribedProduct> {
  const { rows } = await sql<Row & { description: string | null }>`
    select ${columns(ctx)}, p.description from ${liveProducts(ctx)}
    where ${isLive} and p.public_id = ${publicId}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  return { ...asLiveProduct(row), description: row.description }
}

/**
 * Products whose changed counts are held in memory at once. Reading them looks at all exchanges of a week.
 */
const mostRead = 100_000
/** Products that one statement changes. It holds their rows, and their sellers wait for it. */
const mostChanged = 500

type Count = { id: string; exchanges: number }

/**
 * Counts each product’s completed exchanges of the last seven days. A number that is not shown is kept as 1:
 * the order of the list and the place in it would show it. A busy row waits for the next run.
 */
export async function countExchanges(ctx: Ctx): Promise<void> {
  let isMore = true
  while (isMore) {
    const changed = await withLongStatements(ctx, readChangedCounts)
    let written = 0
    for (let at = 0; at < changed.length; at += mostChanged)
      written += await writeCounts(ctx, changed.slice(at, at + mostChanged))
    isMore = changed.length === mostRead && written > 0
  }
}

async function readChangedCounts(ctx: Ctx): Promise<Count[]> {
  const { rows } = await sql<Count>`
    with counted as (
      select listing_id, (case when count(*) < ${trendingShownFrom} then 1
        else least(count(*), 32767) end)::smallint as exchanges from review_queue
      where status = 'completed'
        and completed_at > clock_timestamp() - make_interval(hours => ${trendingDays * 24})
      group by listing_id
    )
    select p.id, coalesce(c.exchanges, 0)::int as exchanges
    from products p left join counted c on c.listing_id = p.listing_id
    where p.id in (
        select id from products where exchanges_in_week > 0
        union all
        select o.id from products o join counted on counted.listing_id = o.listing_id
      )
      and p.exchanges_in_week <> coalesce(c.exchanges, 0)
    limit ${mostRead}`.execute(ctx.db)
  return rows
}

async function writeCounts(ctx: Ctx, counts: Count[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with free as (
      select p.id, t.exchanges
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as t(id uuid, exchanges smallint)
        join products p on p.id = t.id
      where p.exchanges_in_week <> t.exchanges
      for no key update of p skip locked
    )
    update products p set exchanges_in_week = free.exchanges from free where free.id = p.id`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}

type Row = Omit<LiveProduct, 'imageFocus' | 'unwanted'> & {
  focusX: number
  focusY: number
  unwantedId: string | null
  unwantedOf: 'product' | 'category' | null
  unwantedUntil: string | null
}

function columns(ctx: MemberCtx) {
  return sql`p.public_id as id, p.title, p.category, p.format,
    coalesce(p.summary, left(p.description, ${summaryLength})) as summary, p.tags, p.price_cents, p.image_id,
    coalesce(i.focus_x, 50) as focus_x, coalesce(i.focus_y, 50) as focus_y, m.name as marketplace_name,
    ${canManage(ctx, 'p.seller_id')} as mine,
    x.id as unwanted_id, case when x.category is null then 'product' else 'category' end as unwanted_of,
    x.ends_at as unwanted_until`
}

// Live: in the rotation, on an open marketplace, and its seller takes part.
const isLive = sql`p.deleted_at is null and p.archived_at is null and m.lane <> 'closed'
  and ${isTakingPart('s.standing')}`

function liveProducts(ctx: MemberCtx) {
  return sql`products p
    join marketplaces m on m.id = p.marketplace_id
    join reviewer_states s on s.member_id = p.seller_id
    left join images i on i.id = p.image_id
    left join lateral (
      select u.id, u.category, u.ends_at from unwanted_offers u
      where u.member_id = ${ctx.who.id} and (u.listing_id = p.listing_id or u.category = p.category)
        and (u.ends_at is null or u.ends_at > clock_timestamp())
      order by u.ends_at nulls first, u.listing_id limit 1
    ) x on true`
}

function matches({ category, tag, search }: Filter) {
  const conditions = [
    category ? sql`p.category = ${category}` : sql`true`,
    tag ? sql`lower_tags(p.tags) @> array[lower(${tag})]` : sql`true`,
    ...(search?.split(/\s+/).filter(Boolean) ?? []).map(
      (word) => sql`product_text(p.title, p.tags) like ${containing(word)}`,
    ),
  ]
  return sql.join(conditions, sql` and `)
}

function asLiveProduct(row: Row): LiveProduct {
  const { id, title, category, format, summary, tags, priceCents, imageId, marketplaceName, mine } = row
  const { unwantedId, unwantedOf, unwantedUntil } = row
  return {
    id,
    title,
    category,
    format,
    summary,
    tags,
    priceCents,
    imageId,
    imageFocus: { x: row.focusX, y: row.focusY },
    marketplaceName,
    mine,
    unwanted: unwantedId && unwantedOf ? { id: unwantedId, of: unwantedOf, endsAt: unwantedUntil } : null,
  }
}

/** The random id at which the list begins today, the same for every member. */
function startOfDay({ config }: Ctx): string {
  const hex = keyedHash(config, 'discover', new Date().toISOString().slice(0, 10)).toString('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// An edited cursor is harmless: it names another place in the same list. An unreadable one starts at the top.
function readStart(cursor: string | undefined) {
  const place = readPlace(cursor, 'text')
  return place && idPattern.test(place.key) ? { start: place.key, last: place.id } : null
}

function readCount(cursor: string | undefined) {
  const place = readPlace(cursor, 'text')
  return place && /^\d{1,5}$/.test(place.key) ? { count: Number(place.key), id: place.id } : null
}
