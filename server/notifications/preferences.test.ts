import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { describe, expect, test } from 'vitest'
import type { NoticeKind } from '#contract/notifications.ts'
import { mails } from '#server/app.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { reviewMails } from '#server/reviews/mails.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { notify, notifyAll } from './notices.ts'
import type { Notification } from './notices.ts'
import { listNoticePreferences, setNoticePreference } from './preferences.ts'
import { listActivity, listNotices } from './reads.ts'
import { readUnsubscribeToken, unsubscribeHref } from './unsubscribe.ts'

const toMember = (memberId: string, kind: NoticeKind | null, key = 'sent'): Notification => ({
  memberId,
  key,
  kind,
  notice: { title: 'Notification', message: 'Something happened.', priority: 'low' },
  activity: { type: 'reviews', title: 'Notification', description: 'Something happened.', status: 'info' },
  mail: { template: 'review-given', props: { reviewId: 'x', product: 'Planner' } },
})

async function reachedBy(ctx: MemberCtx) {
  const mails = await ctx.db.selectFrom('mails').select('props').where('memberId', '=', ctx.who.id).execute()
  return {
    notices: (await listNotices(ctx, {})).items.length,
    activity: (await listActivity(ctx, {})).items.length,
    mails: mails.length,
  }
}

describe('my notification preferences', () => {
  const club = useClub()

  test('allow everything by every channel until I change them', async () => {
    const anna = await club.as('anna')
    expect(await listNoticePreferences(anna)).toEqual(
      ['offers', 'nudges', 'writing', 'receiving', 'membership'].map((kind) => ({
        kind,
        inApp: true,
        byEmail: true,
        byPush: false,
      })),
    )
    await setNoticePreference(anna, { kind: 'writing', inApp: true, byEmail: false, byPush: false })
    await setNoticePreference(anna, { kind: 'writing', inApp: false, byEmail: true, byPush: false })
    expect((await listNoticePreferences(anna))[2]).toEqual({
      kind: 'writing',
      inApp: false,
      byEmail: true,
      byPush: false,
    })
    expect((await listNoticePreferences(await club.as('ben')))[2]).toMatchObject({
      inApp: true,
      byEmail: true,
    })
  })

  test.each([
    [true, true, { notices: 1, activity: 1, mails: 1 }],
    [false, true, { notices: 0, activity: 1, mails: 1 }],
    [true, false, { notices: 1, activity: 1, mails: 0 }],
    [false, false, { notices: 0, activity: 1, mails: 0 }],
  ])(
    'with in app %s and email %s reaches me so, and always the activity',
    async (inApp, byEmail, reached) => {
      const anna = await club.as('anna')
      await setNoticePreference(anna, { kind: 'offers', inApp, byEmail, byPush: false })
      await notify(club.system, toMember(anna.who.id, 'offers'))
      expect(await reachedBy(anna)).toEqual(reached)
    },
  )

  test('of one kind apply to that kind alone, and never to notifications without a kind', async () => {
    const anna = await club.as('anna')
    for (const kind of ['offers', 'writing', 'receiving'] as const) {
      if (kind !== 'writing')
        await setNoticePreference(anna, { kind, inApp: false, byEmail: false, byPush: false })
    }
    await notify(club.system, toMember(anna.who.id, 'writing', 'of a kind'))
    await notify(club.system, toMember(anna.who.id, null, 'of none'))
    expect(await reachedBy(anna)).toEqual({ notices: 2, activity: 2, mails: 2 })
  })

  test('are mine alone, also when many members are notified at once', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    await setNoticePreference(anna, { kind: 'offers', inApp: false, byEmail: false, byPush: false })
    await notifyAll(club.system, [toMember(anna.who.id, 'offers'), toMember(ben.who.id, 'offers')])
    expect(await reachedBy(anna)).toEqual({ notices: 0, activity: 1, mails: 0 })
    expect(await reachedBy(ben)).toEqual({ notices: 1, activity: 1, mails: 1 })
  })
})

