// Payments that a bank disputes. Who takes months of membership back by them can't go on with another
// account.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { accountsOfPerson } from '#server/members/one-person.ts'

/** What a member reads whom a dispute suspended that the club lost. */
export const takenBackReason = 'Your bank took back a payment for your membership.'

/** In SQL: whether a bank has not decided yet about the dispute of the row `d`. An inquiry is none. */
const isOpen = sql`(d.closed_at is null and d.status not like 'warning%')`

/** In SQL: whether the club lost the dispute of the row `d`, and our staff has not settled it. */
const isTakenBack = sql`(d.status = 'lost' and d.settled_at is null)`

/**
 * In SQL: whether a payment of the person of this member, in whichever account of theirs, is disputed, or was
 * taken back and our staff has not settled it.
 */
export function personDisputes(memberId: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from disputes d join members holder on holder.id = d.member_id
    where d.member_id in ${accountsOfPerson(memberId)}
      and (${isOpen} or ${isTakenBack} and holder.erased_at is null))`
}

/** Whether a payment of this member was taken back and our staff has not settled it. */
export function hasTakenBack(ctx: Ctx, memberId: string): Promise<boolean> {
  return hasDispute(ctx, memberId, isTakenBack)
}

/** Our staff reinstated this member, so what their bank took back bars them no more. */
export async function settleTakenBack(ctx: Ctx, memberId: string): Promise<void> {
  await sql`update disputes d set settled_at = clock_timestamp()
    where ${isTakenBack} and d.member_id = ${memberId}`.execute(ctx.db)
}

/** Whether a payment of this member is disputed now. */
export function hasOpenDispute(ctx: Ctx, memberId: string): Promise<boolean> {
  return hasDispute(ctx, memberId, isOpen)
}

async function hasDispute(ctx: Ctx, memberId: string, such: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select from disputes d where ${such} and d.member_id = ${memberId}
    limit 1`.execute(ctx.db)
  return rows.length > 0
}
