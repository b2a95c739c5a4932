// An identity provider with its own keys. The test sets its claims. Its page asks the user to continue or
// cancel and returns to the product. Like a careful provider, the page isolates itself from the window that
// opened it.
import { createHmac, createPublicKey, createSign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get as getPlain } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import type { Browser } from './browser.ts'

export type Claims = Record<string, unknown>

export type IdentityProvider = {
  issuer: string
  /** The environment with which the product offers this provider. */
  env: Record<string, string>
  /** The claims of the next user. */
  person: Claims
  /** Makes the next ID token from its honest claims. Null signs it correctly. */
  forge: ((claims: Claims) => string) | null
  /** Status and headers of the key set's answer. Null answers correctly. */
  keySet: { status: number; headers: Record<string, string> } | null
  /** The public key that verifies honest tokens. */
  publicKey(): string
  /** The requested addresses, in order. */
  asked: string[]
  /** Continues on its page and returns the address of the return, with code and state. */
  visit(authorizeUrl: string): Promise<string>
  close(): Promise<void>
}

/**
 * @param tls key and certificate for `localhost`; without them it answers over plain HTTP, which only the
 * demo accepts
 */
export async function openIdentityProvider(tls?: { key: string; cert: string }): Promise<IdentityProvider> {
  const issuer = new OAuth2Issuer()
  await issuer.keys.generate('RS256', { kid: 'honest' })
  const service = new OAuth2Service(issuer)
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  // The address of a server on a TCP port is never a path.
  const { port } = server.address() as AddressInfo
  const url = `${tls ? 'https' : 'http'}://localhost:${port}`
  issuer.url = url

  const provider: IdentityProvider = {
    issuer: url,
    env: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: 'evenhand',
      OIDC_CLIENT_SECRET: 'a secret of the tests',
      OIDC_NAME: 'Google',
    },
    person: {},
    forge: null,
    keySet: null,
    asked: [],
    publicKey: () => {
      const [key] = issuer.keys.toJSON()
      return createPublicKey({ key: { ...key }, format: 'jwk' })
        .export({ type: 'spki', format: 'pem' })
        .toString()
    },
    async visit(authorizeUrl) {
      const yes = consentTo(new URL(authorizeUrl))
      const asking = tls ? get(yes, { ca: tls.cert }) : getPlain(yes)
      // By Node's documentation the event has one value.
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      response.resume()
      const back = new URL(response.headers.location ?? '')
      return `${back.pathname}${back.search}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  function answer(request: IncomingMessage, response: ServerResponse) {
    const asked = new URL(request.url ?? '', url)
    provider.asked.push(request.url ?? '')
    if (provider.keySet && asked.pathname === '/jwks') {
      response.writeHead(provider.keySet.status, provider.keySet.headers).end('{}')
      return
    }
    if (asked.pathname !== '/authorize' || asked.searchParams.has('consent')) {
      service.requestHandler(request, response)
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
    })
    response.end(pageFor(asked, String(provider.person.name)))
  }

  service.on('beforeTokenSigning', ({ payload }: { payload: object }) => {
    Object.assign(payload, provider.person)
  })
  service.on('beforeResponse', ({ body }) => {
    if (!provider.forge || typeof body !== 'object' || typeof body.id_token !== 'string') return
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString())
    body.id_token = provider.forge(claims)
  })
  return provider
}

function consentTo(asked: URL) {
  const yes = new URL(asked)
  yes.searchParams.set('consent', 'yes')
  return yes
}

function pageFor(asked: URL, name: string) {
  const no = new URL(asked.searchParams.get('redirect_uri') ?? '')
  no.searchParams.set('error', 'access_denied')
  no.searchParams.set('state', asked.searchParams.get('state') ?? '')
  return `<!doctype html><title>Choose an account</title><h1>Choose an account</h1>
    <p><a href="${escape(consentTo(asked).href)}">Continue as ${escape(name)}</a></p>
    <p><a href="${escape(no.href)}">Cancel</a></p>`
}

function escape(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A token of these claims, signed by `sign`. */
function token(header: Claims, claims: Claims, sign: (input: string) => string) {
  const input = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${input}.${sign(input)}`
}

export const unsigned = (claims: Claims) => token({ alg: 'none' }, claims, () => '')

export const signedByPublicKey = (publicKeyPem: string) => (claims: Claims) =>
  token({ alg: 'HS256', kid: 'honest' }, claims, (input) =>
    createHmac('sha256', publicKeyPem).update(input).digest('base64url'),
  )

export const signedBy = (privateKeyPem: string, kid: string) => (claims: Claims) =>
  token({ alg: 'RS256', kid }, claims, (input) =>
    createSign('RSA-SHA256').update(input).sign(privateKeyPem, 'base64url'),
  )

/** Signs in with the provider in one browser, and returns the answer to the return. */
export async function signInByProvider(
  browser: Browser,
  provider: IdentityProvider,
  providerId: string,
  visit: { nonce?: string; returnTo?: string } = {},
) {
  const start = await browser.mustPost('/api/auth/sign-in/social', { provider: providerId, ...visit })
  return browser.get(await provider.visit(String(start.json?.url)), {
    origin: undefined,
    'sec-fetch-site': 'cross-site',
  })
}
