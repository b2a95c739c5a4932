import { z } from 'zod'
import { call, done, id, line, refusing, time } from './kit.ts'
import { locale } from './locales.ts'

export const usernameLength = { min: 3, max: 20 }
export const passwordLength = { min: 8, max: 256 }
/** Of the names on the profile, at most. */
export const nameLength = { display: 60, full: 80 }
/** How long the availability check waits after the last key, in milliseconds. */
export const usernameCheckDelay = 300
export const secretLifetimeMinutes = 60

export const accountRefusals = {
  AUTH_REQUIRED: { status: 401, title: 'Authentication required', message: 'Please sign in to continue.' },
  INVALID_USERNAME: {
    status: 400,
    title: 'Invalid username',
    message: 'Please follow the format: 3–20 chars, start with a letter.',
  },
  USERNAME_TAKEN: {
    status: 409,
    title: 'Username taken',
    message: 'That username is already taken. Please choose another.',
  },
  INVALID_EMAIL: { status: 400, message: 'Please enter a valid email address' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Use at least 8 characters.' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Use at most 256 characters.' },
  PASSWORD_TOO_COMMON: { status: 400, message: 'This password is too easy to guess. Choose another one.' },
  PASSWORD_IS_YOU: { status: 400, message: 'Your password must not be your email address or username.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password.' },
  WRONG_PASSWORD: { status: 400, message: 'This is not your current password.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Email not confirmed' },
  LINK_EXPIRED: {
    status: 400,
    title: 'Link expired or invalid',
    message: 'Your verification link has expired or been used already.',
  },
}

export const role = z.enum(['user', 'support', 'admin'])
export type Role = z.infer<typeof role>

/** Usernames are lower case: a letter, then 2 to 19 letters, digits, underscores or hyphens. */
export const usernamePattern = /^[a-z][a-z0-9_-]{2,19}$/

/** Names that would read as part of the product or as its staff. */
export const reservedUsernames = new Set(
  `admin administrator root system staff support help me moderator evenhand owner security team api auth files images
  signin signup signout login logout register settings billing dashboard activity notifications cooldown messages assets
  reviews articles discover trending analytics org pricing features privacy terms contact status rules fairness null
  undefined`.split(/\s+/),
)

/** Whether a username may be taken at all: true, or the reason. Whether it is free, only the server knows. */
export function canBeUsername(username: string): true | 'INVALID_USERNAME' | 'USERNAME_TAKEN' {
  if (!usernamePattern.test(username)) return 'INVALID_USERNAME'
  return reservedUsernames.has(username) ? 'USERNAME_TAKEN' : true
}

/** The name to show: username, display name, full name, the part of the email before the at sign, then 'Account'. */
export function displayNameOf(person: {
  username?: string | null
  displayName?: string | null
  fullName?: string | null
  email?: string | null
}) {
  return person.username || person.displayName || person.fullName || person.email?.split('@')[0] || 'Account'
}

/** The first letters of up to two words, upper case. */
export function initialsOf(name: string) {
  return name
    .split(/[\s_-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('')
}

/** An email address with its local part as bullets: what the verification page shows. */
export function maskEmail(email: string) {
  const at = email.lastIndexOf('@')
  if (at < 1) return '••••'
  return `${'•'.repeat(Math.min(Math.max(at, 4), 12))}${email.slice(at)}`
}

/** An email address with the first and the last letter of its local part: enough to tell one's own from another at the same domain. */
export function maskEmailInside(email: string) {
  const at = email.lastIndexOf('@')
  if (at < 1) return '••••'
  const last = at > 3 ? email.charAt(at - 1) : ''
  return `${email.charAt(0)}••••${last}${email.slice(at)}`
}

/** An email address with asterisks for its local part and the name of its domain: what the page for a new password shows. */
export function maskWholeEmail(email: string) {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  if (at < 1 || dot < 1) return '****'
  return `${asterisksFor(at)}@${asterisksFor(dot)}${domain.slice(dot)}`
}

const asterisksFor = (letters: number) => '*'.repeat(Math.min(Math.max(letters, 4), 12))

const email = z.string().max(320)
const password = z.string().max(2048)

export const membershipStatus = z.enum(['none', 'active', 'past_due', 'ended'])

export const me = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  username: z.string().nullable(),
  displayName: z.string(),
  fullName: z.string().nullable(),
  /** The key of the picture, of which its address is made; null without one. */
  avatar: z.string().nullable(),
  locale,
  /** An IANA name such as 'Europe/Berlin'; null follows the device. */
  timeZone: z.string().nullable(),
  twoFactor: z.boolean(),
  role,
  createdAt: time,
  membership: z.object({
    status: membershipStatus,
    source: z.enum(['demo', 'stripe', 'grant']).nullable(),
    paused: z.boolean(),
    pausedUntil: time.nullable(),
    currentPeriodEnd: time.nullable(),
  }),
  unread: z.int(),
  demo: z.boolean(),
  serverTime: time,
})
export type Me = z.infer<typeof me>

