// The public pages as answers: whom they know, how they travel, and what is said to programs.
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { PageGiven, PageRenderer } from '#contract/pages.ts'
import { newId, visitor } from '#server/kit/ctx.ts'
import type { Ctx, Who } from '#server/kit/ctx.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { openLog } from '#server/kit/log.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { mountPages } from './pages.ts'
import type { LiveReaders } from './pages.ts'

const words = (path: string, { signedIn, figures }: PageGiven) =>
  `<!doctype html><title>${path}</title>${signedIn ? 'Dashboard' : 'Log in'} ${figures?.members ?? 'no figures'}`

const renderer: PageRenderer = {
  pages: [
    { path: '/' },
    { path: '/pricing' },
    { path: '/fairness', live: 'figures' },
    { path: '/in-figures', live: 'figures', hidden: true },
    { path: '/articles', screenForMembers: true },
    { path: '/articles/faq', screenForMembers: true },
    { path: '/drafts', hidden: true },
  ],
  render: words,
}
const shell = '<!doctype html><title>Evenhand</title>'
const html = 'text/html; charset=utf-8'
const build = new Map([
  ['/index.html', { bytes: Buffer.from(shell), type: html }],
  ['/theme.js', { bytes: Buffer.from('let a'), type: 'text/javascript; charset=utf-8', etag: 'W/"t1"' }],
])

describe('a public page', () => {
  const club = useFreshClub()
  const drawn: string[] = []
  const render: PageRenderer['render'] = (path, given) => {
    drawn.push(`${path} for ${given.signedIn ? 'members' : 'visitors'}`)
    return words(path, given)
  }
  const edge = useEdge(club, { build, pages: { ...renderer, render } })

  test('that lasts was drawn before the first who asks for it, and is drawn once', async () => {
    const lasting = ['/', '/pricing', '/articles', '/articles/faq', '/drafts', '/404']
    const ahead = ['visitors', 'members'].flatMap((whom) => lasting.map((path) => `${path} for ${whom}`))
    const ofThese = () => drawn.filter((each) => ahead.includes(each)).toSorted()
    await expect.poll(ofThese).toEqual(ahead.toSorted())
    const anna = await edge.signIn('anna')
    for (const browser of [edge.visitor(), anna]) await browser.get('/pricing')
    expect(ofThese()).toEqual(ahead.toSorted())
  })

  test('knows by the cookie alone whether one is signed in', async () => {
    const anna = await edge.signIn('anna')
    expect((await edge.visitor().get('/pricing')).text).toContain('Log in')
    expect((await anna.get('/pricing')).text).toContain('Dashboard')
    // The next visitor does not see what was drawn for a member, nor the other way round.
    expect((await edge.visitor().get('/pricing')).text).toContain('Log in')
    await club.system.db.deleteFrom('sessions').where('memberId', '=', anna.memberId).execute()
    expect((await anna.get('/pricing')).text).toContain('Log in')
  })

  test('is never kept without asking, and says that it depends on the cookie', async () => {
    const { status, headers } = await edge.visitor().get('/')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': html,
      'cache-control': 'no-cache',
      vary: 'Cookie, Accept-Encoding',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-content-type-options': 'nosniff',
    })
  })

  test('travels compressed, and not at all when it has not changed', async () => {
    const [visitor, anna] = [edge.visitor(), await edge.signIn('anna')]
    const etag = String((await visitor.get('/')).headers.etag)
    const again = { headers: { 'if-none-match': `"other", ${etag}` } }
    expect(await visitor.send('GET', '/', again)).toMatchObject({ status: 304, text: '' })
    expect(await anna.send('GET', '/', again)).toMatchObject({ status: 200 })
    for (const encoding of ['br', 'gzip']) {
      // It unpacks by what the answer says it is.
      const answer = await fetch(`http://127.0.0.1:${edge.port}/`, {
        headers: { 'accept-encoding': encoding },
      })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(await answer.text()).toContain('Log in')
    }
    expect((await visitor.send('GET', '/theme.js', { headers: { 'if-none-match': 'W/"t1"' } })).status).toBe(
      304,
    )
  })

  test('answers a question for its headers alone', async () => {
    const answer = await edge.visitor().send('HEAD', '/pricing')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.etag).toBe((await edge.visitor().get('/pricing')).headers.etag)
  })

  test('has one address: a slash at the end leads to it', async () => {
    const answer = await edge.visitor().get('/pricing/')
    expect(answer).toMatchObject({ status: 301, headers: { location: '/pricing' } })
  })

  test('gives way to the screen of the same address for members only', async () => {
    const anna = await edge.signIn('anna')
    for (const path of ['/articles', '/articles/faq', '/articles/none']) {
      expect(await anna.get(path)).toMatchObject({ status: 200, text: shell })
    }
    expect((await edge.visitor().get('/articles/faq')).text).toContain('<title>/articles/faq')
    expect(await edge.visitor().get('/articles/none')).toMatchObject({ status: 404 })
  })

  test('says of anything else that it is not there, to members too', async () => {
    const anna = await edge.signIn('anna')
    const missing = await edge.visitor().get('/no-such-page')
    expect(missing).toMatchObject({ status: 404, headers: { 'content-type': html } })
    expect(missing.text).toContain('<title>/404</title>Log in')
    expect(missing.headers.etag).toBeUndefined()
    expect(await anna.get('/no/such/page')).toMatchObject({ status: 404 })
    expect((await anna.get('/no/such/page')).text).toContain('Dashboard')
    expect(await edge.visitor().get('/dashboard')).toMatchObject({ status: 200, text: shell })
  })

  test('says so to a browser at whatever spelling of an address, and to a program in its own terms', async () => {
    const opening = { headers: { accept: 'text/html,*/*;q=0.8' } }
    for (const path of ['/pricing.html', '//pricing', '/pricing;a', '/security.txt', '/assets/gone.js']) {
      const answer = await edge.visitor().send('GET', path, opening)
      expect(answer, path).toMatchObject({ status: 404, headers: { 'content-type': html } })
      expect(answer.text).toContain('<title>/404</title>')
      expect(await edge.visitor().get(path)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
    }
    for (const path of ['/api/nothing', '/%61pi/me']) {
      expect((await edge.visitor().send('GET', path, opening)).text, path).not.toContain('Anna')
    }
    expect(await edge.visitor().send('GET', '/api/nothing', opening)).toMatchObject({
      json: { code: 'NOT_FOUND' },
    })
  })

  test('cannot be had by the path of a file', async () => {
    for (const path of ['/pages/render.js', '/render.js', '/index.html', '/pricing.html', '/404.html']) {
      const answer = await edge.visitor().get(path)
      expect(answer, path).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
    }
  })
})

