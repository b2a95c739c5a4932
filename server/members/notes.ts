// What our staff note about a member for each other. The member finds the notes in the archive of their data.
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from './own-matters.ts'
import { requireMember } from './members.ts'

/** Adds a note of 1 to 2,000 characters about a member. Refuses OWN_MATTER and NOT_FOUND. */
export function addNote(ctx: MemberCtx, { memberId, text }: { memberId: string; text: string }) {
  return inTransaction(ctx, async (ctx) => {
    await refuseOwnMatter(ctx, [memberId])
    await requireMember(ctx, memberId)
    const id = newId()
    await ctx.db.insertInto('memberNotes').values({ id, memberId, authorId: ctx.who.id, text }).execute()
    await recordStaffAction(ctx, { action: 'note_added', memberId, subject: { kind: 'note', id } })
  })
}
