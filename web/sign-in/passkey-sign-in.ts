/*
 * Signing in with a passkey with the browser's own methods. It starts from the button or from the suggestions
 * of the email field. A browser handles one request at a time, so the button ends the suggestion.
 */
import { askForPasskey, signInWithPasskey } from './better-auth.ts'

/** Whether this browser can sign in with a passkey from the server's options. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.prototype.toJSON === 'function'
  )
}

/** Whether this browser can also suggest passkeys in a field. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
}

/**
 * Opens a login session with a passkey that the user picks, or makes the current session fresh. False when
 * they pick none.
 */
export async function pickPasskey(how: 'offer' | 'dialog', signal: AbortSignal): Promise<boolean> {
  const answer = await askDevice(how, signal)
  if (answer === null) return false
  await signInWithPasskey(answer)
  return true
}

/**
 * Returns the device's answer for the passkey that the user picks; null when they pick none. `offer` suggests
 * passkeys in the field until `signal` aborts; `dialog` opens the browser's window.
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
    // The user closed it, it timed out or we aborted it. That is no error to show.
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
      return null
    }
    throw error
  }
}
