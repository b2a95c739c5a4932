// Messages from anyone, with or without an account. The name and address are not verified, so the
// confirmation repeats nothing of the message: the address may be someone else's.
import type { ContactMessage } from '#contract/support.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import { mailboxKey } from '#server/accounts/limits.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { hour, limitRate, minute } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isReadable, referenceOf } from './support.ts'

/**
 * Allows 5 messages an hour from one network address, and 1 a minute and 5 an hour for one mailbox, whether
 * or not it is a member's. Refuses TOO_MANY_REQUESTS, and INVALID_EMAIL for text that is not an address.
 */
export async function limitContact({ kit, client }: Ctx, email: string) {
  const mailbox = mailboxKey(email)
  await limitRate(kit.db, `contact:${client?.address ?? ''}`, { hits: 5, seconds: hour })
  await limitRate(kit.db, `contact-to-now:${mailbox}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `contact-to:${mailbox}`, { hits: 5, seconds: hour })
}

/**
 * Stores a message for our staff, without keys and passwords in it, and confirms it by one mail to the given
 * address. Refuses FIELDS_MISSING when a field has no visible text, and INVALID_EMAIL. The answer does not
 * reveal whether a member has that address.
 */
export function sendContactMessage(ctx: Ctx, fields: ContactMessage): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { name } = fields
    const [subject, message] = [withoutSecrets(fields.subject), withoutSecrets(fields.message)]
    for (const [field, text] of Object.entries(fields)) {
      if (!isReadable(text)) throw refuse('FIELDS_MISSING', { field })
    }
    const email = readEmail(fields.email)
    const id = newId()
    const memberId = ctx.who.id
    await ctx.db
      .insertInto('supportMessages')
      .values({ id, memberId, name, email, category: 'other', subject, message })
      .execute()
    await queueMail(ctx, {
      to: email,
      memberId,
      template: 'message-received',
      props: { reference: referenceOf(id) },
      dedupeKey: `contact:${id}`,
    })
  })
}
