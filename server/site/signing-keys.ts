import type { SigningKeys } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { listPublicKeys } from '#server/kit/signatures.ts'

/** The public keys of signed statements and review cards, as a JSON Web Key Set (RFC 7517, RFC 8037). */
export async function listSigningKeys(ctx: Ctx): Promise<SigningKeys> {
  const keys = await listPublicKeys(ctx)
  return {
    keys: keys.map(({ keyId, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: keyId,
      x: publicKey.toString('base64url'),
    })),
  }
}
