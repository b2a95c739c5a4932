// What programs read about the site: which pages exist, and where to report a vulnerability.
import type { PageRenderer } from '#contract/pages.ts'
import type { HttpApp } from '#server/kit/http/http.ts'

const day = 24 * 3600 * 1000

/** `/robots.txt`, `/sitemap.xml` and `/.well-known/security.txt`, with the public origin in them. */
export function mountRobots(app: HttpApp, pages: PageRenderer['pages']) {
  app.get('/robots.txt', (c) => {
    const { origin } = c.get('ctx').config
    const closed = ['/api/', '/auth/', '/dev/', '/verify-email', '/reset-password'].map(
      (path) => `Disallow: ${path}`,
    )
    return c.text(`${['User-agent: *', ...closed, '', `Sitemap: ${origin}/sitemap.xml`].join('\n')}\n`)
  })

  app.get('/sitemap.xml', (c) => {
    const { origin } = c.get('ctx').config
    const urls = pages
      .filter(({ hidden }) => !hidden)
      .map(({ path }) => `  <url><loc>${escapeXml(origin + path)}</loc></url>\n`)
    const xml = [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
      ...urls,
      '</urlset>\n',
    ]
    return c.body(xml.join(''), 200, { 'content-type': 'application/xml; charset=utf-8' })
  })

  // RFC 9116. Each answer expires half a year later: a server that still sends the file vouches for it.
  app.get('/.well-known/security.txt', (c) => {
    const { origin } = c.get('ctx').config
    const expires = new Date(Math.floor(Date.now() / day + 182) * day).toISOString()
    const lines = [
      `Contact: ${origin}/contact`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${origin}/.well-known/security.txt`,
      `Policy: ${origin}/security`,
    ]
    return c.text(`${lines.join('\n')}\n`)
  })
}

function escapeXml(text: string) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
