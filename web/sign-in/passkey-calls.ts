/*
 * Adding a passkey. The device does the work by the browser's own methods; the server's options and the device's answer
 * travel as they are. Using one is in `passkey-sign-in.ts`.
 */
import { post } from './better-auth.ts'

/** Whether this browser can make passkeys from the server's options by itself. */
export function canMakePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.prototype.toJSON === 'function'
  )
}

/** Makes a passkey on this device, or on one near it, under a name of the member's. False when the person gave it up. */
export async function addPasskey(name: string): Promise<boolean> {
  const options: unknown = await post('/api/auth/passkey/register-options', { name })
  const credential = await make(
    // The server's own options, in the form that browsers take.
    PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON),
  )
  if (!(credential instanceof PublicKeyCredential)) return false
  await post('/api/auth/passkey/verify-registration', { name, response: credential.toJSON() })
  return true
}

async function make(publicKey: PublicKeyCredentialCreationOptions): Promise<Credential | null> {
  try {
    return await navigator.credentials.create({ publicKey })
  } catch (error) {
    // Closed, or waited out: nothing that anybody has to be told.
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null
    throw error
  }
}

/** The device has a passkey of this account already, and makes no second one. */
export function isPasskeyKnown(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}
