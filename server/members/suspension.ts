// Suspension: a member is out of the exchange until a moment, or until our staff reinstate them. They stay
// signed in, so they can finish the reviews they owe and write to support.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'

/**
 * `reason` is what the member reads. `days` count from now; at the start of `untilDay` (YYYY-MM-DD, in UTC)
 * it is over. With null it lasts until our staff lifts it.
 */
export type Suspension = { memberId: string; reason: string } & (
  | { days: number | null }
  | { untilDay: string | null }
)

/**
 * Suspends a member. Of two suspensions the longer one counts. Returns since when and until when, or null
 * when nothing changed.
 */
export async function suspendMember(ctx: Ctx, { memberId, reason, ...term }: Suspension) {
  const until =
    'days' in term
      ? sql`now_is + make_interval(days => ${term.days}::int)`
      : sql`${term.untilDay}::date::timestamp at time zone 'UTC'`
  const { rows } = await sql<{ since: string; until: string | null }>`
    update members m set suspended_at = t.since, suspended_until = t.until, suspension_reason = ${reason},
      updated_at = t.since
    from (select now_is as since, ${until} as until
      from (select clock_timestamp() as now_is) clock) t
    where m.id = ${memberId} and m.erased_at is null
      and (m.suspended_at is null or m.suspended_until < coalesce(t.until, 'infinity'))
    returning t.since, t.until`.execute(ctx.db)
  if (!rows[0]) return null
  await emit(ctx, 'member.changed', { memberId }, [memberId])
  return rows[0]
}

/** Ends a suspension before its time. False when the member is not suspended. */
export async function reinstateMember(ctx: Ctx, memberId: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('members')
    .set(notSuspended)
    .where('id', '=', memberId)
    .where('suspendedAt', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await emit(ctx, 'member.changed', { memberId }, [memberId])
  return true
}

/** Gives a suspension another reason and end: what it was for is over, and something else still holds it. */
export async function continueUntil(
  ctx: Ctx,
  { memberId, reason, until }: { memberId: string; reason: string; until: string | null },
): Promise<void> {
  await ctx.db
    .updateTable('members')
    .set({ suspendedUntil: until, suspensionReason: reason, updatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', memberId)
    .where('suspendedAt', 'is not', null)
    .execute()
  await emit(ctx, 'member.changed', { memberId }, [memberId])
}

/** Ends the suspensions whose term is over, in the open transaction, and returns their members. */
export async function reinstateAfterTerm(ctx: Ctx): Promise<string[]> {
  const ended = await ctx.db
    .updateTable('members')
    .set(notSuspended)
    .where('suspendedUntil', '<=', sql<string>`clock_timestamp()`)
    .returning('id')
    .execute()
  await emitAll(
    ctx,
    'member.changed',
    ended.map(({ id: memberId }) => ({ fields: { memberId }, recipients: [memberId] })),
  )
  return ended.map(({ id }) => id)
}

const notSuspended = {
  suspendedAt: null,
  suspendedUntil: null,
  suspensionReason: null,
  updatedAt: sql<string>`clock_timestamp()`,
}
