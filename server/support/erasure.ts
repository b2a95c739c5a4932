import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/**
 * Deletes the messages of a member whose account is erased, sent signed in or from their address, with all
 * that followed them. Messages that were assigned to them wait for another member of staff.
 */
export async function eraseMessagesOf(ctx: Ctx, { memberId, email }: { memberId: string; email: string }) {
  await sql`delete from support_messages where member_id = ${memberId} or lower(email) = ${email}`.execute(
    ctx.db,
  )
  await sql`update support_messages set assigned_to = null, version = version + 1
    where assigned_to = ${memberId}`.execute(ctx.db)
}
