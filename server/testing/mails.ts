import { render, toPlainText } from 'react-email'
import { mails } from '#server/app.ts'
import type { Club } from './club.ts'

type Mail = { template: string; subject: string | undefined; text: string; token: string }

/**
 * The mails to an address as its owner reads them, the newest last. `token` is the secret of a mail's link.
 */
export async function mailsTo(club: Club, email: string): Promise<Mail[]> {
  const rows = await club.system.db
    .selectFrom('mails')
    .select(['template', 'props'])
    .where('toAddress', '=', email)
    .orderBy('createdAt')
    .execute()
  return Promise.all(
    rows.map(async ({ template, props }) => {
      // The stored props are those that the template takes.
      const mail = mails[template]?.(props as Record<string, string>, {
        origin: club.config.origin,
        demo: true,
      })
      const text = toPlainText(await render(mail?.body))
      return { template, subject: mail?.subject, text, token: /#token=([\w-]{43})/.exec(text)?.[1] ?? '' }
    }),
  )
}
