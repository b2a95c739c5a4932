import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import type { Job } from '#server/kit/jobs.ts'

export const supportJobs: Job[] = [
  { name: 'delete-visitor-messages', cron: '52 3 * * *', expireInSeconds: 300, run: deleteVisitorMessages },
]

/**
 * Deletes messages that were written without an account, with their answers, once they were resolved as long
 * ago as published.
 */
function deleteVisitorMessages(ctx: Ctx): Promise<void> {
  const where = sql`member_id is null and ${olderThan(sql`resolved_at`, retention.visitorMessageDays * 24)}`
  return removeOldRows(ctx, [{ table: 'support_messages', where }])
}
