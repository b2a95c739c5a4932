import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { useClub } from '#server/testing/club.ts'
import { mountMailbox } from './mailbox.tsx'

describe('the demo mailbox', () => {
  const club = useClub()

  const get = (path: string, ctx: Ctx = club.system) => {
    const app: HttpApp = new Hono()
    app.use(async (c, next) => {
      c.set('ctx', ctx)
      await next()
    })
    mountMailbox(app)
    return app.request(path)
  }

  async function keep(toAddress: string, subject: string, html = '<p>Hello</p>', text = 'Hello') {
    const id = newId()
    await club.system.db
      .insertInto('demoMails')
      .values({ id, messageId: newId(), toAddress, subject, html, text })
      .execute()
    return id
  }

  test('lists sent mails, newest first, filtered by recipient on request', async () => {
    await keep('anna@evenhand.example', 'First')
    await keep('ben@evenhand.example', 'Second')
    await keep('anna@evenhand.example', 'Third')
    const subjects = async (path: string) =>
      ((await (await get(path)).json()) as { subject: string }[]).map(({ subject }) => subject)
    expect(await subjects('/dev/mail.json')).toEqual(['Third', 'Second', 'First'])
    expect(await subjects('/dev/mail.json?to=ANNA@evenhand.example')).toEqual(['Third', 'First'])
    const page = await (await get('/dev/mail?to=ben%40evenhand.example')).text()
    expect(page).toContain('Second')
    expect(page).not.toContain('Third')
  })

  test('says when nothing was sent yet', async () => {
    expect(await (await get('/dev/mail')).text()).toContain('No mail yet.')
    expect(await (await get('/dev/mail?to=%3Cscript%3E')).text()).toContain('No mail to &lt;script&gt; yet.')
  })

  test('shows a mail in a frame that runs nothing and whose links open outside it', async () => {
    const link = '<a href="http://localhost:3000/verify-email?x=1&amp;y=2" target="_blank">Go</a>'
    const id = await keep(
      'anna@evenhand.example',
      '<b>Subject</b>',
      link,
      'Go http://localhost:3000/x?x=1&y=2 now',
    )
    const page = await (await get(`/dev/mail/${id}`)).text()
    expect(page).toContain('&lt;b&gt;Subject&lt;/b&gt;')
    expect(page).toContain(`src="/dev/mail/${id}/html"`)
    expect(page).toContain('href="http://localhost:3000/x?x=1&amp;y=2"')
    expect(page).not.toMatch(/<script|style=/)
    const part = await get(`/dev/mail/${id}/html`)
    expect(await part.text()).toContain('target="_top"')
    const policy = part.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).not.toContain('allow-scripts')
    expect(policy).not.toContain('allow-same-origin')
  })

  test('answers 404 for an unknown id', async () => {
    for (const path of [newId(), 'nonsense', `${newId()}/html`]) {
      expect((await get(`/dev/mail/${path}`)).status).toBe(404)
    }
  })

  test('does not exist in production', async () => {
    const id = await keep('anna@evenhand.example', 'Secret')
    const production: Ctx = { ...club.system, config: { ...club.config, mode: 'production' } }
    for (const path of [
      '/dev/mail',
      '/dev/mail.json',
      '/dev/mail.css',
      `/dev/mail/${id}`,
      `/dev/mail/${id}/html`,
    ]) {
      const answer = await get(path, production)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).not.toContain('Secret')
    }
  })
})
