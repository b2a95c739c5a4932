import { sql } from 'kysely'
import { openSession } from '#server/accounts/sessions.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { addProductOf, consent } from '#server/matching/testing.ts'
import type { Club } from '#server/testing/club.ts'

/** A name that contains the username and that no other member of the club has. */
export const nameOf = (username: string) => `Quillfeather ${username.toUpperCase()}`

/** A member with names, a product named after them, and a fresh login session. */
export async function newPerson(club: Club, username: string): Promise<MemberCtx> {
  const member = await club.newMember(username)
  await sql`update members set display_name = ${nameOf(username)}, full_name = ${nameOf(username)}
    where id = ${member.who.id}`.execute(member.db)
  await consent(member)
  await addProductOf(member, username)
  return fresh(club, member)
}

/** The same member with a new login session. */
export async function fresh(club: Club, member: MemberCtx): Promise<MemberCtx> {
  const client = { address: '203.0.113.7', userAgent: `Browser of ${member.who.id}` }
  const { sessionId } = await inTransaction({ ...club.system, client }, (ctx) =>
    openSession(ctx, member.who.id, 'test'),
  )
  return actAs({ ...club.system, client }, { ...member.who, sessionId })
}

/** Every row of every table in which a column of any type contains one of these texts. */
export async function findRowsWith(ctx: Ctx, texts: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`.execute(ctx.db)
  const found: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.id(schema, name)} t
      where t::text ilike any(${texts.map((text) => `%${text}%`)}::text[])`.execute(ctx.db)
    found.push(...rows.map(({ row }) => `${schema}.${name}: ${row}`))
  }
  return found
}

/** The keys of all stored files. */
export async function fileKeys(ctx: Ctx): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of ctx.kit.files.list('')) keys.push(key)
  return keys
}
