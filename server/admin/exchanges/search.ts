// The list of exchanges, and finding one by anything that is known of it: an address, a name, a title, a part
// of a link, an order number, an id, or words of the review.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isOrderNumber } from '#contract/reviews.ts'
import type { ExchangeRow, ExchangeState } from '#contract/staff/exchanges.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { isId } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor, containing } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { recordListLook } from '#server/kit/staff-actions.ts'
import { findReviewsByOrderNumber } from '#server/reviews/used-proofs.ts'
import { exchangeState, notMine, rowColumns, rowSources } from './rows.ts'

type Filter = PageInput & { search?: string | undefined; state?: ExchangeState | undefined }

/** Exchanges, newest first, without those that the caller is part of. The look is recorded. */
export async function listExchanges(
  ctx: MemberCtx,
  { search, state, cursor, limit = 50 }: Filter,
): Promise<Page<ExchangeRow>> {
  await recordListLook(ctx, 'exchanges_listed')
  const words = search?.trim()
  const found = words ? sql`q.id in (${await matching(ctx, words)})` : sql`true`
  const inState = state ? sql`${statusOf(state)} and ${exchangeState} = ${state}` : sql`true`
  const place = afterCursor(cursor, sql`q.created_at, q.id`)
  const { rows } = await sql<ExchangeRow>`
    select ${rowColumns} from review_queue q ${rowSources}
    where ${found} and ${inState} and ${place} and ${notMine(ctx)}
    order by q.created_at desc, q.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ createdAt, id }) => ({ time: createdAt, id }))
}

/** The request's status that goes with a state, which an index finds. */
function statusOf(state: ExchangeState) {
  const ofReview: Partial<Record<ExchangeState, string>> = {
    pending: 'in_review',
    purchased: 'in_review',
    reviewed: 'in_review',
    returned: 'in_review',
    verified: 'completed',
  }
  return sql`q.status = ${ofReview[state] ?? state}`
}

/** A subquery of the ids of requests that match. */
async function matching(ctx: MemberCtx, words: string): Promise<RawBuilder<unknown>> {
  return sql.join(await sourcesOf(ctx, words), sql` union all `)
}

async function sourcesOf(ctx: MemberCtx, words: string): Promise<RawBuilder<unknown>[]> {
  if (isId(words)) return byId(words)
  if (words.includes('@')) return byMember(sql`lower(email) = ${words.toLowerCase()}`)
  const like = containing(words)
  const sources = [
    ...byMember(sql`username = ${words.toLowerCase()}`),
    sql`select x.id from review_queue x join listings l on l.id = x.listing_id
      where l.external_id = ${words.toLowerCase()}`,
  ]
  if (isOrderNumber(words)) {
    const reviewIds = await findReviewsByOrderNumber(ctx, words)
    sources.push(sql`select queue_id from reviews where id = any(${reviewIds}::uuid[])`)
  }
  // Shorter words have no trigram, and would find almost everything.
  if (words.length >= 3) {
    sources.push(
      sql`select x.id from review_queue x where x.product_id in (select id from products
        where lower(title) like ${like} or lower(coupon_link) like ${like})`,
      // The versions have the index, and the disclosure of their marketplace, which is no one's own text.
      sql`select r.queue_id from review_versions v join reviews r on r.id = v.review_id
        where v.body ilike ${like} and r.body ilike ${like}`,
    )
  }
  return sources
}

function byId(id: string) {
  return [
    sql`select id from review_queue where id = ${id}`,
    sql`select queue_id from reviews where id = ${id}`,
    sql`select queue_id from offers where id = ${id}`,
    sql`select r.queue_id from proofs p join reviews r on r.id = p.review_id where p.id = ${id}`,
    sql`select id from review_queue where product_id = ${id}`,
    sql`select id from review_queue where listing_id = ${id}`,
    ...byMember(sql`id = ${id}`),
  ]
}

function byMember(which: RawBuilder<unknown>) {
  return [
    sql`select x.id from review_queue x where x.seller_id in (select id from members where ${which})`,
    sql`select queue_id from offers where reviewer_id in (select id from members where ${which})`,
  ]
}
