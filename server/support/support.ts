// Messages to our staff, from members. The member gets a mail that confirms each message.
import { supportCategories } from '#contract/support.ts'
import type { SupportCategory } from '#contract/support.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notify } from '#server/notifications/notices.ts'

/**
 * Sends a message to our staff, without keys and passwords in it, and confirms it by mail. Refuses
 * FIELDS_MISSING when a field holds nothing to read.
 */
export function submitSupportRequest(
  ctx: MemberCtx,
  fields: { category: SupportCategory | ''; subject: string; message: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { category } = fields
    if (category === '') throw refuse('FIELDS_MISSING', { field: 'category' })
    const subject = withoutSecrets(fields.subject.trim())
    const message = withoutSecrets(fields.message.trim())
    if (!isReadable(subject)) throw refuse('FIELDS_MISSING', { field: 'subject' })
    if (!isReadable(message)) throw refuse('FIELDS_MISSING', { field: 'message' })
    const writer = await ctx.db
      .selectFrom('members')
      .select(['email', 'username', 'displayName', 'fullName'])
      .where('id', '=', ctx.who.id)
      .executeTakeFirstOrThrow()
    const id = newId()
    await ctx.db
      .insertInto('supportMessages')
      .values({
        id,
        memberId: ctx.who.id,
        name: writer.username || writer.displayName || writer.fullName || 'Account',
        email: writer.email,
        category,
        subject,
        message,
        via: 'account',
      })
      .execute()
    await notify(ctx, {
      memberId: ctx.who.id,
      key: `support:${id}`,
      kind: null,
      mail: {
        template: 'message-received',
        props: { category: supportCategories[category], subject, reference: referenceOf(id) },
      },
    })
  })
}

/** The reference that the writer and our staff use for a message. */
export function referenceOf(id: string) {
  return id.slice(-8).toUpperCase()
}

/** Whether the text has at least one visible character. */
export function isReadable(text: string) {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}
