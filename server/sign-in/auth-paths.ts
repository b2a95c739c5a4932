/** The base path of the sign-in library, and the header that passes the sender's IP address to it. */
export const basePath = '/api/auth'
export const addressHeader = 'x-evenhand-client-ip'

/**
 * Rate limits per IP address for the library's paths that we use: `max` calls in `window` seconds. Those that
 * compare a password or a code have our own limits, which let a known device pass.
 */
export const limits = {
  '/sign-in/email': false,
  '/sign-in/social': { window: 60, max: 20 },
  '/link-social': { window: 60, max: 20 },
  '/callback/*': { window: 60, max: 20 },
  '/two-factor/verify-totp': false,
  '/two-factor/verify-backup-code': false,
  '/passkey/generate-register-options': { window: 60, max: 20 },
  '/passkey/verify-registration': { window: 60, max: 20 },
  '/passkey/generate-authenticate-options': { window: 60, max: 30 },
  '/passkey/verify-authentication': { window: 60, max: 10 },
  '/sign-out': { window: 60, max: 60 },
} as const

/** Paths of the library whose work we do ourselves. Nothing calls them, but they are closed anyway. */
export const closedPaths = [
  '/update-user',
  '/delete-user',
  '/is-username-available',
  '/sign-up/email',
  '/get-session',
  '/list-sessions',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  '/passkey/list-user-passkeys',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
  '/unlink-account',
]
