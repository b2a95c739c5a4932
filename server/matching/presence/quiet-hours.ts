// Asking hours: when a member wants to be asked. Outside of them, in the quiet hours, the member counts as
// absent and gets no offer. `reviewer_states` holds the present or next quiet period.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isTimeZone } from '#contract/time-zone.ts'
import type { AskingHours } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refreshTiers } from '../tiers.ts'

/** My asking hours, and whether I am in quiet hours now; `hours` is null when I can be asked at any time. */
export async function getAskingHours(ctx: MemberCtx) {
  const { rows } = await sql<
    AskingHours & { zone: string; quietUntil: string | null; quietFrom: string | null }
  >`
    select h.days, h.from_minute as from, h.until_minute as until, ${zoneOf} as zone,
      case when s.quiet_from <= clock_timestamp() and s.quiet_until > clock_timestamp() then s.quiet_until end
        as quiet_until,
      case when s.quiet_from > clock_timestamp() then s.quiet_from end as quiet_from
    from asking_hours h join members m on m.id = h.member_id
      left join reviewer_states s on s.member_id = h.member_id
    where h.member_id = ${ctx.who.id}`.execute(ctx.db)
  const row = rows[0]
  if (!row) return { hours: null, timeZone: null, quietUntil: null, quietFrom: null }
  const { zone, quietUntil, quietFrom, ...hours } = row
  return { hours, timeZone: zone, quietUntil, quietFrom }
}

/**
 * Sets or removes my asking hours, from now on. An open offer stays open. `timeZone` is the device's, for a
 * member whose settings name none.
 */
export function setAskingHours(
  ctx: MemberCtx,
  { hours, timeZone }: { hours: AskingHours | null; timeZone: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    if (hours) {
      const row = {
        days: hours.days.toSorted((a, b) => a - b),
        fromMinute: hours.from,
        untilMinute: hours.until,
        timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
        updatedAt: sql<string>`clock_timestamp()`,
      }
      await ctx.db
        .insertInto('askingHours')
        .values({ memberId, ...row })
        .onConflict((conflict) => conflict.column('memberId').doUpdateSet(row))
        .execute()
    } else await ctx.db.deleteFrom('askingHours').where('memberId', '=', memberId).execute()
    await refreshQuietHours(ctx, memberId)
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await ctx.kit.jobs.send(ctx, 'match-requests')
  })
}

/** Works out a member's quiet period again: their hours or their time zone changed. */
export async function refreshQuietHours(ctx: Ctx, memberId: string): Promise<void> {
  await writeQuietPeriods(ctx, sql`s.member_id = ${memberId}`)
  await refreshTiers(ctx, [memberId])
}

/** Goes on to the next period of members whose quiet hours ended, so that they can be asked again. */
export async function renewQuietHours(ctx: Ctx): Promise<void> {
  const ended = await sql<{ memberId: string }>`
    select member_id from reviewer_states where quiet_until <= clock_timestamp()
    limit 500 for update skip locked`.execute(ctx.db)
  const ids = ended.rows.map(({ memberId }) => memberId)
  if (ids.length === 0) return
  await writeQuietPeriods(ctx, sql`s.member_id = any(${ids}::uuid[])`)
  await refreshTiers(ctx, ids)
}

const zoneOf = sql<string>`known_zone(coalesce(m.time_zone, h.time_zone))`

function writeQuietPeriods(ctx: Ctx, which: RawBuilder<unknown>) {
  return sql`
    update reviewer_states t set quiet_from = lower(n.gap), quiet_until = upper(n.gap)
    from (
      select s.member_id, case when h.member_id is not null
        then quiet_period(clock_timestamp(), h.days, h.from_minute, h.until_minute, ${zoneOf}) end as gap
      from reviewer_states s join members m on m.id = s.member_id
        left join asking_hours h on h.member_id = s.member_id
      where ${which}
    ) n
    where t.member_id = n.member_id`.execute(ctx.db)
}
