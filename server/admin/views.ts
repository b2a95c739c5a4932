// A look of our staff at a member's data or at an exchange is recorded, at most once an hour.
import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'

type View = {
  memberId?: string
  action: string
  subject: { kind: string; id: string }
}

/** Records that the caller looked at something, unless they did within the last hour. */
export async function recordView(ctx: MemberCtx, view: View): Promise<void> {
  const recent = await ctx.db
    .selectFrom('staffActions')
    .select('id')
    .where('subjectId', '=', view.subject.id)
    .where('actorId', '=', ctx.who.id)
    .where('action', '=', view.action)
    .where('at', '>', sql<string>`clock_timestamp() - interval '1 hour'`)
    .executeTakeFirst()
  if (!recent) await recordStaffAction(ctx, view)
}
