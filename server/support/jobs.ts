import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { Job } from '#server/kit/jobs.ts'

export const supportJobs: Job[] = [
  { name: 'delete-visitor-messages', cron: '52 3 * * *', expireInSeconds: 120, run: deleteVisitorMessages },
]

/**
 * Deletes messages that were written without an account, with their answers, once they were resolved as long
 * ago as published.
 */
async function deleteVisitorMessages(ctx: Ctx): Promise<void> {
  await sql`
    delete from support_messages where member_id is null
      and resolved_at < clock_timestamp() - make_interval(days => ${retention.visitorMessageDays})`.execute(
    ctx.db,
  )
}
