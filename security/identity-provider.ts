// An identity provider with keys of its own, over TLS, that says of somebody what the test wants it to say.
import { createHmac, createPublicKey, createSign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import type { Browser } from './browser.ts'

export type Claims = Record<string, unknown>

export type IdentityProvider = {
  issuer: string
  /** Who signs in there next. */
  person: Claims
  /** What the next ID token is made into, from its honest claims; left out, it is signed as it should be. */
  forge: ((claims: Claims) => string) | null
  /** How the set of keys is answered; left out, as it should be. */
  keySet: { status: number; headers: Record<string, string> } | null
  /** The key that checks honest tokens, as the world sees it. */
  publicKey(): string
  /** Addresses that were asked for, in order. */
  asked: string[]
  /** Takes a browser through the provider: the address to come back to, with code and state. */
  visit(authorizeUrl: string): Promise<string>
  close(): Promise<void>
}

export async function openIdentityProvider(tls: { key: string; cert: string }): Promise<IdentityProvider> {
  const issuer = new OAuth2Issuer()
  await issuer.keys.generate('RS256', { kid: 'honest' })
  const service = new OAuth2Service(issuer)
  const server = createServer(tls, (req, res) => {
    provider.asked.push(req.url ?? '')
    if (provider.keySet && req.url === '/jwks') {
      res.writeHead(provider.keySet.status, provider.keySet.headers).end('{}')
      return
    }
    service.requestHandler(req, res)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  // A server on a TCP port answers with an address, never with a path.
  issuer.url = `https://localhost:${(server.address() as AddressInfo).port}`

  const provider: IdentityProvider = {
    issuer: issuer.url,
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
      const url = new URL(authorizeUrl)
      const code = await new Promise<string>((resolve, reject) => {
        service.once('beforeAuthorizeRedirect', ({ url: back }) => resolve(back.href))
        // The fake stands in for the provider's own pages: asking it for the redirect is what a browser does there.
        void fetchInside(url).catch(reject)
      })
      const back = new URL(code)
      return `${back.pathname}${back.search}`
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }

  async function fetchInside(url: URL) {
    const [answer] = await once(get(url, { ca: tls.cert }), 'response')
    answer.resume()
  }

  service.on('beforeTokenSigning', (token) => {
    Object.assign(token.payload, provider.person)
  })
  service.on('beforeResponse', (response) => {
    const body = response.body
    if (!provider.forge || typeof body !== 'object' || typeof body.id_token !== 'string') return
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString())
    body.id_token = provider.forge(claims)
  })
  return provider
}

/** A token of these claims, signed by this function of what is signed. */
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

/** The way through the provider and back, in one browser. */
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
