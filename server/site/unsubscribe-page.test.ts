// Unsubscribing from mails, as people and mail programs do it: over HTTP, to the whole application.
import { describe, expect, test } from 'vitest'
import type { NoticeKind } from '#contract/notifications.ts'
import type { PageRenderer } from '#contract/pages.ts'
import { listNoticePreferences, setNoticePreference } from '#server/notifications/preferences.ts'
import { unsubscribeHref } from '#server/notifications/unsubscribe.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'

const renderer: PageRenderer = {
  pages: [{ path: '/unsubscribe', hidden: true }],
  render: (path, { unsubscribe }) => `${path} ${JSON.stringify(unsubscribe ?? null)}`,
}

describe('unsubscribing from a kind of mail', () => {
  const club = useFreshClub()
  const edge = useEdge(club, { build: new Map(), pages: renderer })

  const pathFor = (memberId: string, kind: NoticeKind) => {
    const { pathname, search } = new URL(unsubscribeHref(club.config, { memberId, kind }))
    return `${pathname}${search}`
  }

  /** As a mail program's servers send it: with no Origin, no cookie and a form. */
  const oneClick = (path: string) =>
    edge.visitor().send('POST', path, {
      body: 'List-Unsubscribe=One-Click',
      headers: { origin: undefined, 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('switches that kind of mail off without signing in', async () => {
    const ctx = await club.newMember('leaver')
    const answer = await oneClick(pathFor(ctx.who.id, 'receiving'))
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('/unsubscribe {"kind":"receiving","done":true}')
    expect((await listNoticePreferences(ctx)).filter(({ byEmail }) => !byEmail)).toEqual([
      { kind: 'receiving', inApp: true, byEmail: false, byPush: false },
    ])
  })

  test('keeps the setting for the app, and a second press changes nothing', async () => {
    const ctx = await club.newMember('twice-out')
    await setNoticePreference(ctx, { kind: 'offers', inApp: false, byEmail: true, byPush: false })
    for (let n = 0; n < 2; n += 1) await oneClick(pathFor(ctx.who.id, 'offers'))
    expect((await listNoticePreferences(ctx))[0]).toEqual({
      kind: 'offers',
      inApp: false,
      byEmail: false,
      byPush: false,
    })
  })

  test('changes nothing when the page is only opened, and no cache stores the page', async () => {
    const ctx = await club.newMember('looker')
    const answer = await edge.visitor().get(pathFor(ctx.who.id, 'offers'))
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('/unsubscribe {"kind":"offers","done":false}')
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await listNoticePreferences(ctx)).every(({ byEmail }) => byEmail)).toBe(true)
  })

  test('answers 404 for a forged, missing or cut-off token and changes nothing', async () => {
    const ctx = await club.newMember('forged')
    const path = pathFor(ctx.who.id, 'offers')
    for (const wrong of ['/unsubscribe', '/unsubscribe?token=x.y', path.slice(0, -3)]) {
      for (const answer of [await edge.visitor().get(wrong), await oneClick(wrong)]) {
        expect(answer.status, wrong).toBe(404)
        expect(answer.text).toBe('/unsubscribe null')
      }
    }
    expect((await listNoticePreferences(ctx)).every(({ byEmail }) => byEmail)).toBe(true)
  })

  test('answers the same for a member who no longer exists and changes nothing', async () => {
    const gone = '0192f0c0-0000-7000-8000-000000000001'
    expect((await oneClick(pathFor(gone, 'offers'))).status).toBe(200)
  })
})
