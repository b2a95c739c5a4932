import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { stopClock } from '#server/testing/clock.ts'
import { useClub } from '#server/testing/club.ts'
import { accountMails } from './mails.ts'
import {
  mailAddressConfirmation,
  mailConfirmation,
  mailNewAddress,
  mailOldAddress,
  mailReset,
} from './notices.ts'

const club = useClub()

type Recipient = { memberId: string; to: string }
const send: Record<string, (ctx: Ctx, to: Recipient) => Promise<void>> = {
  'verify-email': (ctx, to) => mailConfirmation(ctx, { ...to, username: 'ben' }),
  'reset-password': (ctx, to) => mailReset(ctx, { ...to, username: 'ben' }),
  'confirm-address': (ctx, to) => mailAddressConfirmation(ctx, to),
  'email-change-old': (ctx, to) => mailOldAddress(ctx, { ...to, next: 'b@shop.example', token: 't' }),
  'email-change-new': (ctx, to) => mailNewAddress(ctx, { ...to, username: 'ben', token: 't' }),
}

test.each(Object.keys(send))(
  'the mail %s says until when its link works, in the reader’s time zone',
  async (template) => {
    const { system } = club
    const ben = await club.as('ben')
    const reader = { locale: 'en-US' as const, timeZone: 'Asia/Tokyo' }
    await system.db.updateTable('members').set(reader).where('id', '=', ben.who.id).execute()
    await stopClock(system)
    await send[template]?.(system, { memberId: ben.who.id, to: 'ben@evenhand.example' })

    const { rows } = await sql<{ at: string }>`select clock_timestamp() + interval '1 hour' as at`.execute(
      system.db,
    )
    const time = writeMoment(rows[0]?.at ?? '', reader)
    expect(time).toMatch(/ at \d{1,2}:\d\d\s[AP]M GMT\+9$/)
    const { props } = await system.db
      .selectFrom('mails')
      .select('props')
      .where('template', '=', template)
      .executeTakeFirstOrThrow()
    // The stored properties are what the template takes.
    const mail = accountMails[template]?.(props as MailProps, { origin: system.config.origin, demo: false })
    const text = toPlainText(await render(mail?.body)).replaceAll(/\s+/g, ' ')
    expect(text).toContain(`The link works once, until ${time.replaceAll(/\s+/g, ' ')} (60 minutes).`)
  },
)
