// The activity log, as our staff sees it. It has millions of rows, so nothing here reads all of them: a
// search looks through the newest entries first, and then asks the index of trigrams for rare ones.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tally } from '#contract/staff/lists.ts'
import { logFilter } from '#contract/staff/logs.ts'
import type { LogFilter, LogRow } from '#contract/staff/logs.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf, writeCursor } from '#server/kit/db/db.ts'
import { countedUpTo, countRows, countTable, mostCounted } from '#server/kit/db/tallies.ts'
import { recordListLook } from '#server/kit/staff-actions.ts'
import { csvFile } from './csv-export.ts'
import { idsOfMyExchanges, namesNone } from './exchanges/own-exchanges.ts'
import { byIndexAlone, findMembers, hasTrigram, patternOf } from './search.ts'

/** How many entries one search looks through, one after the other. */
const windowSize = 3_000
/** A search that the index finds more often than this goes through the list window by window. */
const mostFound = 5_000
/** A part of an address that more members have is looked up entry by entry. */
const mostMembers = 200
/** The longest page of a screen, and so many hits in a window that the index would find too many. */
const mostRows = 100
const rare = 25

type Listing = LogFilter & PageInput
/** `own` are the ids of exchanges that the caller is part of. */
type Asked = Listing & { own: string[] }
type Row = LogRow & { userAgent: string | null; ipAddress: string | null }
type Searched = { page: Page<Row>; matching: Tally; searchedTo: string | null }

/**
 * Entries that match, newest first, without those about exchanges that the caller is part of, and on the
 * first page how many there are. While `searchedTo` names a moment, older entries have not been searched; the
 * next page goes on from there, and may be empty.
 */
export async function listLogs(ctx: MemberCtx, input: Listing) {
  await recordListLook(ctx, 'logs_listed')
  const { page, matching, searchedTo } = await readLogs(ctx, input)
  return {
    items: page.items.map(withoutOrigin),
    next: page.next,
    searchedTo,
    counts: input.cursor ? null : { matching, total: await countTable(ctx, 'activity_logs') },
  }
}

/** The screen shows less than the file. */
function withoutOrigin(row: Row): LogRow {
  const { userAgent: _, ipAddress: __, ...shown } = row
  return shown
}

