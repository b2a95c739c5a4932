// What I say of myself, and how I want dates and numbers written. The username and the picture have ways of their own.
import { sql } from 'kysely'
import type { Locale } from '#contract/locales.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'

/** Changes the names on my profile. */
export function updateProfile(ctx: MemberCtx, names: { displayName: string; fullName: string | null }) {
  return change(ctx, { displayName: names.displayName, fullName: names.fullName || null })
}

/** How dates and numbers are written for me, and in which time zone; null follows the device, and UTC in mails. */
export function updatePreferences(ctx: MemberCtx, wish: { locale: Locale; timeZone: string | null }) {
  return change(ctx, wish)
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
