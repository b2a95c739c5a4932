// A device with passkeys (ES256 keys, no attestation) and an authenticator app, in software.
import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

type Options = Record<string, unknown>
type Slip = { origin?: string; rpId?: string; verified?: boolean; type?: string; counter?: number }

/** A device. `slip` holds the mistakes it makes. */
export function newAuthenticator(origin: string) {
  const keys: { id: Buffer; key: KeyObject; x: Buffer; y: Buffer; count: number }[] = []

  function clientData(type: string, challenge: unknown, slip: Slip) {
    return Buffer.from(
      JSON.stringify({
        type: slip.type ?? type,
        challenge,
        origin: slip.origin ?? origin,
        crossOrigin: false,
      }),
    )
  }

  function head(rpId: string, slip: Slip, flags: number, count: number) {
    const hash = createHash('sha256')
      .update(slip.rpId ?? rpId)
      .digest()
    // The flags say "user present" and, unless the slip says otherwise, "user verified".
    const all = flags | 1 | (slip.verified === false ? 0 : 4)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(slip.counter ?? count)
    return Buffer.concat([hash, Buffer.from([all]), counter])
  }

  return {
    keys,
    /** Creates a passkey for the options of a registration. */
    create(options: Options, slip: Slip = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const jwk = publicKey.export({ format: 'jwk' })
      const [x, y] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')]
      const id = randomBytes(32)
      keys.push({ id, key: privateKey, x, y, count: 0 })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const cose = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        x,
        Buffer.from([0x22, 0x58, 0x20]),
        y,
      ])
      const { id: rpId } = options.rp as { id: string }
      const data = Buffer.concat([head(rpId, slip, 0x40, 0), Buffer.alloc(16), length, id, cose])
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x59]),
        size,
        data,
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, slip).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Signs the challenge of an authentication with the newest passkey. */
    get(options: Options, slip: Slip = {}, key = keys.at(-1)) {
      if (!key) throw new Error('There is no passkey yet.')
      key.count += 1
      const client = clientData('webauthn.get', options.challenge, slip)
      const data = head(String(options.rpId), slip, 0, key.count)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id: key.id.toString('base64url'),
        rawId: key.id.toString('base64url'),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(key.key).toString('base64url'),
        },
      }
    },
  }
}

// A short text in CBOR.
const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])

/**
 * The code that an authenticator app shows for a secret in Base32 (RFC 6238), `later` steps of 30 seconds
 * from now.
 */
export function appCode(secret: string, later = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The `n`-th, of at least six, code that the app shows neither now nor just before or after. */
export function wrongAppCode(secret: string, n = 0): string {
  const right = [-1, 0, 1, 2].map((later) => appCode(secret, later))
  return [...'0123456789'].map((digit) => digit.repeat(6)).filter((code) => !right.includes(code))[n] ?? ''
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