/** Every action in the log, each once: the index is asked for the next one, as often as there are actions. */
export async function listLogActions(ctx: MemberCtx): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive found as (
      (select action from activity_logs order by action limit 1)
      union all
      select (select l.action from activity_logs l where l.action > f.action order by l.action limit 1)
      from found f where f.action is not null
    ) select action from found where action is not null order by action`.execute(ctx.db)
  return rows.map(({ action }) => action)
}

export const logsCsv = csvFile({
  base: 'activity-logs',
  action: 'logs_exported',
  filter: logFilter,
  readRows: async (ctx: MemberCtx, input: Listing) => (await readLogs(ctx, input)).page,
  columns: [
    ['Email', ({ member }) => member?.email ?? 'Unknown'],
    ['Action', ({ action }) => action],
    ['Metadata', ({ metadata }) => JSON.stringify(metadata)],
    ['User Agent', ({ userAgent }) => userAgent],
    ['IP Address', ({ ipAddress }) => ipAddress],
    ['Timestamp', ({ createdAt }) => createdAt],
  ],
})

async function readLogs(ctx: MemberCtx, listing: Listing): Promise<Searched> {
  const input = { ...listing, own: await idsOfMyExchanges(ctx) }
  const pattern = patternOf(input.search)
  if (pattern === null) return readInOrder(ctx, input)
  const members = await findFewMembers(ctx, pattern)
  const window = await searchWindow(ctx, { ...input, pattern, members })
  if (!window.isFull || window.page.next !== null) return window
  // A file reads on and on: it asks the index only for what is rare.
  const isWorthIt = (input.limit ?? 0) <= mostRows || window.matching.count < rare
  const further = isWorthIt && members !== null
  return (further && (await searchByIndex(ctx, { ...input, pattern, members }))) || goOn(window)
}

/** The members with such an address; null when they are many, or the search is too short for the indexes. */
async function findFewMembers(ctx: MemberCtx, pattern: string): Promise<string[] | null> {
  if (!hasTrigram(pattern)) return null
  const matches = sql<boolean>`m.email like ${pattern}`
  const members = await findMembers(ctx, { pattern, matches, limit: mostMembers + 1 })
  return members.length > mostMembers ? null : members
}

/** Without a search. */
async function readInOrder(ctx: MemberCtx, input: Asked): Promise<Searched> {
  const { limit = 50 } = input
  const rows = await readRows(ctx, {
    where: sql`${asked(input)} and ${after(input)}`,
    limit: limit + 1,
  })
  const matching = input.action
    ? await countRows(ctx, sql`activity_logs l`, asked(input))
    : await countTable(ctx, 'activity_logs')
  return { page: pageOf(rows, limit, placeOf), matching, searchedTo: null }
}

type Search = Asked & { pattern: string; members: string[] | null }
type Window = Searched & { isFull: boolean; end: { time: string; id: string } | null }

type Facts = { seen: number; found: number; time: string | null; id: string | null; hits: string[] | null }

/** Looks through the next entries. `end` is the last one, `isFull` says that there are more behind it. */
async function searchWindow(ctx: MemberCtx, input: Search): Promise<Window> {
  const { limit = 50 } = input
  const { rows: facts } = await sql<Facts>`
    select count(*)::int as seen, count(*) filter (where hit)::int as found, min(created_at) as time,
      (array_agg(id order by created_at, id))[1] as id,
      (array_agg(id order by created_at desc, id desc) filter (where hit))[1:${limit + 1}] as hits
    from (
      select l.id, l.created_at, ${matches(input)} as hit
      from (select * from activity_logs l where ${asked(input)} and ${after(input)}
        order by l.created_at desc, l.id desc limit ${windowSize}) l
      left join members m on m.id = l.member_id
    ) looked_through`.execute(ctx.db)
  const { seen = 0, found = 0, time, id, hits } = facts[0] ?? {}
  const rows = await readRows(ctx, {
    where: sql`l.id = any(${hits ?? []}::uuid[])`,
    limit: limit + 1,
  })
  const isFull = seen === windowSize
  return {
    page: pageOf(rows, limit, placeOf),
    matching: { count: found, is: isFull ? 'atLeast' : 'exact' },
    searchedTo: null,
    isFull,
    end: time && id ? { time, id } : null,
  }
}

/** What a window has found so far; the next page begins where it ends. */
function goOn({ page, matching, end }: Window): Searched {
  const next = end && writeCursor(end)
  return { page: { items: page.items, next }, matching, searchedTo: end?.time ?? null }
}

/** All entries that match, by the indexes; null when there are too many to sort. */
async function searchByIndex(
  ctx: MemberCtx,
  input: Search & { members: string[] },
): Promise<Searched | null> {
  const { limit = 50, pattern, members } = input
  const here = sql`${asked(input)} and ${after(input)}`
  const ids = await byIndexAlone(ctx, async ({ db }) => {
    const { rows } = await sql<{ id: string }>`
      select l.id from activity_logs l where activity_text(l.action, l.metadata) like ${pattern} and ${here}
      limit ${mostFound + 1}`.execute(db)
    return rows.map(({ id }) => id)
  })
  if (ids.length > mostFound) return null
  const { rows: own } = await sql<{ id: string }>`
    select l.id from unnest(${members}::uuid[]) member cross join lateral (
      select l.id from activity_logs l where l.member_id = member and ${here}
      order by l.created_at desc limit ${mostFound + 1}) l limit ${mostFound + 1}`.execute(ctx.db)
  if (own.length > mostFound) return null
  const all = [...new Set([...ids, ...own.map(({ id }) => id)])]
  const rows = await readRows(ctx, {
    where: sql`l.id = any(${all}::uuid[])`,
    limit: limit + 1,
  })
  return {
    page: pageOf(rows, limit, placeOf),
    matching: countedUpTo(mostCounted, all.length),
    searchedTo: null,
  }
}

function matches({ pattern, members }: Search) {
  const byAddress =
    members === null
      ? sql`(m.erased_at is null and m.email like ${pattern})`
      : sql`l.member_id = any(${members}::uuid[])`
  return sql<boolean>`(activity_text(l.action, l.metadata) like ${pattern} or coalesce(${byAddress}, false))`
}

function asked({ action, own }: Asked) {
  return sql`${action === undefined ? sql`true` : sql`l.action = ${action}`} and ${namesNone(own)}`
}

function after({ cursor }: PageInput) {
  return afterCursor(cursor, sql`l.created_at, l.id`)
}

type Read = { where: RawBuilder<unknown>; limit: number }

async function readRows(ctx: MemberCtx, { where, limit }: Read): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'member'> & { memberId: string | null; email: string | null }>`
    select l.id, m.id as "memberId", m.email, l.action, l.metadata, l.created_at as "createdAt",
      l.user_agent as "userAgent", l.ip_address as "ipAddress"
    from activity_logs l left join members m on m.id = l.member_id and m.erased_at is null
    where ${where} order by l.created_at desc, l.id desc limit ${limit}`.execute(ctx.db)
  return rows.map(({ memberId, email, ...row }) => ({
    ...row,
    member: memberId !== null && email !== null ? { id: memberId, email } : null,
  }))
}

const placeOf = ({ createdAt, id }: Row) => ({ time: createdAt, id })
