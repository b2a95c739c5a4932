// My names, and how I want dates and numbers formatted. Username and picture have separate files.
import { sql } from 'kysely'
import type { Locale } from '#contract/locales.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'

/** Changes the names on my profile. */
export function updateProfile(ctx: MemberCtx, names: { displayName: string; fullName: string | null }) {
  return change(ctx, { displayName: names.displayName, fullName: names.fullName || null })
}

/** Sets how dates and numbers are formatted. Time zone null means the device's, and UTC in mails. */
export function updatePreferences(ctx: MemberCtx, input: { locale: Locale; timeZone: string | null }) {
  return change(ctx, input)
}

async function change(
  ctx: MemberCtx,
  fields: { displayName: string; fullName: string | null } | { locale: Locale; timeZone: string | null },
) {
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .updateTable('members')
      .set({ ...fields, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', memberId)
      .execute()
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  })
}
