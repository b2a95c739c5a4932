/*
 * Adding a passkey with the browser's own methods. The server's options and the device's answer are passed on
 * unchanged. Signing in with one is in `passkey-sign-in.ts`.
 */
import { post } from './better-auth.ts'

/** Whether this browser can create passkeys from the server's options. */
export function canMakePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.prototype.toJSON === 'function'
  )
}

/** Creates a passkey named by the member, on this device or one nearby. False when the member cancels. */
export async function addPasskey(name: string): Promise<boolean> {
  const options: unknown = await post('/api/auth/passkey/register-options', { name })
  const credential = await make(
    // The server returns its options in the format that browsers accept.
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
    // The user closed the dialog or let it time out. That is no error to show.
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null
    throw error
  }
}

/** Whether the device refused because it already has a passkey of this account. */
export function isPasskeyKnown(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}