describe('programs', () => {
  const club = useFreshClub()
  const edge = useEdge(club, { build, pages: renderer, config: { origin: 'https://club.example' } })

  test('are told of every page that is meant to be found, by its public address', async () => {
    const { headers, text } = await edge.visitor().get('/sitemap.xml')
    expect(headers['content-type']).toMatch(/^application\/xml/)
    expect([...text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual(
      ['/', '/pricing', '/fairness', '/articles', '/articles/faq'].map(
        (path) => `https://club.example${path}`,
      ),
    )
  })

  test('are kept from what is nobody’s to find', async () => {
    const { text } = await edge.visitor().get('/robots.txt')
    expect(text).toMatch(/^User-agent: \*\n/)
    expect(text).toContain('Disallow: /api/\n')
    expect(text).toContain('Sitemap: https://club.example/sitemap.xml\n')
  })

  test('and people find where to report a weakness, always for less than a year to come', async () => {
    const { headers, text } = await edge.visitor().get('/.well-known/security.txt')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    )
    expect(fields.get('Contact')).toBe('https://club.example/contact')
    expect(fields.get('Policy')).toBe('https://club.example/security')
    expect(fields.get('Canonical')).toBe('https://club.example/.well-known/security.txt')
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })
})

describe('a page that shows the club as it is now', () => {
  test('is read once for all who ask at the same time, and drawn once for each kind of reader', async () => {
    let [reads, draws] = [0, 0]
    const site = siteOf({
      figures: async () => ({ ...noFigures, members: 20 + ++reads }),
      render: (path, given) => `${++draws} ${words(path, given)}`,
    })
    const texts = await Promise.all(Array.from({ length: 10 }, () => site('/fairness')))
    expect(new Set(texts)).toEqual(new Set([expect.stringContaining('Log in 21')]))
    expect(await site('/fairness', member)).toContain('Dashboard 21')
    expect([reads, draws]).toEqual([1, 2])
  })

  test('is another page than its neighbour that shows the same', async () => {
    const site = siteOf({})
    expect(await site('/fairness')).toContain('<title>/fairness</title>')
    expect(await site('/in-figures')).toContain('<title>/in-figures</title>')
  })

  test('comes without it where it cannot be read', async () => {
    const site = siteOf({ figures: () => Promise.reject(new Error('The database is away.')) })
    expect(await site('/fairness')).toContain('no figures')
  })

  test('comes as to a visitor where sessions cannot be read', async () => {
    const site = siteOf({ authenticate: () => Promise.reject(new Error('The database is away.')) })
    expect(await site('/pricing')).toContain('Log in')
  })
})

const noFigures = {
  measuredAt: null,
  members: null,
  exchanges: null,
  waiting: null,
  offers: null,
  deadlines: null,
  byStars: null,
  ledger: null,
  spread: null,
}
const member: Who = { role: 'user', id: newId(), sessionId: newId(), twoFactor: false }

type Site = Partial<Pick<LiveReaders, 'figures'> & Pick<PageRenderer, 'render'>> & {
  authenticate?: () => Promise<Who>
}

/** The pages alone, without the edge; answers the text that a reader gets. */
function siteOf({ figures = () => Promise.resolve(noFigures), render = words, authenticate }: Site) {
  const app: HttpApp = new Hono()
  // Of the context the pages take the mode, the origin and the log.
  const ctx = { config: { origin: 'http://localhost', mode: 'demo' }, log: openLog('test', 'silent') } as Ctx
  let who: Who = visitor
  app.use((c, next) => {
    c.set('ctx', ctx)
    return next()
  })
  const unasked = () => Promise.reject(new Error('Nobody asks for it.'))
  mountPages(app, {
    renderer: { ...renderer, render },
    authenticate: authenticate ?? (() => Promise.resolve(who)),
    live: { figures, status: unasked, marketplaces: unasked },
  })
  return async (path: string, reader: Who = visitor) => {
    who = reader
    return (await app.request(path)).text()
  }
}
