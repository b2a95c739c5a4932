import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { getMe } from '#server/members/reads.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { markAllNoticesRead, markNoticeRead, markNoticesRead } from './inbox.ts'
import { notify } from './notices.ts'
import { listActivity, listNotices } from './reads.ts'

const club = useClub()

async function notifyAnna(key: string, title = 'Review verified') {
  const anna = await club.idOf('anna')
  await notify(club.system, {
    memberId: anna,
    key,
    kind: 'writing',
    notice: {
      title,
      message: 'It counts now.',
      priority: 'medium',
      action: { label: 'View', href: '/reviews' },
    },
    activity: { type: 'reviews', title, description: 'It counts now.', status: 'success', href: '/reviews' },
    mail: { template: 'review-verified', props: {} },
  })
}

describe('a notification', () => {
  test('reaches the inbox, the activity and the outbox once, even when it is repeated', async () => {
    await notifyAnna('review.verified:1')
    await notifyAnna('review.verified:1')
    const anna = await club.as('anna')
    expect((await listNotices(anna, {})).items).toHaveLength(1)
    expect((await listActivity(anna, {})).items).toHaveLength(1)
    const mails = await anna.db
      .selectFrom('mails')
      .select('toAddress')
      .where('memberId', '=', anna.who.id)
      .execute()
    expect(mails).toHaveLength(1)
    expect(club.sent).toEqual([{ name: 'send-mails', data: { mailId: expect.any(String) } }])
  })

  test('is sent live to that member alone', async () => {
    await notifyAnna('review.verified:1')
    const event = await club.system.db
      .selectFrom('events')
      .selectAll()
      .where('name', '=', 'notice.created')
      .executeTakeFirstOrThrow()
    expect(event.recipients).toEqual([await club.idOf('anna')])
  })

  test('is unread until it is read, and reading one leaves the others', async () => {
    await notifyAnna('a', 'First')
    await notifyAnna('b', 'Second')
    const anna = await club.as('anna')
    const [second] = (await listNotices(anna, {})).items
    await markNoticeRead(anna, second?.id ?? '')
    expect(await getMe(anna)).toMatchObject({ unread: 1 })
    await markAllNoticesRead(anna)
    expect(await getMe(anna)).toMatchObject({ unread: 0 })
  })

  test('is marked as read with others at once, and never with one of another member', async () => {
    await notifyAnna('a')
    await notifyAnna('b')
    const anna = await club.as('anna')
    const ids = (await listNotices(anna, {})).items.map(({ id }) => id)
    await expect(markNoticesRead(await club.as('ben'), ids)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(markNoticesRead(anna, [...ids, newId()])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await getMe(anna)).toMatchObject({ unread: 2 })
    await markNoticesRead(anna, [...ids, ...ids])
    expect(await getMe(anna)).toMatchObject({ unread: 0 })
  })

  test('belongs together with others about the same exchange, from its offer to its end', async () => {
    const { id, reviewer } = await accepted(club, 'anna', 'ben')
    const { id: offerId } = await reviewer.db
      .selectFrom('offers')
      .select('id')
      .where('reviewerId', '=', reviewer.who.id)
      .executeTakeFirstOrThrow()
    const other = newId()
    for (const key of [
      `offer.made:${offerId}`,
      `review.verified:${id}`,
      `review.verified:${other}`,
      'plain',
    ]) {
      const notice = { title: key, message: '', priority: 'low' } as const
      await notify(club.system, { memberId: reviewer.who.id, key, kind: null, notice })
    }
    const about = new Map(
      (await listNotices(reviewer, {})).items.map((notice) => [notice.title, notice.about]),
    )
    expect(about.get(`offer.made:${offerId}`)).toBe(about.get(`review.verified:${id}`))
    expect(about.get('Review accepted')).toBe(about.get(`review.verified:${id}`))
    expect(new Set(about.values()).size).toBe(3)
  })

  test('is not visible to other members', async () => {
    await notifyAnna('a')
    const [notice] = (await listNotices(await club.as('anna'), {})).items
    const ben = await club.as('ben')
    expect((await listNotices(ben, {})).items).toEqual([])
    await expect(markNoticeRead(ben, notice?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is listed in pages without gaps or duplicates while more arrive', async () => {
    for (const key of ['1', '2', '3', '4', '5']) await notifyAnna(key, key)
    const anna = await club.as('anna')
    const first = await listNotices(anna, { limit: 2 })
    await notifyAnna('6', '6')
    const rest = await listNotices(anna, { limit: 10, cursor: first.next ?? '' })
    expect([...first.items, ...rest.items].map((notice) => notice.title)).toEqual(['5', '4', '3', '2', '1'])
    expect(rest.next).toBeNull()
  })

  test('is listed from the top for an invalid cursor', async () => {
    await notifyAnna('1')
    expect((await listNotices(await club.as('anna'), { cursor: 'bm9uc2Vuc2U' })).items).toHaveLength(1)
  })
})
