import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, done, id, line, refusing, time } from './kit.ts'

export const recoveryCodeCount = 10
export const passkeysMost = 10
export const passkeyNameLength = { min: 1, max: 60 }

export const signInRefusals = {
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Email not confirmed' },
  WRONG_CODE: {
    status: 400,
    message: 'This code is not right. Check the time on your device and try again.',
  },
  TWO_FACTOR_REQUIRED: { status: 409, message: 'Staff accounts must keep two-factor authentication on.' },
  NO_OTHER_SIGN_IN_METHOD: {
    status: 409,
    message: 'This is your only way to sign in. Set a password or add a passkey first.',
  },
  TOO_MANY_PASSKEYS: {
    status: 409,
    message: `You have ${passkeysMost} passkeys. Remove one to add another.`,
  },
  PASSKEY_REFUSED: { status: 400, message: 'This passkey could not be added. Please try again.' },
}

/** A sign-in provider: `id` is the library's name, `name` is the displayed name. */
export const provider = z.object({ id: z.string(), name: z.string() })
export type Provider = z.infer<typeof provider>

export const passkey = z.object({ id, name: z.string(), createdAt: time, lastUsedAt: time.nullable() })
export type Passkey = z.infer<typeof passkey>

export const security = z.object({
  hasPassword: z.boolean(),
  /** The provider of this club, and whether my account is connected to it. */
  provider: provider.extend({ connectedAt: time.nullable() }).nullable(),
  twoFactor: z.object({
    enabled: z.boolean(),
    /** Whether this account must use two-factor authentication, as staff must. */
    required: z.boolean(),
    recoveryCodesLeft: z.int(),
  }),
  passkeys: z.array(passkey),
  /** When this login session stops being fresh; null when it is not fresh. */
  freshUntil: time.nullable(),
})
export type Security = z.infer<typeof security>

const password = z.string().max(2048)
const code = z.string().trim().max(64)

export const signIn = {
  getSignInOptions: call
    .route({ method: 'GET', path: '/sign-in-options', summary: 'The sign-in methods of this club' })
    .output(
      z.object({
        provider: provider.nullable(),
        /** Whether a sign-in in this browser is waiting for a code. */
        needsCode: z.boolean(),
      }),
    ),
  getSecurity: call
    .route({
      method: 'GET',
      path: '/settings/security',
      summary: 'My sign-in methods, and how long this login session is fresh',
    })
    .output(security),
  confirmIdentity: call
    .route({
      method: 'POST',
      path: '/settings/confirm-identity',
      summary:
        'Confirm my identity by password, and by a code where two-factor is on; ' +
        'makes this login session fresh',
    })
    .input(z.strictObject({ password, code: code.optional() }))
    .output(done)
    .errors(refusing(accountRefusals, signInRefusals)),
  unlinkProvider: call
    .route({
      method: 'POST',
      path: '/settings/provider/unlink',
      summary: 'Disconnect the provider from my account',
    })
    .output(done)
    .errors(refusing(accountRefusals, signInRefusals)),
  setFirstPassword: call
    .route({
      method: 'POST',
      path: '/settings/password/first',
      summary: 'Mail me a link to set a password, for an account without one',
    })
    .output(done)
    .errors(refusing(accountRefusals)),

  startTwoFactor: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/start',
      summary: 'A new secret for an authenticator app; it takes effect once one of its codes is entered',
    })
    .output(z.object({ uri: z.string(), secret: z.string() }))
    .errors(refusing(accountRefusals, signInRefusals)),
  finishTwoFactor: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/finish',
      summary: 'Switch on two-factor with a first code; returns the recovery codes, once',
    })
    .input(z.strictObject({ code }))
    .output(z.object({ recoveryCodes: z.array(z.string()) }))
    .errors(refusing(accountRefusals, signInRefusals)),
  renewRecoveryCodes: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/recovery-codes',
      summary: 'New recovery codes; the old ones stop working',
    })
    .output(z.object({ recoveryCodes: z.array(z.string()) }))
    .errors(refusing(accountRefusals, signInRefusals)),
  stopTwoFactor: call
    .route({ method: 'POST', path: '/settings/two-factor/stop', summary: 'Switch two-factor off' })
    .output(done)
    .errors(refusing(accountRefusals, signInRefusals)),

  renamePasskey: call
    .route({ method: 'PATCH', path: '/settings/passkeys/{id}', summary: 'Rename a passkey' })
    .input(z.strictObject({ id, name: line(passkeyNameLength.max, passkeyNameLength.min) }))
    .output(done),
  removePasskey: call
    .route({ method: 'DELETE', path: '/settings/passkeys/{id}', summary: 'Remove a passkey' })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(accountRefusals, signInRefusals)),
}

// Requests that sign a browser in. They are not calls of the contract, since they set cookies and redirect.
// Each is a POST below /api/auth. It answers `{ ok: true }`, or what its comment states, or a refusal in the
// usual form.

const email = z.string().max(320)
const returnTo = z.string().max(4096)

/** Identifies one attempt in a popup. /auth/callback returns it, and the opener compares it. */
export const attemptNonce = z.string().regex(/^[\w-]{16,64}$/)

const toProvider = z.strictObject({
  provider: z.string().max(64),
  nonce: attemptNonce.optional(),
  returnTo: returnTo.optional(),
})

/** Without a name, the passkey gets the name of its authenticator or of the device. */
const passkeyName = line(passkeyNameLength.max).optional()

/** A browser's answer to a passkey challenge. Its id is at most 1,023 bytes (WebAuthn, section 4). */
const credential = z.looseObject({ id: z.string().regex(/^[\w-]{1,1364}$/) })

export const signInBodies = {
  /** `{ ok: true, twoFactor: true }` asks for a code. An unconfirmed account gets `returnTo` in its mail. */
  '/sign-in/email': z.strictObject({ email, password, returnTo: returnTo.optional() }),
  '/two-factor/verify-totp': z.strictObject({ code }),
  '/two-factor/verify-backup-code': z.strictObject({ code }),
  /**
   * Answers `{ url }` to open. It leads back to /auth/callback; after an error without a nonce, to /signin.
   */
  '/sign-in/social': toProvider,
  /** Answers `{ url }` as above and connects the signed-in account. Needs a fresh login session. */
  '/link-social': toProvider,
  /** Answers the options of a challenge. Needs a fresh login session. */
  '/passkey/register-options': z.strictObject({ name: passkeyName }),
  '/passkey/verify-registration': z.strictObject({
    response: credential,
    name: passkeyName,
  }),
  /** Answers the options of a challenge. */
  '/passkey/authenticate-options': z.strictObject({}),
  /** Signs in. A member who is already signed in gets a fresh login session. */
  '/passkey/verify-authentication': z.strictObject({ response: credential }),
  '/sign-out': z.strictObject({}),
}

/** Why a provider sign-in failed: the query `error` of the next page. `twoFactor=1` asks for a code. */
export const providerErrors = {
  access_denied: (name: string) => `${name} sign-in was canceled.`,
  expired: () => 'This sign-in took too long, or was started in another browser. Please try again.',
  email_not_verified: (name: string) =>
    `${name} has not confirmed your email address. Confirm it there, then try again.`,
  account_not_linked: (name: string) =>
    'There is an account with this email address already. Sign in with your password, ' +
    `then connect ${name} in Settings.`,
  another_connected: (name: string) => `You have connected another ${name} account. Disconnect it first.`,
  linked_elsewhere: (name: string) => `This ${name} account is connected to another Evenhand account.`,
  failed: (name: string) => `${name} sign-in failed. Please try again.`,
}
export type ProviderError = keyof typeof providerErrors
