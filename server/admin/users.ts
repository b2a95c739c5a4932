// The members, as our staff sees them: searched, sorted and counted in the database.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tally } from '#contract/staff/lists.ts'
import { userFilter } from '#contract/staff/users.ts'
import type { UserFilter, UserRow, UserSort } from '#contract/staff/users.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { countedUpTo, countTable } from '#server/kit/db/tallies.ts'
import { recordListLook } from '#server/kit/staff-actions.ts'
import { csvFile } from './csv-export.ts'
import { findMembers, hasTrigram, inOrderOfIndex, patternOf } from './search.ts'
import { afterPlace, readPlace, writePlace } from '#server/kit/db/text-place.ts'

/** A search that finds more members is not counted to its end, and goes through the list in its order. */
const mostFound = 1_000

type Listing = UserFilter & PageInput
type Counts = { matching: Tally; total: Tally }

/**
 * Members that match the search (a part of the email, full name or role, or the start of the username), and
 * on the first page how many there are.
 */
export async function listUsers(
  ctx: MemberCtx,
  input: Listing,
): Promise<Page<UserRow> & { counts: Counts | null }> {
  await recordListLook(ctx, 'users_listed')
  const found = await findUsers(ctx, input)
  const page = await readUsers(ctx, { ...input, found })
  if (input.cursor) return { ...page, counts: null }
  const total = await countTable(ctx, 'members', sql`erased_at is null`)
  return { ...page, counts: { matching: found ? countedUpTo(mostFound, found.ids.length) : total, total } }
}

export const usersCsv = csvFile({
  base: 'users',
  action: 'users_exported',
  filter: userFilter,
  readRows: async (ctx: MemberCtx, input: Listing) =>
    readUsers(ctx, { ...input, found: await findUsers(ctx, input) }),
  columns: [
    ['Email', ({ email }) => email],
    ['Name', ({ fullName }) => fullName],
    ['Role', ({ role }) => role],
    ['Subscription', ({ membership }) => membership],
    ['Created At', ({ createdAt }) => createdAt],
  ],
})

type Found = { pattern: string; ids: string[] }

/** The first members that match, in no order; null without a search. */
async function findUsers(ctx: MemberCtx, { search }: UserFilter): Promise<Found | null> {
  const pattern = patternOf(search)
  if (pattern === null) return null
  const found = await findMembers(ctx, { pattern, matches: matches(pattern), limit: mostFound + 1 })
  const named = await ctx.db
    .selectFrom('members as m')
    .select('m.id')
    .where(hasUsername(pattern))
    .limit(mostFound + 1)
    .execute()
  return { pattern, ids: [...new Set([...found, ...named.map(({ id }) => id)])] }
}

/** Whether the username begins with what is searched for, typed with or without the @ in front. */
function hasUsername(pattern: string) {
  const start = pattern.replace(/^%@?/, '')
  return hasTrigram(start) ? sql<boolean>`m.username like ${start}` : sql<boolean>`false`
}

/** The text of the index; without its help, its parts are compared faster. */
function matches(pattern: string) {
  return hasTrigram(pattern)
    ? sql<boolean>`member_text(m.email, m.full_name, m.role) like ${pattern}`
    : matchesInParts(pattern)
}

function matchesInParts(pattern: string) {
  return sql<boolean>`(m.email like ${pattern} or lower(m.full_name) like ${pattern}
    or m.role like ${pattern})`
}

function matchesInAny(pattern: string) {
  return sql<boolean>`(${matchesInParts(pattern)} or ${hasUsername(pattern)})`
}

/** What each sort orders by. Each has an index, with the id behind it. */
const keys: Record<UserSort, RawBuilder<string>> = {
  created: sql`m.created_at`,
  // The table keeps it in lower case.
  email: sql`m.email`,
  name: sql`lower(coalesce(m.full_name, ''))`,
  role: sql`m.role`,
}

/** One page of the members. Erased accounts are left out. */
async function readUsers(ctx: MemberCtx, input: Listing & { found: Found | null }): Promise<Page<UserRow>> {
  const { cursor, limit = 50, sort = 'created', found } = input
  const direction = input.direction ?? (sort === 'created' ? 'desc' : 'asc')
  const type = sort === 'created' ? 'timestamptz' : 'text'
  const key = keys[sort]
  const way = sql.raw(direction)
  const read = async ({ db }: MemberCtx) => {
    const { rows } = await sql<UserRow & { key: string }>`
    select m.id, m.email, m.full_name as "fullName", m.role, t.membership_state as membership,
      t.suspended, m.created_at as "createdAt", m.key
    from (
      select m.*, ${key} as key from members m
      where m.erased_at is null and ${among(found)}
        and ${afterPlace(readPlace(cursor, type), { key, id: sql`m.id`, type, direction })}
      order by ${key} ${way}, m.id ${way} limit ${limit + 1}
    ) m join standings t on t.member_id = m.id
    order by m.key ${way}, m.id ${way}`.execute(db)
    return rows
  }
  const isFew = found !== null && found.ids.length <= mostFound
  const rows = isFew ? await read(ctx) : await inOrderOfIndex(ctx, read)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(withoutKey),
    next: rows.length > limit && last ? writePlace(last) : null,
  }
}

function withoutKey(row: UserRow & { key: string }): UserRow {
  const { key: _, ...user } = row
  return user
}

function among(found: Found | null) {
  if (!found) return sql`true`
  return found.ids.length > mostFound ? matchesInAny(found.pattern) : sql`m.id = any(${found.ids}::uuid[])`
}
