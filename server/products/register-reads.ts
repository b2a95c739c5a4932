// The register as our staff reads it, and the reading of a link with an entry that is still being typed.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { explainCouponLink, invalidLinkWords, linkFaults, productRefusals } from '#contract/products.ts'
import type { ListingAddress } from '#contract/products.ts'
import type { Tally } from '#contract/staff/lists.ts'
import type { EntryVersion, LinkReading, RegisterEntry, RegisterRow } from '#contract/staff/marketplaces.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { countedUpTo, mostCounted } from '#server/kit/db/tallies.ts'
import { refuse } from '#server/kit/refusal.ts'
import { entryOf, openLaneOf } from './register.ts'

/** In SQL: how many rows there are, one more than are shown at the most. */
const upTo = (rows: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from (${rows} limit ${sql.lit(mostCounted + 1)}) counted)`

const productsHere = sql`from products p where p.marketplace_id = k.id and p.deleted_at is null`
const requestsHere = sql`from review_queue q join products p on p.id = q.product_id
  where p.marketplace_id = k.id and q.status`
const reviewsHere = sql`from reviews r where r.marketplace_id = k.id and r.status`

/** How much hangs on the marketplace of the row `k`. */
const counts = {
  products: upTo(sql`select ${productsHere}`),
  sellers: upTo(sql`select distinct p.seller_id ${productsHere}`),
  openRequests: upTo(sql`select ${requestsHere} in ('queued', 'held', 'offered')`),
  openOffers: upTo(sql`select ${requestsHere} = 'offered'`),
  inProgress: upTo(sql`select ${reviewsHere} in ('pending', 'purchased', 'returned')`),
}
const countsOfOne = {
  ...counts,
  bought: upTo(sql`select ${reviewsHere} in ('purchased', 'returned')`),
  consents: upTo(sql`select from marketplace_consents c
    where c.marketplace_id = k.id and c.policy_version = k.policy_version`),
}

type Counted<Name extends string> = Record<Name, RawBuilder<number>>

type CountName = keyof typeof counts

/** In SQL: these counts as columns. */
function columns<Name extends string>(of: Counted<Name>) {
  const named = Object.entries<RawBuilder<number>>(of)
  return sql<
    Record<Name, number>
  >`${sql.join(named.map(([name, counted]) => sql`${counted} as ${sql.ref(name)}`))}`
}

/** The counts of a row that was read with `columns`. */
function talliesOf<Name extends string>(
  row: NoInfer<Record<Name, number>>,
  of: Counted<Name>,
): Record<Name, Tally> {
  // The keys of `of` are all names.
  const names = Object.keys(of) as Name[]
  const tallies = names.map((name) => [name, countedUpTo(mostCounted, row[name])] as const)
  return Object.fromEntries(tallies) as Record<Name, Tally>
}

/** Every marketplace: overdue checks first, the longest overdue on top, then by name. */
export async function listRegister(ctx: MemberCtx): Promise<RegisterRow[]> {
  const { rows } = await sql<Omit<RegisterRow, CountName> & Record<CountName, number>>`
    select k.id, k.name, k.host, k.lane, k.read_on::text as read_on, k.read_by,
      k.next_check_on::text as next_check_on, current_date - k.next_check_on as overdue_days,
      ${columns(counts)}
    from marketplaces k
    order by greatest(current_date - k.next_check_on, -1) desc, k.name collate "C"`.execute(ctx.db)
  return rows.map((row) => ({ ...row, ...talliesOf(row, counts) }))
}

/** A marketplace with its entry, what hangs on it, and its former versions. Refuses NOT_FOUND. */
export async function getRegisterEntry(ctx: MemberCtx, id: string): Promise<RegisterEntry> {
  const { rows } = await sql<
    Pick<RegisterEntry, 'version' | 'policyVersion' | 'lane' | 'overdueDays'> &
      Record<keyof typeof countsOfOne, number> &
      Parameters<typeof entryOf>[0]
  >`
    select k.*, k.read_on::text as read_on, k.next_check_on::text as next_check_on,
      current_date - k.next_check_on as overdue_days, ${columns(countsOfOne)}
    from marketplaces k where k.id = ${id}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  const closure = await ctx.db
    .selectFrom('marketplaceClosures')
    .select(['reason', 'reviews', 'closedAt', 'laneBefore'])
    .where('marketplaceId', '=', id)
    .where('reopenedAt', 'is', null)
    .executeTakeFirst()
  const lane = openLaneOf(row.lane, closure?.laneBefore)
  return {
    id,
    version: row.version,
    policyVersion: row.policyVersion,
    lane: row.lane,
    overdueDays: row.overdueDays,
    entry: entryOf(row, lane),
    ...talliesOf(row, countsOfOne),
    closure: closure
      ? {
          reason: closure.reason,
          reviews: closure.reviews === 'end' ? 'end' : 'finish',
          closedAt: closure.closedAt,
          laneBefore: lane,
        }
      : null,
    versions: await listVersions(ctx, id),
  }
}

/** The former entries, newest first, each with the change that replaced it. */
async function listVersions(ctx: Ctx, id: string): Promise<EntryVersion[]> {
  const { rows } = await sql<EntryVersion>`
    select v.version, v.policy_version, v.lane, v.entry, v.replaced_at, a.action, a.reason,
      coalesce(m.username, nullif(m.display_name, ''), 'Former staff') as by
    from marketplace_versions v
      join staff_actions a on a.subject_id = v.marketplace_id and a.subject = 'marketplace'
        and (a.after ->> 'version')::int = v.version + 1
      left join members m on m.id = a.actor_id
    where v.marketplace_id = ${id} order by v.version desc limit 100`.execute(ctx.db)
  return rows
}

type Typed = ListingAddress & { name: string }

/** How a link would be read if the entry were saved as it is: by the product's own reader. */
export async function readTestLink(
  ctx: MemberCtx,
  { id, entry, link }: { id?: string | undefined; entry: Typed; link: string },
): Promise<LinkReading> {
  const others = await ctx.db
    .selectFrom('marketplaces')
    .select(['name', 'host', 'lane', 'listingPaths', 'listingIdForm', 'couponParameter', 'couponForms'])
    .$if(id !== undefined, (of) => of.where('id', '<>', id ?? ''))
    .where('host', '<>', entry.host)
    .execute()
  const listed = [...others, { ...entry, lane: 'public' as const }]
  const read = explainCouponLink(link, listed)
  const host = URL.canParse(link.trim()) ? new URL(link.trim()).hostname || null : null
  if ('fault' in read) {
    const names = listed.filter(({ lane }) => lane !== 'closed').map(({ name }) => name)
    const { title, reason } = invalidLinkWords(names.toSorted())
    return {
      host,
      listing: null,
      coupon: null,
      link: null,
      marketplace: read.marketplace?.name ?? null,
      refusal: { title, message: reason, cause: linkFaults[read.fault] },
    }
  }
  const { title, message } = productRefusals.MARKETPLACE_CLOSED
  return {
    host,
    listing: read.listing,
    coupon: read.coupon,
    link: read.link,
    marketplace: read.marketplace.name,
    refusal:
      read.marketplace.lane === 'closed'
        ? { title, message, cause: `${read.marketplace.name} is closed and has the longer host.` }
        : null,
  }
}
