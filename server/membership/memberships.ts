// Memberships that no payment decides: those of the demo club, which grants and renews them itself while it
// sells none, and those that our staff gives. Also how each membership ends.
import { sql } from 'kysely'
import { demoMembershipDays } from '#contract/membership.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { addChanges } from './changes.ts'

/**
 * Grants a membership of the demo club. Does nothing in production, nothing where memberships are sold, and
 * nothing when a membership exists.
 */
export async function grantDemoMembership(ctx: Ctx, memberId: string) {
  if (ctx.config.mode !== 'demo' || ctx.config.payments) return
  await inTransaction(ctx, async (ctx) => {
    const { numAffectedRows } = await sql`
      insert into memberships as s (member_id, status, source, current_period_end, started_at)
      values (${memberId}, 'active', 'demo',
        clock_timestamp() + make_interval(days => ${demoMembershipDays}), clock_timestamp())
      on conflict (member_id) do update set status = excluded.status, source = excluded.source,
        current_period_end = excluded.current_period_end, started_at = excluded.started_at,
          updated_at = clock_timestamp()
      where s.status = 'none'`.execute(ctx.db)
    if (numAffectedRows === 1n) await emit(ctx, 'membership.changed', { memberId }, [memberId])
  })
}

/** Renews the demo club's memberships that end within a day. A repeated run renews once. */
export async function renewDemoMemberships(ctx: Ctx) {
  if (ctx.config.mode !== 'demo') return
  await sql`
    update memberships set updated_at = clock_timestamp(),
      current_period_end = greatest(current_period_end,
        clock_timestamp()) + make_interval(days => ${demoMembershipDays})
    where status = 'active' and source = 'demo'
      and current_period_end < clock_timestamp() + interval '1 day'`.execute(ctx.db)
}

/**
 * Ends granted memberships once their period is over, and others when it has been over for three days. It
 * ends those up to 90 minutes early, so that an hourly run never leaves one active after the three days.
 * Where memberships are sold, the payment partner says when a paid one is over.
 */
export async function endLapsedMemberships(ctx: Ctx) {
  const decidesHere = ctx.config.payments ? sql`source <> 'stripe'` : sql`true`
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ memberId: string; until: string }>`
      update memberships set status = 'ended', updated_at = clock_timestamp()
      where status = 'active' and ${decidesHere} and current_period_end < clock_timestamp()
        - case source when 'grant' then interval '0' else interval '70 hours 30 minutes' end
      returning member_id, current_period_end as until`.execute(ctx.db)
    for (const { memberId, until } of rows) {
      await emit(ctx, 'membership.changed', { memberId }, [memberId])
      await addChanges(ctx, memberId, [{ kind: 'ended', key: `lapsed:${until}` }])
    }
  })
}

/**
 * Sends for a look at the payment partner for each paid membership that has come to a moment at which it
 * changes, in case no event came: the end of its period, of its time for a late payment, or of a pause.
 */
export async function askAboutDueMemberships(ctx: Ctx) {
  if (!ctx.config.payments) return
  const { rows } = await sql<{ memberId: string }>`
    select member_id from memberships where source = 'stripe' and (
      (status = 'past_due' and grace_until < clock_timestamp())
      or (status = 'active' and ends_at < clock_timestamp())
      or (status = 'active' and current_period_end < clock_timestamp() - interval '2 hours'
        and (paused_until is null or paused_until < clock_timestamp() - interval '1 hour')))`.execute(ctx.db)
  for (const { memberId } of rows) await ctx.kit.jobs.send(ctx, 'sync-membership', { memberId })
}