export const accounts = {
  getMe: call.route({ method: 'GET', path: '/me', summary: 'Who is signed in' }).output(me),
  signUp: call
    .route({
      method: 'POST',
      path: '/sign-up',
      summary: 'Make an account; the answer is the same for a known address',
    })
    .input(
      z.strictObject({
        email,
        password,
        username: z.string().max(64),
        returnTo: z.string().max(4096).optional(),
      }),
    )
    .output(done)
    .errors(refusing(accountRefusals)),
  resendVerification: call
    .route({ method: 'POST', path: '/verify-email/resend', summary: 'Send the confirmation link again' })
    .input(z.strictObject({ email, returnTo: z.string().max(4096).optional() }))
    .output(done)
    .errors(refusing(accountRefusals)),
  readVerification: call
    .route({
      method: 'POST',
      path: '/verify-email/read',
      summary: 'What a confirmation link is for; uses nothing up',
    })
    .input(z.strictObject({ token: z.string().max(200) }))
    .output(z.object({ maskedEmail: z.string(), username: z.string(), sameBrowser: z.boolean() }))
    .errors(refusing(accountRefusals)),
  verifyEmail: call
    .route({ method: 'POST', path: '/verify-email', summary: 'Confirm an address and sign in' })
    .input(z.strictObject({ token: z.string().max(200), password: password.optional() }))
    .output(done)
    .errors(refusing(accountRefusals)),
  reportNotMe: call
    .route({
      method: 'POST',
      path: '/verify-email/disown',
      summary: 'This was not me: delete the unconfirmed account',
    })
    .input(z.strictObject({ token: z.string().max(200) }))
    .output(done)
    .errors(refusing(accountRefusals)),
  requestReset: call
    .route({
      method: 'POST',
      path: '/reset-password',
      summary: 'Send a link for a new password; the answer is the same for an unknown address',
    })
    .input(z.strictObject({ email }))
    .output(done)
    .errors(refusing(accountRefusals)),
  readReset: call
    .route({
      method: 'POST',
      path: '/reset-password/read',
      summary: 'Whose password a link is for; uses nothing up',
    })
    .input(z.strictObject({ token: z.string().max(200) }))
    .output(z.object({ maskedEmail: z.string() }))
    .errors(refusing(accountRefusals)),
  resetPassword: call
    .route({
      method: 'POST',
      path: '/reset-password/confirm',
      summary: 'Set a new password by a link; ends every login session and opens none',
    })
    .input(z.strictObject({ token: z.string().max(200), password }))
    .output(done)
    .errors(refusing(accountRefusals)),
  changePassword: call
    .route({
      method: 'POST',
      path: '/password',
      summary: 'Change the password, and end the other login sessions',
    })
    .input(z.strictObject({ current: password, next: password, endOthers: z.boolean() }))
    .output(done)
    .errors(refusing(accountRefusals)),
  usernameExists: call
    .route({ method: 'GET', path: '/username-exists', summary: 'Whether a username is taken' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(z.object({ exists: z.boolean() }))
    .errors(refusing(accountRefusals)),
  setUsername: call
    .route({ method: 'POST', path: '/username', summary: 'Choose a username, once' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(done)
    .errors(refusing(accountRefusals)),
  updateProfile: call
    .route({ method: 'PATCH', path: '/profile', summary: 'Change the names on the profile' })
    .input(
      z.strictObject({ displayName: line(nameLength.display), fullName: line(nameLength.full).nullable() }),
    )
    .output(done),
}
