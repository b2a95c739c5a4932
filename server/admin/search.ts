// Searching long lists: what a search matches, and which index can find it.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { containing } from '#server/kit/db/conditions.ts'
import { inTransaction } from '#server/kit/db/db.ts'

/** The pattern of `like` for texts that hold these words anywhere; null without words. */
export function patternOf(search: string | undefined): string | null {
  const words = (search ?? '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return words ? containing(words) : null
}

/** Whether an index of trigrams helps: it needs three letters or digits in a row. */
export function hasTrigram(pattern: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(pattern)
}

const sampleSize = 1_000
const mostOfSample = 100

type MemberSearch = { pattern: string; matches: RawBuilder<boolean>; limit: number }

/**
 * The ids of members `m` that match, in no order, at most `limit`. What one in ten has is found fastest by
 * looking at one after the other; what is rarer, by an index: of trigrams, or of letters when the search is
 * too short. `matches` may only find what the email, the full name or the role holds.
 */
export async function findMembers(ctx: Ctx, { pattern, matches, limit }: MemberSearch): Promise<string[]> {
  const find = async ({ db }: Ctx, condition: RawBuilder<boolean>) => {
    const { rows } = await sql<{ id: string }>`
      select m.id from members m where m.erased_at is null and ${condition} limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select * from members where erased_at is null limit ${sampleSize}) m
    where ${matches}`.execute(ctx.db)
  if ((rows[0]?.count ?? 0) < mostOfSample) {
    const rare = hasTrigram(pattern) ? matches : sql<boolean>`${hasLetters(pattern)} and ${matches}`
    return byIndexAlone(ctx, (ctx) => find(ctx, rare))
  }
  return inTransaction(ctx, async (ctx) => {
    await sql`select set_config('enable_bitmapscan', 'off', true)`.execute(ctx.db)
    return find(ctx, matches)
  })
}

/** The condition that a member has each two letters of a pattern, or its only one: all that match do. */
function hasLetters(pattern: string) {
  const letters = [...pattern.slice(1, -1).replace(/\\(.)/g, '$1')]
  const pairs = letters.slice(1).map((letter, place) => `${letters[place]}${letter}`)
  return sql<boolean>`member_letters(m.email, m.full_name, m.role) @>
    ${pairs.length > 0 ? pairs : letters}::text[]`
}

/** Runs reads that should use an index of letters, however many rows the planner expects them to find. */
export function byIndexAlone<C extends Ctx, T>(ctx: C, read: (ctx: C) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (ctx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
      set_config('enable_indexonlyscan', 'off', true)`.execute(ctx.db)
    return read(ctx)
  })
}

/** Runs a read of a sorted list by the index of its order, which ends at the end of the page. */
export function inOrderOfIndex<C extends Ctx, T>(ctx: C, read: (ctx: C) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (ctx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_sort', 'off', true)`.execute(ctx.db)
    return read(ctx)
  })
}
