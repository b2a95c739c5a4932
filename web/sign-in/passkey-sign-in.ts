/*
 * Signing in with a passkey, by the browser's own means. Two ways lead to it: the button, and the browser's offer in the
 * list of the email field. A browser serves one of them at a time, so the button ends the offer.
 */
import { askForPasskey, signInWithPasskey } from './better-auth.ts'

/** Whether this browser can read and write the server's options by itself. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.prototype.toJSON === 'function'
  )
}

/** Whether it can also offer passkeys in the list of a field. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
}

/**
 * Opens a login session with a passkey that the person picks in the browser's window, or makes the one there is fresh.
 * False when they picked none.
 */
export async function pickPasskey(how: 'offer' | 'dialog', signal: AbortSignal): Promise<boolean> {
  const answer = await askDevice(how, signal)
  if (answer === null) return false
  await signInWithPasskey(answer)
  return true
}

/**
 * What the device answers with a passkey that the person picks; null when they picked none. `offer` waits in the list of
 * the field until `signal` ends it; `dialog` is the browser's own window.
 */
export async function askDevice(how: 'offer' | 'dialog', signal: AbortSignal): Promise<unknown> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await askForPasskey())
  if (signal.aborted) return null
  const credential = await pick(options, how, signal)
  return credential instanceof PublicKeyCredential ? credential.toJSON() : null
}

async function pick(
  publicKey: PublicKeyCredentialRequestOptions,
  how: 'offer' | 'dialog',
  signal: AbortSignal,
): Promise<Credential | null> {
  try {
    return await navigator.credentials.get({
      publicKey,
      signal,
      mediation: how === 'offer' ? 'conditional' : 'optional',
    })
  } catch (error) {
    // Closed, waited out, or taken back by us: nothing that anybody has to be told.
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
      return null
    }
    throw error
  }
}
