import { z } from 'zod'
import { call, done, id, line, month, refusing, time } from './kit.ts'
import { locale, timeZone } from './locales.ts'
import { membershipStates, paymentsMode } from './membership.ts'

export const usernameLength = { min: 3, max: 20 }
/** A username may be changed once in this many days. */
export const usernameChangeDays = 30
/** A former username stays reserved for its owner for this many days. */
export const usernameReservedDays = 90
/** How long the availability check waits after the last keystroke, in milliseconds. */
export const usernameCheckDelay = 300
/** The longest names on the profile, in characters. */
export const nameLength = { display: 60, full: 80 }
/** A picture must be smaller than this many bytes. */
export const avatarBytesLimit = 2 * 1024 * 1024

export const memberRefusals = {
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
  USERNAME_TOO_SOON: {
    status: 409,
    message: `You can change your username once every ${usernameChangeDays} days.`,
  },
  UNSUPPORTED_AVATAR: { status: 415, message: 'Please choose a JPG or PNG picture.' },
  AVATAR_TOO_LARGE: { status: 413, message: 'Please choose a picture under 2 MB.' },
  UNREADABLE_AVATAR: { status: 400, message: 'This picture could not be read. Please choose another one.' },
}

export const role = z.enum(['user', 'support', 'admin'])
export type Role = z.infer<typeof role>

/** A username is lower case: a letter, then 2 to 19 letters, digits, underscores or hyphens. */
export const usernamePattern = /^[a-z][a-z0-9_-]{2,19}$/

/** Names that could be mistaken for a part of the product or for its staff. */
export const reservedUsernames = new Set(
  `admin administrator root system staff support help me moderator evenhand owner security team api auth files
  images signin signup signout login logout register settings billing dashboard activity notifications
  cooldown messages assets reviews articles discover trending analytics org pricing features privacy terms
  contact status rules fairness null undefined`.split(/\s+/),
)

/**
 * Whether a username is allowed: true, or the reason why not. Whether it is free is for the server to check.
 */
export function canBeUsername(username: string): true | 'INVALID_USERNAME' | 'USERNAME_TAKEN' {
  if (!usernamePattern.test(username)) return 'INVALID_USERNAME'
  return reservedUsernames.has(username) ? 'USERNAME_TAKEN' : true
}

/**
 * The name to show: username, display name, full name, the part of the email before the at sign, then
 * 'Account'.
 */
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

const membershipStatus = z.enum(['none', 'active', 'past_due', 'refunded', 'disputed', 'ended'])

export const me = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  /** Mail to the address bounced for good: nothing is sent until it is confirmed again. */
  emailBounced: z.boolean(),
  /** Why the member is suspended, and until when; `until` is null when our staff has to lift it. */
  suspension: z.object({ reason: z.string(), until: time.nullable() }).nullable(),
  username: z.string().nullable(),
  displayName: z.string(),
  fullName: z.string().nullable(),
  /** The key in the address of the picture; null without a picture. */
  avatar: z.string().nullable(),
  locale,
  /** An IANA name, for example 'Europe/Berlin'; null follows the device. */
  timeZone: z.string().nullable(),
  twoFactor: z.boolean(),
  role,
  createdAt: time,
  membership: z.object({
    status: membershipStatus,
    state: z.enum(membershipStates),
    source: z.enum(['demo', 'stripe', 'grant']).nullable(),
    paused: z.boolean(),
    pausedUntil: time.nullable(),
    currentPeriodEnd: time.nullable(),
    /** With a failed payment: until when I take part. It may be over. */
    graceUntil: time.nullable(),
    /** When my cancelled membership ends. */
    endsAt: time.nullable(),
  }),
  unread: z.int(),
  demo: z.boolean(),
  payments: paymentsMode,
  serverTime: time,
})
export type Me = z.infer<typeof me>

/** A change of email address in progress. It takes effect once both mailboxes have confirmed it. */
const emailChange = z.object({
  email: z.string(),
  oldConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: time,
})

export const profile = z.object({
  avatar: z.string().nullable(),
  locale,
  /** An IANA name, for example 'Europe/Berlin'; null follows the device. */
  timeZone: z.string().nullable(),
  /** When the username may be changed next; null when it may be changed now. */
  usernameChangeAt: time.nullable(),
  /** My former usernames that are still reserved for me. */
  reservedUsernames: z.array(z.object({ username: z.string(), until: time })),
  emailChange: emailChange.nullable(),
})
export type Profile = z.infer<typeof profile>

export const avatarUpload = z.strictObject({ file: z.instanceof(Blob) })

export const members = {
  getMe: call.route({ method: 'GET', path: '/me', summary: 'The signed-in user' }).output(me),
  setUsername: call
    .route({ method: 'POST', path: '/username', summary: 'Choose a username, once' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(done)
    .errors(refusing(memberRefusals)),
  changeUsername: call
    .route({
      method: 'POST',
      path: '/settings/username',
      summary: 'Change my username; the old one stays reserved for me',
    })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(done)
    .errors(refusing(memberRefusals)),
  updateProfile: call
    .route({ method: 'PATCH', path: '/profile', summary: 'Change the names on the profile' })
    .input(
      z.strictObject({ displayName: line(nameLength.display), fullName: line(nameLength.full).nullable() }),
    )
    .output(done),
  updatePreferences: call
    .route({
      method: 'PATCH',
      path: '/settings/preferences',
      summary: 'Change how dates and numbers are written for me, and the time zone',
    })
    .input(z.strictObject({ locale, timeZone: timeZone.nullable() }))
    .output(done),
  getProfile: call
    .route({ method: 'GET', path: '/settings/profile', summary: 'The parts of my account that I can change' })
    .output(profile),
  uploadAvatar: call
    .route({
      method: 'POST',
      path: '/settings/avatar',
      summary: 'Set my picture: JPG or PNG under 2 MB',
      successStatus: 201,
    })
    .input(avatarUpload)
    .output(z.object({ avatar: z.string() }))
    .errors(refusing(memberRefusals)),
  removeAvatar: call
    .route({ method: 'DELETE', path: '/settings/avatar', summary: 'Remove my picture' })
    .output(done),
  getMember: call
    .route({ method: 'GET', path: '/members/{username}', summary: 'The public profile of a member' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(
      z.object({
        username: z.string(),
        avatar: z.string().nullable(),
        memberSince: month,
        /** Verified reviews until the end of last month. */
        reviewsGiven: z.int(),
        reviewsReceived: z.int(),
        liveProducts: z.int(),
      }),
    ),
}
