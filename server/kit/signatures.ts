// What the club signs, others can check without it. The key comes from the server's secret, so every process
// signs alike; the public keys are kept, so that what an earlier secret signed can still be checked.
import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Config } from './config.ts'
import type { Ctx } from './ctx.ts'

/** A value of JSON without fractions, which programs write in different ways. */
type Signable = string | number | boolean | null | readonly Signable[] | SignableObject
type SignableObject = { readonly [name: string]: Signable }

type Signed<Payload> = { payload: Payload; signature: string }

/**
 * Signs an object with Ed25519: the UTF-8 bytes of its canonical form. `keyId` is added to it, so that it
 * says by itself which public key checks it. The signature is base64url.
 */
export async function signPayload<Payload extends SignableObject>(
  ctx: Ctx,
  payload: Payload,
): Promise<Signed<Payload & { keyId: string }>> {
  const { privateKey, publicKey, keyId } = keyOf(ctx.config)
  await ctx.kit.db
    .insertInto('signingKeys')
    .values({ id: keyId, publicKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const signed = { ...payload, keyId }
  const signature = sign(null, Buffer.from(canonicalJson(signed)), privateKey).toString('base64url')
  return { payload: signed, signature }
}

/** The present public key first, then those of earlier secrets, as raw 32 bytes. */
export async function listPublicKeys(ctx: Ctx): Promise<{ keyId: string; publicKey: Buffer }[]> {
  const { keyId, publicKey } = keyOf(ctx.config)
  const earlier = await ctx.db
    .selectFrom('signingKeys')
    .select(['id as keyId', 'publicKey'])
    .where('id', '<>', keyId)
    .orderBy('firstUsedAt', 'desc')
    .orderBy('id')
    .execute()
  return [{ keyId, publicKey }, ...earlier]
}

/**
 * The one way to write a value as JSON (as RFC 8785, for whole numbers): names sorted by UTF-16 units, no
 * white space. Throws for a fraction.
 */
export function canonicalJson(value: Signable): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('Only whole numbers are signed.')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  // The plain order of the names is by UTF-16 units.
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, of]) => `${JSON.stringify(name)}:${canonicalJson(of)}`).join(',')}}`
}

const isList = (value: object): value is readonly Signable[] => Array.isArray(value)

type Key = { privateKey: KeyObject; publicKey: Buffer; keyId: string }
const keys = new Map<string, Key>()

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyOf({ authSecret }: Config): Key {
  const known = keys.get(authSecret)
  if (known) return known
  const seed = Buffer.from(hkdfSync('sha256', authSecret, '', 'signatures of the club', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const publicKey = Buffer.from(spki.subarray(-32))
  const keyId = createHash('sha256').update(publicKey).digest('hex').slice(0, 16)
  const key = { privateKey, publicKey, keyId }
  keys.set(authSecret, key)
  return key
}
