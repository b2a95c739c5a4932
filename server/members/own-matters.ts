// What our staff keep out of, because it is about themselves.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { accountsOfPerson } from './one-person.ts'

/** In SQL: the ids of the accounts that may be the caller's, the one they act with among them. */
export function myAccounts({ who }: MemberCtx): RawBuilder<unknown> {
  return accountsOfPerson(sql`${who.id}::uuid`)
}

/**
 * Refuses OWN_MATTER when one of these people may be the caller, by this or another account: staff neither
 * decide nor change what is about themselves, such as their own account, an exchange they are part of, or an
 * appeal against their decision.
 */
export async function refuseOwnMatter(ctx: MemberCtx, people: readonly (string | null)[]): Promise<void> {
  if (await isAmong(ctx, people)) throw refuse('OWN_MATTER')
}

/** The ids of our staff, without those who may be one of these people. */
export async function findStaff(ctx: Ctx, { but }: { but: readonly string[] }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from members m where m.role in ('support', 'admin') and m.erased_at is null
      and not exists (select from ${accountsOfPerson(sql`m.id`)} of_staff
        where of_staff.id = any(${but}::uuid[]))`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Whether one of these people may be the caller, by this or another account. */
export async function isAmong(ctx: MemberCtx, people: readonly (string | null)[]): Promise<boolean> {
  if (people.includes(ctx.who.id)) return true
  const others = people.filter((id) => id !== null)
  if (others.length === 0) return false
  const { rows } = await sql`
    select from ${myAccounts(ctx)} mine where mine.id = any(${others}::uuid[]) limit 1`.execute(ctx.db)
  return rows.length > 0
}