describe('a mail', () => {
  const club = useClub()
  const at = '2026-11-24T09:30:00.000000Z'

  test('writes its deadlines in its reader’s locale and time zone, with the zone’s short name', async () => {
    const anna = await club.as('anna')
    await sql`update members set locale = 'en-GB', time_zone = 'Europe/Berlin'
      where id = ${anna.who.id}`.execute(anna.db)
    await notify(club.system, {
      memberId: anna.who.id,
      key: 'accepted',
      kind: 'writing',
      mail: {
        template: 'review-accepted',
        props: { reviewId: 'x', product: 'Planner', purchaseDueAt: at, dueAt: at },
      },
    })
    const { props } = await anna.db
      .selectFrom('mails')
      .select('props')
      .where('memberId', '=', anna.who.id)
      .executeTakeFirstOrThrow()
    // The template accepts the stored props.
    const mail = reviewMails['review-accepted']?.(props as MailProps, {
      origin: 'http://localhost',
      demo: false,
    })
    expect(toPlainText(await render(mail?.body))).toMatch(/Tuesday,? 24 November at 10:30 CET/)
  })

  test.each([
    [{ locale: 'en-US', timeZone: 'America/New_York' }, /Tuesday, November 24 at 4:30\sAM EST/],
    [{ locale: 'en-US', timeZone: null }, /Tuesday, November 24 at 9:30\sAM UTC/],
    [{ locale: 'en-GB', timeZone: 'Gone/Zone' }, /Tuesday 24 November at 09:30 UTC/],
  ])('for %j reads as expected', (reader, text) => {
    expect(writeMoment(at, reader)).toMatch(text)
  })
})

describe('the unsubscribe link of a kind of mails', () => {
  const club = useClub()
  const tokenOf = (memberId: string, kind: NoticeKind) =>
    new URL(unsubscribeHref(club.config, { memberId, kind })).searchParams.get('token') ?? ''

  test('is in each of them', async () => {
    const ctx = await club.as('anna')
    await inTransaction(ctx, (ctx) => notify(ctx, toMember(ctx.who.id, 'receiving', 'way out')))
    const { props } = await ctx.db
      .selectFrom('mails')
      .select('props')
      .where('dedupeKey', '=', `${ctx.who.id}:way out`)
      .executeTakeFirstOrThrow()
    expect(props).toMatchObject({
      unsubscribe: `${club.config.origin}/unsubscribe?token=${tokenOf(ctx.who.id, 'receiving')}`,
    })
  })

  test.each(['offer-made', ...Object.keys(reviewMails)])('is shown in the mail %s', async (template) => {
    const unsubscribe = unsubscribeHref(club.config, { memberId: 'me', kind: 'offers' })
    const site = { origin: club.config.origin, demo: false, unsubscribe }
    const mail = mails[template]?.({ name: 'Anna', product: 'Planner', dueAt: '2026-11-24T09:30:00Z' }, site)
    expect(toPlainText(await render(mail?.body))).toContain(`Stop these emails ${unsubscribe}`)
  })

  test('is signed, and invalid for another member or kind', async () => {
    const { id: mine } = (await club.as('anna')).who
    const { id: theirs } = (await club.as('ben')).who
    const token = tokenOf(mine, 'offers')
    const [, signature] = token.split('.')
    const forged = Buffer.from(`${theirs} offers`).toString('base64url')
    const otherKind = Buffer.from(`${mine} writing`).toString('base64url')
    for (const text of [
      `${forged}.${signature}`,
      `${otherKind}.${signature}`,
      `${token}.`,
      `${token}x`,
      '',
      'x.y',
    ]) {
      expect(readUnsubscribeToken(club.config, text), text).toBeNull()
    }
    expect(readUnsubscribeToken({ ...club.config, authSecret: 'another' }, token)).toBeNull()
    expect(readUnsubscribeToken(club.config, token)).toEqual({ memberId: mine, kind: 'offers' })
  })
})

describe('through the edge', () => {
  const club = useFreshClub()
  const edge = useEdge(club)

  test('I can set preferences of mails and dates, and unknown fields are refused', async () => {
    await club.newMember('chooser')
    const browser = await edge.signIn('chooser')
    const set = (path: string, body: unknown) => browser.send('PATCH', path, { body })
    expect(
      (
        await set('/api/notifications/preferences', {
          kind: 'offers',
          inApp: false,
          byEmail: false,
          byPush: false,
        })
      ).json,
    ).toEqual({ ok: true })
    for (const body of [
      { kind: 'security', inApp: false, byEmail: false, byPush: false },
      { kind: 'offers' },
      { kind: 'offers', inApp: 1, byEmail: true, byPush: false },
    ]) {
      expect((await set('/api/notifications/preferences', body)).status).toBe(400)
    }
    expect(
      (await set('/api/settings/preferences', { locale: 'en-GB', timeZone: 'Europe/Berlin' })).status,
    ).toBe(200)
    for (const body of [
      { locale: 'xx', timeZone: null },
      { locale: 'en-GB', timeZone: 'Mars/Base' },
      { locale: 'en-GB', timeZone: '+01:00' },
      { locale: 'en-GB' },
    ]) {
      const answer = await set('/api/settings/preferences', body)
      expect(answer.status).toBe(400)
      const field = body.locale === 'xx' ? 'locale' : 'timeZone'
      expect(answer.json).toMatchObject({ data: { issues: [{ path: [field] }] } })
    }
    expect((await browser.get('/api/me')).json).toMatchObject({ locale: 'en-GB', timeZone: 'Europe/Berlin' })
  })
})
