import { sql } from 'kysely'
import type { Profile } from '#contract/settings.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db.ts'
import { emit } from '#server/kit/events.ts'
import { findMyEmailChange } from './email-change.ts'
import { changeableFrom } from './username-change.ts'

/** What I can change about my account, and what is under way. */
export async function getProfile(ctx: MemberCtx): Promise<Profile> {
  const me = await ctx.db
    .selectFrom('members')
    .select(['avatarKey as avatar', 'locale', 'timeZone'])
    .select(
      sql<string | null>`case when ${changeableFrom} > clock_timestamp() then ${changeableFrom} end`.as(
        'usernameChangeAt',
      ),
    )
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  const reservedUsernames = await ctx.db
    .selectFrom('reservedUsernames')
    .select(['username', 'reservedUntil as until'])
    .where('memberId', '=', ctx.who.id)
    .where('reservedUntil', '>', sql<string>`clock_timestamp()`)
    .orderBy('reservedUntil', 'desc')
    .execute()
  return { ...me, reservedUsernames, emailChange: await findMyEmailChange(ctx) }
}

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
