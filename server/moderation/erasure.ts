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
  await withdrawOpenReports(ctx, memberId)
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

async function withdrawOpenReports(ctx: Ctx, memberId: string) {
  const open = await ctx.db
    .updateTable('reports')
    .from('cases')
    .set({ withdrawnAt: sql<string>`clock_timestamp()` })
    .whereRef('cases.id', '=', 'reports.caseId')
    .where('reports.reporterId', '=', memberId)
    .where('reports.withdrawnAt', 'is', null)
    .where('cases.state', '=', 'open')
    .returning('reports.caseId')
    .execute()
  for (const { caseId } of open) await endUnreported(ctx, caseId)
}
