// Shared by the journeys that sign in: calls from a page, and a device that makes passkeys.
import type { Page } from '@playwright/test'

/** Calls the product as the page itself does, and reads the answer. */
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
  // The contract's answer; each journey names the fields it uses.
  return { status: answered.status, json: JSON.parse(answered.text) as T }
}

/** A device that makes passkeys. Its user approves every prompt, unless set as not present. */
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
 * Turns off passkeys in the email field's list. The device approves every prompt, so it would sign in before
 * the button is pressed.
 */
export async function offerNoPasskeys(page: Page): Promise<void> {
  await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
}
