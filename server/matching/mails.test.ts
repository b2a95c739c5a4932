import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { expect, test } from 'vitest'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { useClub } from '#server/testing/club.ts'
import { matchingMails } from './mails.ts'
import { matchRequests } from './pass.ts'
import { findCurrentOffer } from './reads.ts'
import { askForReview, present, productOf } from './testing.ts'

const club = useClub()

test('an offer’s mail and notice give the deadline in the reader’s time zone', async () => {
  const ben = await club.as('ben')
  const anna = await club.as('anna')
  await sql`update members set locale = 'en-US', time_zone = 'Asia/Tokyo' where id = ${ben.who.id}`.execute(
    ben.db,
  )
  await askForReview(anna, await productOf(anna))
  await present(ben)
  await matchRequests(club.system)

  const { id, expiresAt } = await ben.db
    .selectFrom('offers')
    .select(['id', 'expiresAt'])
    .executeTakeFirstOrThrow()
  const time = writeMoment(expiresAt, { locale: 'en-US', timeZone: 'Asia/Tokyo' })
  expect(time).toMatch(/ at \d{1,2}:\d\d\s[AP]M GMT\+9$/)

  const stored = ben.db.selectFrom('mails').select('props').where('memberId', '=', ben.who.id)
  const { props } = await stored.where('template', '=', 'offer-made').executeTakeFirstOrThrow()
  // The template accepts the stored props.
  const mail = matchingMails['offer-made']?.(props as MailProps, {
    origin: 'https://club.example',
    demo: false,
  })
  const html = await render(mail?.body)
  expect(toPlainText(html)).toContain(`${time} (open for 30 minutes)`)
  expect(html).toContain(`Answer by ${time}.`)

  const notices = ben.db
    .selectFrom('notices')
    .select(['message', 'actionHref'])
    .where('memberId', '=', ben.who.id)
  const { message, actionHref } = await notices.executeTakeFirstOrThrow()
  expect(message).toContain(`Accept or decline by ${time}.`)
  // Both lead to this offer, and never to one that came later.
  expect(html).toContain(`https://club.example/dashboard?offer=${id}`)
  expect(actionHref).toBe(`/dashboard?offer=${id}`)
  expect((await findCurrentOffer(ben))?.id).toBe(id)
})
