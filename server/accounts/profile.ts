import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db.ts'
import { emit } from '#server/kit/events.ts'

/** Changes the names on my profile. The username has its own way. */
export async function updateProfile(ctx: MemberCtx, names: { displayName: string; fullName: string | null }) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .updateTable('members')
      .set({
        displayName: names.displayName,
        fullName: names.fullName || null,
        updatedAt: sql`clock_timestamp()`,
      })
      .where('id', '=', memberId)
      .execute()
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}
