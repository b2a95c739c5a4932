// The members, as our staff see them.
import { sql } from 'kysely'
import { userFilter } from '#contract/staff/users.ts'
import type { UserRow } from '#contract/staff/users.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { pageOf, readCursor } from '#server/kit/db/db.ts'
import { csvFile } from './csv-export.ts'

type Search = { search?: string | undefined }

/** Members that match the search (email, full name or role), newest first, and how many there are. */
export async function listUsers(ctx: MemberCtx, input: PageInput & Search) {
  const page = await readUsers(ctx, input)
  const counted = await sql<{ matching: number; total: number }>`
    select count(*) filter (where ${matching(input)})::int as matching, count(*)::int as total
    from members m where m.erased_at is null`.execute(ctx.db)
  return { ...page, matching: counted.rows[0]?.matching ?? 0, total: counted.rows[0]?.total ?? 0 }
}

export const usersCsv = csvFile({
  base: 'users',
  action: 'users_exported',
  filter: userFilter,
  readRows: readUsers,
  columns: [
    ['Email', ({ email }) => email],
    ['Name', ({ fullName }) => fullName],
    ['Role', ({ role }) => role],
    ['Subscription', ({ membership }) => membership],
    ['Created At', ({ createdAt }) => createdAt],
  ],
})

/** One page of the members that match. Erased accounts are left out. */
async function readUsers(ctx: MemberCtx, input: PageInput & Search): Promise<Page<UserRow>> {
  const { cursor, limit = 50 } = input
  const after = readCursor(cursor)
  const place = after
    ? sql`(m.created_at, m.id) < (${after.time}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  const { rows } = await sql<UserRow>`
    select m.id, m.email, m.full_name as "fullName", m.role,
      coalesce(s.status, 'none') as membership, m.created_at as "createdAt"
    from members m left join memberships s on s.member_id = m.id
    where m.erased_at is null and ${matching(input)} and ${place}
    order by m.created_at desc, m.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, (row) => ({ time: row.createdAt, id: row.id }))
}

function matching({ search = '' }: Search) {
  const words = search.trim()
  if (!words) return sql`true`
  const pattern = like(words)
  return sql`(m.email like ${pattern} or lower(m.full_name) like ${pattern} or m.role like ${pattern})`
}

function like(words: string) {
  return `%${words.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
