// Checks whether the provider can be used, from its description, which is read at start. If it can't be read,
// the button is hidden, and a later request tries again.
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

/** Asymmetric signature algorithms: only the provider can sign, and anyone can verify. */
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

/** The address of an issuer's description (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuer: string) {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** The provider that can be used to sign in now. Null if none is configured or it can't be used. */
export async function findProvider(ctx: Ctx) {
  const { provider } = ctx.config
  if (provider === null || !(await isProviderUsable(provider, ctx.log))) return null
  return { id: provider.id, name: provider.name }
}

/**
 * Whether the provider can be used. Takes at most 3 seconds. Keeps a positive result, a negative one for 30
 * seconds.
 */
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
      throw new Error('It has no signature algorithm that we can verify.')
    }
    return true
  } catch (err) {
    log.warn({ err, issuer }, 'the sign-in provider cannot be used for now')
    return false
  }
}
