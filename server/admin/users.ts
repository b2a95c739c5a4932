// The members, as our staff see them.
import { sql } from 'kysely'
import type { UserRow } from '#contract/staff/users.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { pageOf, readCursor } from '#server/kit/db/db.ts'

type UserPage = Page<UserRow> & { matching: number; total: number }

/** Members that match the search (email, full name or role), newest first. Erased accounts are left out. */
export async function listUsers(
  ctx: MemberCtx,
  { search = '', cursor, limit = 50 }: PageInput & { search?: string | undefined },
): Promise<UserPage> {
  const after = readCursor(cursor)
  const words = search.trim()
  const matches = words
    ? sql`(m.email like ${like(words)} or lower(m.full_name) like ${like(words)} or m.role like ${like(words)})`
    : sql`true`
  const place = after
    ? sql`(m.created_at, m.id) < (${after.time}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  const { rows } = await sql<UserRow>`
    select m.id, m.email, m.full_name as "fullName", m.role,
      coalesce(s.status, 'none') as membership, m.created_at as "createdAt"
    from members m left join memberships s on s.member_id = m.id
    where m.erased_at is null and ${matches} and ${place}
    order by m.created_at desc, m.id desc limit ${limit + 1}`.execute(ctx.db)
  const counted = await sql<{ matching: number; total: number }>`
    select count(*) filter (where ${matches})::int as matching, count(*)::int as total
    from members m where m.erased_at is null`.execute(ctx.db)
  const { items, next } = pageOf(rows, limit, (row) => ({ time: row.createdAt, id: row.id }))
  return { items, next, matching: counted.rows[0]?.matching ?? 0, total: counted.rows[0]?.total ?? 0 }
}

function like(words: string) {
  return `%${words.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
