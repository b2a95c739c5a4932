import { sql } from 'kysely'
import type { Locale } from '#contract/locales.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db.ts'
import { emit } from '#server/kit/events.ts'

/** How dates and numbers are written for me, and in which time zone; null follows the device, and UTC in mails. */
export async function updatePreferences(ctx: MemberCtx, wish: { locale: Locale; timeZone: string | null }) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .updateTable('members')
      .set({ ...wish, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', memberId)
      .execute()
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}
