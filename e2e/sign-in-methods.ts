// What the journeys through the doors share: the calls of a page, the codes of an authenticator app, a device
// that makes passkeys.
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

/**
 * As a browser does that offers no passkey by itself: whoever always says yes would be in before the button
 * is pressed.
 */
export async function offerNoPasskeys(page: Page): Promise<void> {
  await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
}
