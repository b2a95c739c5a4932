// Presence: the signal that a dashboard sends each minute, after which its member may get live offers.
import { sql } from 'kysely'
import { presence } from '#contract/matching-rules.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { settleNudges } from './notices.ts'
import { isQuiet, isUnavailable } from './tiers.ts'

/**
 * In SQL: whether the member's open offer ran out and waits to be ended. Who comes back then was not here for
 * it, so it is no refusal (presence/rests.ts).
 */
const offerRanOut = sql<boolean>`exists (select from offers o
  where o.id = reviewer_states.open_offer_id and o.expires_at <= clock_timestamp())`

type Signal = { mayDraw: boolean; wasNudged: boolean }

/**
 * Reports that I am present, so I may get live offers for `presence.lastsSeconds`. Settles a nudge, and
 * starts a pass when requests wait. A row that others hold is left as it is: the next signal comes within a
 * minute, and waiting would hold a connection.
 */
export async function bePresent(ctx: MemberCtx): Promise<void> {
  const { rows } = await sql<Signal>`
    with free as (
      select member_id from reviewer_states where member_id = ${ctx.who.id} for no key update skip locked
    )
    update reviewer_states set
      here_until = clock_timestamp() + make_interval(secs => ${presence.lastsSeconds}),
      last_seen_at = case when ${offerRanOut} then last_seen_at else clock_timestamp() end,
      standby = false,
      tier = case when ${isUnavailable} then 9 when ${isQuiet} then 8 else 0 end
    where member_id in (select member_id from free)
    returning tier = 0 and exists (select from review_queue where status = 'queued') as may_draw,
      coalesce(nudged_at > (select before.last_seen_at from reviewer_states before
        where before.member_id = reviewer_states.member_id), false) as was_nudged`.execute(ctx.db)
  const [signal] = rows
  if (signal?.wasNudged) await inTransaction(ctx, (ctx) => settleNudges(ctx, ctx.who.id))
  if (signal?.mayDraw) await ctx.kit.jobs.send(ctx, 'match-requests')
}
