// What the journeys through the doors share: the calls of a page, the codes of an authenticator app, a device that makes passkeys.
import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Calls the product as the page itself would, and reads what it answers. */
export async function call<T>(page: Page, path: string, body: object): Promise<{ status: number; json: T }> {
  const answered = await page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body,
      })
      return { status: answer.status, text: await answer.text() }
    },
    [path, JSON.stringify(body)] as const,
  )
  // The contract's answer, of which each journey names the parts that it goes on with.
  return { status: answered.status, json: JSON.parse(answered.text) as T }
}

/** The code that an authenticator app shows for a secret in base32, by RFC 6238; `later` steps of half a minute from now. */
export function codeOf(secret: string, later = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Codes that the app shows neither now nor just before or after: the `n`-th of at least six. */
export function wrongCode(secret: string, n = 0): string {
  const right = [-1, 0, 1, 2].map((later) => codeOf(secret, later))
  return [...'0123456789'].map((digit) => digit.repeat(6)).filter((code) => !right.includes(code))[n] ?? ''
}

/** A device that makes passkeys, and on which somebody sits who says yes to whatever it asks, or nobody. */
export async function openDevice(page: Page): Promise<{ setPresent(isPresent: boolean): Promise<void> }> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setPresent(enabled) {
      await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}

/** As a browser does that offers no passkey by itself: whoever always says yes would be in before the button is pressed. */
export async function offerNoPasskeys(page: Page): Promise<void> {
  await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
