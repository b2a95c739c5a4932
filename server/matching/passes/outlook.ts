import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'
import { phases } from '../candidates.ts'
import type { Phase } from '../candidates.ts'
import { sweepIsDue } from '../tiers.ts'
import { isDue } from './statements.ts'

/** What a run of the draw may find to do: mostly nothing, which costs this one query. */
type Outlook = { tiersChanged: boolean; quietHoursEnded: boolean; noticesDue: boolean; phases: Phase[] }

/** Looks what there is to do. A phase is named where a request waits and a member of its tier is left. */
export async function readOutlook(ctx: Ctx): Promise<Outlook> {
  const [row] = await runPrepared(
    ctx.db,
    sql<Omit<Outlook, 'phases'> & { present: boolean; absent: boolean; standby: boolean }>`
    select ${sweepIsDue} as tiers_changed,
      coalesce((select min(quiet_until) from reviewer_states) <= clock_timestamp(), false)
        as quiet_hours_ended,
      exists (select from offer_notices_due) as notices_due,
      ${mayMatch(phases.present)} as present, ${mayMatch(phases.absent)} as absent,
      ${mayMatch(phases.standby)} as standby`,
  )
  if (!row) throw new Error('The outlook has one row.')
  const found = [phases.present, phases.absent, phases.standby].filter((phase) =>
    phase === phases.present ? row.present : phase === phases.absent ? row.absent : row.standby,
  )
  return { ...row, phases: found }
}

/** Both look at the first in the order of an index, so that they read one row and not the club. */
function mayMatch(phase: Phase) {
  return sql<boolean>`(exists (
      select from reviewer_states where tier = ${sql.lit(phase)} order by tier limit 1)
    and coalesce((select true from review_queue q where q.status = 'queued' and ${isDue(phase)}
      order by q.prio_at, q.id limit 1), false))`
}
