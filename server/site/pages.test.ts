// The public pages over HTTP: signed in or not, caching and compression, and the files for programs.
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

const documentOf = (path: string, { signedIn, figures }: PageGiven) => {
  const body = `${signedIn ? 'Dashboard' : 'Log in'} ${figures?.members ?? 'no figures'}`
  return `<!doctype html><title>${path}</title>${body}`
}

const renderer: PageRenderer = {
  pages: [
    { path: '/' },
    { path: '/pricing' },
    { path: '/fairness', live: ['figures'] },
    { path: '/in-figures', live: ['figures'], hidden: true },
    { path: '/articles', screenForMembers: true },
    { path: '/articles/faq', screenForMembers: true },
    { path: '/drafts', hidden: true },
  ],
  render: documentOf,
}
const shell = '<!doctype html><title>Evenhand</title>'
const html = 'text/html; charset=utf-8'
const build = new Map([
  ['/index.html', { bytes: Buffer.from(shell), type: html }],
  ['/theme.js', { bytes: Buffer.from('let a'), type: 'text/javascript; charset=utf-8', etag: 'W/"t1"' }],
])

describe('a public page', () => {
  const club = useFreshClub()
  const rendered: string[] = []
  const render: PageRenderer['render'] = (path, given) => {
    rendered.push(`${path} for ${given.signedIn ? 'members' : 'visitors'}`)
    return documentOf(path, given)
  }
  const edge = useEdge(club, { build, pages: { ...renderer, render } })

  test('without live facts is rendered before the first request, and only once', async () => {
    const fixed = ['/', '/pricing', '/articles', '/articles/faq', '/drafts', '/404']
    const ahead = ['visitors', 'members'].flatMap((whom) => fixed.map((path) => `${path} for ${whom}`))
    const ofThese = () => rendered.filter((each) => ahead.includes(each)).toSorted()
    await expect.poll(ofThese).toEqual(ahead.toSorted())
    const anna = await edge.signIn('anna')
    for (const browser of [edge.visitor(), anna]) await browser.get('/pricing')
    expect(ofThese()).toEqual(ahead.toSorted())
  })

  test('depends on the cookie alone to see whether the reader is signed in', async () => {
    const anna = await edge.signIn('anna')
    expect((await edge.visitor().get('/pricing')).text).toContain('Log in')
    expect((await anna.get('/pricing')).text).toContain('Dashboard')
    // The next visitor does not get the version for members.
    expect((await edge.visitor().get('/pricing')).text).toContain('Log in')
    await club.system.db.deleteFrom('sessions').where('memberId', '=', anna.memberId).execute()
    expect((await anna.get('/pricing')).text).toContain('Log in')
  })

  test('must be revalidated by caches, and varies by cookie', async () => {
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

  test('is sent compressed, and not at all when it has not changed', async () => {
    const [visitor, anna] = [edge.visitor(), await edge.signIn('anna')]
    const etag = String((await visitor.get('/')).headers.etag)
    const again = { headers: { 'if-none-match': `"other", ${etag}` } }
    expect(await visitor.send('GET', '/', again)).toMatchObject({ status: 304, text: '' })
    expect(await anna.send('GET', '/', again)).toMatchObject({ status: 200 })
    for (const encoding of ['br', 'gzip']) {
      // `fetch` unpacks it as the answer’s header says.
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

  test('answers HEAD with the headers alone', async () => {
    const answer = await edge.visitor().send('HEAD', '/pricing')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.etag).toBe((await edge.visitor().get('/pricing')).headers.etag)
  })

  test('redirects an address with a slash at the end', async () => {
    const answer = await edge.visitor().get('/pricing/')
    expect(answer).toMatchObject({ status: 301, headers: { location: '/pricing' } })
  })

  test('is replaced by the screen of the same address for members only', async () => {
    const anna = await edge.signIn('anna')
    for (const path of ['/articles', '/articles/faq', '/articles/none']) {
      expect(await anna.get(path)).toMatchObject({ status: 200, text: shell })
    }
    expect((await edge.visitor().get('/articles/faq')).text).toContain('<title>/articles/faq')
    expect(await edge.visitor().get('/articles/none')).toMatchObject({ status: 404 })
  })

  test('is the page for status 404 at an unknown address, for members too', async () => {
    const anna = await edge.signIn('anna')
    const missing = await edge.visitor().get('/no-such-page')
    expect(missing).toMatchObject({ status: 404, headers: { 'content-type': html } })
    expect(missing.text).toContain('<title>/404</title>Log in')
    expect(missing.headers.etag).toBeUndefined()
    expect(await anna.get('/no/such/page')).toMatchObject({ status: 404 })
    expect((await anna.get('/no/such/page')).text).toContain('Dashboard')
    expect(await edge.visitor().get('/dashboard')).toMatchObject({ status: 200, text: shell })
  })

  test('is that page for a browser at any spelling of an unknown address; a program gets JSON', async () => {
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

  test('cannot be read by the path of a file', async () => {
    for (const path of ['/pages/render.js', '/render.js', '/index.html', '/pricing.html', '/404.html']) {
      const answer = await edge.visitor().get(path)
      expect(answer, path).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
    }
  })
})

describe('programs', () => {
  const club = useFreshClub()
  const edge = useEdge(club, { build, pages: renderer, config: { origin: 'https://club.example' } })

  test('find every page that is not hidden in the sitemap, by its public address', async () => {
    const { headers, text } = await edge.visitor().get('/sitemap.xml')
    expect(headers['content-type']).toMatch(/^application\/xml/)
    expect([...text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual(
      ['/', '/pricing', '/fairness', '/articles', '/articles/faq'].map(
        (path) => `https://club.example${path}`,
      ),
    )
  })

  test('are asked in robots.txt not to read private addresses', async () => {
    const { text } = await edge.visitor().get('/robots.txt')
    expect(text).toMatch(/^User-agent: \*\n/)
    expect(text).toContain('Disallow: /api/\n')
    expect(text).toContain('Sitemap: https://club.example/sitemap.xml\n')
  })

  test('and people find where to report a vulnerability, in a file that expires within a year', async () => {
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

describe('a page with live facts', () => {
  test('is read once for simultaneous requests, and rendered once for each kind of reader', async () => {
    let [reads, renders] = [0, 0]
    const site = siteOf({
      figures: async () => ({ ...noFigures, members: 20 + ++reads }),
      render: (path, given) => `${++renders} ${documentOf(path, given)}`,
    })
    const texts = await Promise.all(Array.from({ length: 10 }, () => site('/fairness')))
    expect(new Set(texts)).toEqual(new Set([expect.stringContaining('Log in 21')]))
    expect(await site('/fairness', member)).toContain('Dashboard 21')
    expect([reads, renders]).toEqual([1, 2])
  })

  test('differs from another page with the same facts', async () => {
    const site = siteOf({})
    expect(await site('/fairness')).toContain('<title>/fairness</title>')
    expect(await site('/in-figures')).toContain('<title>/in-figures</title>')
  })

  test('is sent without the facts when they cannot be read', async () => {
    const site = siteOf({ figures: () => Promise.reject(new Error('The database is away.')) })
    expect(await site('/fairness')).toContain('no figures')
  })

  test('is sent in its version for visitors when sessions cannot be read', async () => {
    const site = siteOf({ authenticate: () => Promise.reject(new Error('The database is away.')) })
    expect(await site('/pricing')).toContain('Log in')
  })
})

const noFigures = {
  measuredAt: null,
  open: null,
  members: null,
  exchanges: null,
  waiting: null,
  offers: null,
  deadlines: null,
  starsMeasuredAt: null,
  byStars: null,
  decisions: null,
  appeals: null,
  ledger: null,
  spread: null,
}
const member: Who = { role: 'user', id: newId(), sessionId: newId(), twoFactor: false }

type Site = Partial<Pick<LiveReaders, 'figures'> & Pick<PageRenderer, 'render'>> & {
  authenticate?: () => Promise<Who>
}

/** The pages without the edge. Returns a function that answers the text a reader gets. */
function siteOf({ figures = () => Promise.resolve(noFigures), render = documentOf, authenticate }: Site) {
  const app: HttpApp = new Hono()
  // The pages use only the mode, the origin and the log of the context.
  const ctx = { config: { origin: 'http://localhost', mode: 'demo' }, log: openLog('test', 'silent') } as Ctx
  let who: Who = visitor
  app.use((c, next) => {
    c.set('ctx', ctx)
    return next()
  })
  const unused = () => Promise.reject(new Error('No page of this test reads it.'))
  mountPages(app, {
    renderer: { ...renderer, render },
    authenticate: authenticate ?? (() => Promise.resolve(who)),
    live: { figures, status: unused, marketplaces: unused, drawDays: unused },
  })
  return async (path: string, reader: Who = visitor) => {
    who = reader
    return (await app.request(path)).text()
  }
}
