// What a leaving member takes from the record of moderation: their words. Decisions and their reasons
// stay, with an empty account in place of the name.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { closeCase } from './cases.ts'
import { endUnreported } from './reports.ts'

/**
 * Ends the cases about this member, withdraws their open reports and appeals, and empties what they wrote.
 * The caller holds their lock, and has ended their reviews.
 */
export async function eraseModerationOf(ctx: Ctx, memberId: string): Promise<void> {
  const about = await ctx.db
    .selectFrom('cases')
    .select('id')
    .where('memberId', '=', memberId)
    .where('state', '<>', 'closed')
    .execute()
  for (const { id } of about) await closeCase(ctx, id, 'ended')
  await withdrawReports(ctx, memberId)
  await ctx.db.updateTable('reports').set({ explanation: null }).where('reporterId', '=', memberId).execute()
  await ctx.db.updateTable('cases').set({ stoodBy: null }).where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('appeals').where('memberId', '=', memberId).where('decidedAt', 'is', null).execute()
  await ctx.db.updateTable('appeals').set({ explanation: null }).where('memberId', '=', memberId).execute()
  await ctx.db
    .updateTable('cases')
    .set({ assignedTo: null, assignedAt: null })
    .where('assignedTo', '=', memberId)
    .execute()
}

/** What was returned stays with its writer, who may stand by it: our staff then look without a reporter. */
async function withdrawReports(ctx: Ctx, memberId: string) {
  const withdrawn = await ctx.db
    .updateTable('reports')
    .from('cases')
    .set({ withdrawnAt: sql<string>`clock_timestamp()` })
    .whereRef('cases.id', '=', 'reports.caseId')
    .where('reports.reporterId', '=', memberId)
    .where('reports.withdrawnAt', 'is', null)
    .where('cases.state', '<>', 'closed')
    .returning(['reports.caseId', 'cases.state'])
    .execute()
  for (const { caseId, state } of withdrawn) if (state !== 'returned') await endUnreported(ctx, caseId)
}
