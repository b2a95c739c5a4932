import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { rewordMails } from '#server/kit/mail/mail.ts'
import { dropPushesWith } from './push-messages.ts'

/** Deletes the notifications and preferences of a member whose account is erased. */
export async function deleteNotificationsOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('notices').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('activityItems').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('pushDevices').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('noticePreferences').where('memberId', '=', memberId).execute()
}

/**
 * Replaces a product title of a leaving member by `instead` in the notifications and pending mails of these
 * other members. Texts have titles between curly quotes, and they are replaced only there.
 */
export async function rewordNotifications(
  ctx: Ctx,
  { memberIds, names, instead }: { memberIds: string[]; names: string[]; instead: string },
): Promise<void> {
  await rewordMails(ctx, { memberIds, names, instead })
  await dropPushesWith(ctx, { memberIds, texts: names.map((name) => `“${name}”`) })
  for (const name of names) {
    const [quoted, quotedInstead] = [`“${name}”`, `“${instead}”`]
    await sql`update notices set message = replace(message, ${quoted}, ${quotedInstead})
      where member_id = any(${memberIds}::uuid[]) and position(${quoted}::text in message) > 0`.execute(
      ctx.db,
    )
    await sql`update activity_items set description = replace(description, ${quoted}, ${quotedInstead})
      where member_id = any(${memberIds}::uuid[]) and position(${quoted}::text in description) > 0`.execute(
      ctx.db,
    )
  }
}
