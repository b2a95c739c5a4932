// An identity provider as people meet it: a page on which they say yes or no, and then the way back. Its page cuts every tie to the
// window that opened it, as a careful provider does.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'

export type Person = { sub: string; email: string; email_verified: boolean; name: string }

export type IdentityProvider = {
  /** What the product has to be started with to offer it. */
  env: Record<string, string>
  /** Who sits before its page next. */
  person: Person
  close(): Promise<void>
}

export async function openIdentityProvider(): Promise<IdentityProvider> {
  const issuer = new OAuth2Issuer()
  await issuer.keys.generate('RS256')
  const service = new OAuth2Service(issuer)
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', issuer.url ?? '')
    if (url.pathname !== '/authorize' || url.searchParams.has('consent')) {
      service.requestHandler(req, res)
      return
    }
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
    })
    res.end(pageFor(url, provider.person))
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  // A server that listens on a port has an address of this form.
  issuer.url = `http://localhost:${(server.address() as AddressInfo).port}`

  const provider: IdentityProvider = {
    env: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: 'evenhand',
      OIDC_CLIENT_SECRET: 'a-secret-of-the-journeys',
      OIDC_NAME: 'Google',
    },
    person: { sub: 'nobody', email: 'nobody@mail.example', email_verified: true, name: 'Nobody' },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  service.on('beforeTokenSigning', ({ payload }: { payload: object }) => {
    Object.assign(payload, provider.person)
  })
  return provider
}

function pageFor(asked: URL, { name }: Person) {
  const yes = new URL(asked)
  yes.searchParams.set('consent', 'yes')
  const no = new URL(asked.searchParams.get('redirect_uri') ?? '')
  no.searchParams.set('error', 'access_denied')
  no.searchParams.set('state', asked.searchParams.get('state') ?? '')
  return `<!doctype html><title>Choose an account</title><h1>Choose an account</h1>
    <p><a href="${escape(yes.href)}">Continue as ${escape(name)}</a></p><p><a href="${escape(no.href)}">Cancel</a></p>`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
