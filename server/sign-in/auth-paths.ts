/** Where the sign-in library answers, and the header in which we name the sender's address to it. */
export const basePath = '/api/auth'
export const addressHeader = 'x-evenhand-client-ip'

/** How often one address may ask the sign-in library for each of its paths that we use: so many times in so many seconds. */
export const limits = {
  '/sign-in/email': { window: 60, max: 5 },
  '/sign-in/social': { window: 60, max: 20 },
  '/link-social': { window: 60, max: 20 },
  '/callback/*': { window: 60, max: 20 },
  '/two-factor/verify-totp': { window: 60, max: 10 },
  '/two-factor/verify-backup-code': { window: 60, max: 10 },
  '/passkey/generate-register-options': { window: 60, max: 20 },
  '/passkey/verify-registration': { window: 60, max: 20 },
  '/passkey/generate-authenticate-options': { window: 60, max: 30 },
  '/passkey/verify-authentication': { window: 60, max: 10 },
  '/sign-out': { window: 60, max: 60 },
}

/** Its paths that do what is ours to do. Nothing asks for them; they are closed all the same. */
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
