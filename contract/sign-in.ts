import { z } from 'zod'
import { line } from './kit.ts'
import { passkeyNameLength } from './settings.ts'

// The ways in. They are no calls of the contract, because they set cookies and send a browser to and fro, but both houses know their
// shapes from here. Each is a POST below /api/auth that answers `{ ok: true }`, or what stands beside it, or a refusal in the usual form.

const email = z.string().max(320)
const password = z.string().max(2048)
const code = z.string().trim().max(64)
const returnTo = z.string().max(4096)

/** Of one attempt in a popup: it comes back to /auth/callback, by which the opener knows its own. */
export const attemptNonce = z.string().regex(/^[\w-]{16,64}$/)

const toProvider = z.strictObject({
  provider: z.string().max(64),
  nonce: attemptNonce.optional(),
  returnTo: returnTo.optional(),
})

/** Without one the passkey is called after where it lies, or the device. */
const passkeyName = line(passkeyNameLength.max).optional()

/** What a browser made of a challenge for a passkey; the sign-in library reads it. The id is 1,023 bytes at most (WebAuthn, 4). */
const credential = z.looseObject({ id: z.string().regex(/^[\w-]{1,1364}$/) })

export const signInBodies = {
  /** `{ ok: true, twoFactor: true }` asks for a code next. `returnTo` goes into the link that an unconfirmed address is sent. */
  '/sign-in/email': z.strictObject({ email, password, returnTo: returnTo.optional() }),
  '/two-factor/verify-totp': z.strictObject({ code }),
  '/two-factor/verify-backup-code': z.strictObject({ code }),
  /** `{ url }`: where to send the browser. It comes back to /auth/callback, or with an error and without a nonce to /signin. */
  '/sign-in/social': toProvider,
  /** `{ url }`: as above, to connect the account that is signed in. Asks for a fresh login session. */
  '/link-social': toProvider,
  /** The options of a challenge. Asks for a fresh login session. */
  '/passkey/register-options': z.strictObject({ name: passkeyName }),
  '/passkey/verify-registration': z.strictObject({
    response: credential,
    name: passkeyName,
  }),
  /** The options of a challenge. */
  '/passkey/authenticate-options': z.strictObject({}),
  /** Signs in; for whoever is signed in already it makes the login session fresh. */
  '/passkey/verify-authentication': z.strictObject({ response: credential }),
  '/sign-out': z.strictObject({}),
}

/** Why a provider did not sign somebody in, as the query `error` of the page it leads to; `twoFactor=1` there asks for a code. */
export const providerErrors = {
  access_denied: (name: string) => `${name} sign-in was cancelled.`,
  expired: () => 'This sign-in took too long, or was begun in another browser. Please try again.',
  email_not_verified: (name: string) =>
    `${name} has not confirmed your email address. Confirm it there, then try again.`,
  account_not_linked: (name: string) =>
    `There is an account with this email address already. Sign in with your password, then connect ${name} in Settings.`,
  another_connected: (name: string) => `You have connected another ${name} account. Disconnect it first.`,
  linked_elsewhere: (name: string) => `This ${name} account is connected to another Evenhand account.`,
  failed: (name: string) => `${name} sign-in failed. Please try again.`,
}
export type ProviderError = keyof typeof providerErrors
