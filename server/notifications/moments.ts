import type { Ctx } from '#server/kit/ctx.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'

/** A moment for a notice, in the format and time zone of the member who reads it. */
export async function writeMomentFor(ctx: Ctx, memberId: string, at: string): Promise<string> {
  const reader = await ctx.db
    .selectFrom('members')
    .select(['locale', 'timeZone'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return writeMoment(at, reader)
}
