import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { useClub } from '#server/testing/club.ts'
import { privacyMails } from './mails.ts'
import { notifyExportReady } from './notices.ts'

const club = useClub()

test('an archive’s mail and notice say until when its link works, in the reader’s time zone', async () => {
  const { db, config } = club.system
  const ben = await club.as('ben')
  const reader = { locale: 'en-US' as const, timeZone: 'Asia/Tokyo' }
  await db.updateTable('members').set(reader).where('id', '=', ben.who.id).execute()
  const exportId = newId()
  await sql`insert into data_exports (id, member_id, state, file_key, hash, bytes, expires_at)
    values (${exportId}, ${ben.who.id}, 'ready', 'k', ${Buffer.alloc(32)}, 1,
      '2027-01-31T20:05:00Z')`.execute(db)
  await notifyExportReady(club.system, { memberId: ben.who.id, exportId, token: 't' })

  const time = writeMoment('2027-01-31T20:05:00Z', reader)
  expect(time).toMatch(/February 1 at 5:05\s?AM GMT\+9$/)
  const { props } = await db.selectFrom('mails').select('props').executeTakeFirstOrThrow()
  // The stored properties are what the template takes.
  const mail = privacyMails['export-ready']?.(props as MailProps, { origin: config.origin, demo: false })
  const text = toPlainText(await render(mail?.body)).replaceAll(/\s+/g, ' ')
  const until = `until ${time} (24 hours)`
  expect(text).toContain(`The link works once, ${until.replaceAll(/\s+/g, ' ')}, and only`)
  const { message } = await db.selectFrom('notices').select('message').executeTakeFirstOrThrow()
  expect(message).toContain(`It works once, ${until}, while you’re signed in.`)
})
