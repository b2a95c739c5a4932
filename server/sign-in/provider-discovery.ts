// Whether the provider can be used: its own description is read at start and says so. One that cannot be read hides the button, and is
// asked for again when somebody wants to know.
import { z } from 'zod'
import type { ProviderConfig } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'

const description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()),
})

/** Signatures that only the provider can make, since the key to check them is public. */
const signatures = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
])

const retryMs = 30_000
const longestMs = 3000

const attempts = new Map<string, { at: number; usable: Promise<boolean> }>()

/** Where an issuer describes itself (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuer: string) {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** The provider that people may sign in by now, in the contract's shape; null when the club offers none, or it cannot be used. */
export async function findProvider(ctx: Ctx) {
  const { provider } = ctx.config
  if (provider === null || !(await isProviderUsable(provider, ctx.log))) return null
  return { id: provider.id, name: provider.name }
}

/** Whether the provider describes itself as we need it. A yes is kept, a no for half a minute; it takes three seconds at most. */
export function isProviderUsable(provider: ProviderConfig, log: Log): Promise<boolean> {
  const known = attempts.get(provider.issuer)
  if (known && Date.now() - known.at < retryMs) return known.usable
  const attempt = { at: Date.now(), usable: readDescription(provider, log) }
  attempts.set(provider.issuer, attempt)
  void attempt.usable.then((usable) => {
    if (usable) attempt.at = Number.POSITIVE_INFINITY
  })
  return attempt.usable
}

async function readDescription({ issuer }: ProviderConfig, log: Log): Promise<boolean> {
  try {
    const answer = await fetch(discoveryAddress(issuer), {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(longestMs),
    })
    if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
    const read = description.parse(await answer.json())
    if (read.issuer !== issuer) throw new Error('It names another issuer.')
    if (!read.id_token_signing_alg_values_supported.some((name) => signatures.has(name))) {
      throw new Error('It signs in no way that can be checked.')
    }
    return true
  } catch (err) {
    log.warn({ err, issuer }, 'the sign-in provider cannot be used for now')
    return false
  }
}
