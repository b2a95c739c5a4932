import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { checkDraw } from '#contract/draw-receipt.ts'
import type { DrawReceipt } from '#contract/draw-receipt.ts'
import type { NewRequest } from '#contract/matching.ts'
import { revealHours } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import type { Club } from '#server/testing/club.ts'
import { appendRecord, publishDays } from './audit/public-list.ts'
import { takeTicket } from './lottery.ts'
import { requestReview } from './requests.ts'
import { bePresent } from './signals.ts'

// Sets up the states that tests need, by the product's own functions where possible, else by editing rows.
// Time is moved by editing rows.

let joined = 0

/** Adds so many members who may be asked for a review. */
export function newMembers(club: Club, count: number): Promise<MemberCtx[]> {
  return namedMembers(
    club,
    Array.from({ length: count }, () => `joined-${(joined += 1)}`),
  )
}

/** New members with these usernames, who have read what the marketplace says. */
export async function namedMembers(club: Club, usernames: string[]): Promise<MemberCtx[]> {
  const members: MemberCtx[] = []
  for (const username of usernames) {
    const member = await club.newMember(username)
    await consent(member)
    members.push(member)
  }
  return members
}

/** The only product of a member of the cast. */
export async function productOf(ctx: MemberCtx): Promise<string> {
  const row = await ctx.db
    .selectFrom('products')
    .select('id')
    .where('sellerId', '=', ctx.who.id)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return row.id
}

/** The id of a product in addresses and calls. */
export async function publicIdOf({ db }: Ctx, id: string): Promise<string> {
  const { publicId } = await db
    .selectFrom('products')
    .select('publicId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return publicId
}

/** A further product of a member, on the demo's marketplace, and the member's consent to it. */
export async function addProductOf(ctx: MemberCtx, slug: string): Promise<string> {
  const id = newId()
  const link = `https://makerlane.example/listing/${slug}?coupon=EVEN`
  await sql`
    with listing as (
      insert into listings (id, marketplace_id, external_id)
      select ${newId()}, id, ${slug} from marketplaces where host = 'makerlane.example'
      returning id, marketplace_id
    )
    insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
    select ${id}, ${ctx.who.id}, marketplace_id, id, ${`Work of ${slug}`}, 'tool', ${link}
    from listing`.execute(ctx.db)
  await consent(ctx)
  return id
}

export async function consent(ctx: MemberCtx) {
  await sql`insert into marketplace_consents (member_id, marketplace_id, policy_version)
    select ${ctx.who.id}, id, policy_version from marketplaces on conflict do nothing`.execute(ctx.db)
}

export async function present(...members: MemberCtx[]) {
  for (const member of members) await bePresent(member)
}

/** Takes a ticket and asks for a review with a nonce of its own, as the button does. */
export async function askForReview(ctx: MemberCtx, productId: string): Promise<NewRequest> {
  const { ticket } = await takeTicket(ctx, productId)
  return requestReview(ctx, { productId, ticket, nonce: randomBytes(16).toString('hex') })
}

/** `taken`, or the code of the refusal and what it carries. */
export async function answerOf(asking: Promise<unknown>): Promise<{ code: string; at?: unknown }> {
  try {
    await asking
    return { code: 'taken' }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { code: error.code, ...error.data }
  }
}

/** The request that was offered to this member, if any. */
export async function offeredTo(ctx: MemberCtx) {
  return ctx.db
    .selectFrom('reviewQueue')
    .selectAll()
    .where('offeredTo', '=', ctx.who.id)
    .where('status', '=', 'offered')
    .executeTakeFirst()
}

export async function requestOf(ctx: Ctx, productId: string) {
  return ctx.db
    .selectFrom('reviewQueue')
    .selectAll()
    .where('productId', '=', productId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** Publishes the secrets of all days up to today, as if they were over. */
export async function publishAsIfOver(ctx: Ctx) {
  await publishDays(ctx)
  const { rows } = await sql<{ day: string; secret: Buffer; secretHash: Buffer }>`
    select day::text, secret, secret_hash from lottery_days d
    where day <= (clock_timestamp() at time zone 'UTC')::date
      and not exists (select from draw_records r where r.day = d.day and r.kind = 'revealed')
    order by day`.execute(ctx.db)
  for (const row of rows) {
    const at = new Date(Date.parse(row.day) + (24 + revealHours) * 3_600_000).toISOString()
    await appendRecord(ctx, { ...row, reveal: true }, at)
  }
}

/** The checks that the first draw of a receipt fails. */
export function failedChecks(receipt: DrawReceipt): string[] {
  return Object.entries(checkDraw(receipt, 0)?.checks ?? {}).flatMap(([name, ok]) =>
    ok === false ? [name] : [],
  )
}

/** Lets the random moment come for which queued requests wait, as if the time until then had passed. */
export async function letMomentsCome(ctx: Ctx) {
  await sql`update review_queue set waiting_since = waiting_since - (waits_until - clock_timestamp()),
      waits_until = clock_timestamp(), resumes_by = null
    where status = 'queued' and waits_until > clock_timestamp()`.execute(ctx.db)
}
