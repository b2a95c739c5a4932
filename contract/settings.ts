import { z } from 'zod'
import { accountRefusals, secretLifetimeMinutes } from './accounts.ts'
import { call, done, id, line, month, refusing, time } from './kit.ts'
import { locale, timeZone } from './locales.ts'

/** A username may be changed this often, in days; the one given up stays reserved for its owner for that many. */
export const usernameChangeDays = 30
export const usernameReservedDays = 90
/** How long a login session counts as fresh after its owner has proved who they are, in minutes. */
export const freshMinutes = 10
/** How long both mailboxes have for confirming a new address. */
export const emailChangeMinutes = secretLifetimeMinutes
export const recoveryCodeCount = 10
export const passkeysMost = 10
export const passkeyNameLength = { min: 1, max: 60 }
/** A picture has to be smaller than this. */
export const avatarBytesLimit = 2 * 1024 * 1024

export const settingsRefusals = {
  NOT_FRESH: {
    status: 403,
    title: 'Confirm it’s you',
    message: 'Please confirm that it is you, then try again.',
  },
  USERNAME_TOO_SOON: {
    status: 409,
    message: `You can change your username once every ${usernameChangeDays} days.`,
  },
  EMAIL_UNCHANGED: { status: 400, message: 'This is your address already.' },
  NO_OTHER_SIGN_IN_METHOD: {
    status: 409,
    message: 'This is your only way to sign in. Set a password or add a passkey first.',
  },
  WRONG_CODE: {
    status: 400,
    message: 'This code is not right. Check the time on your device and try again.',
  },
  TWO_FACTOR_REQUIRED: { status: 409, message: 'Staff accounts keep two-factor authentication switched on.' },
  TOO_MANY_PASSKEYS: {
    status: 409,
    message: `You have ${passkeysMost} passkeys. Remove one to add another.`,
  },
  PASSKEY_REFUSED: { status: 400, message: 'This passkey could not be added. Please try again.' },
  UNSUPPORTED_AVATAR: { status: 415, message: 'Please choose a JPG or PNG picture.' },
  AVATAR_TOO_LARGE: { status: 413, message: 'Please choose a picture under 2 MB.' },
  UNREADABLE_AVATAR: { status: 400, message: 'This picture could not be read. Please choose another one.' },
}

/** One way in from a provider; `id` is the library's name of it, `name` what people call it. */
export const provider = z.object({ id: z.string(), name: z.string() })
export type Provider = z.infer<typeof provider>

export const device = z.object({
  id,
  current: z.boolean(),
  /** Such as 'Chrome on Windows'. */
  label: z.string(),
  /** 'desktop', 'mobile' or 'tablet'. */
  kind: z.enum(['desktop', 'mobile', 'tablet']),
  /** Shortened: the network, never the whole address. */
  address: z.string().nullable(),
  signedInAt: time,
  lastSeenAt: time,
})
export type Device = z.infer<typeof device>

export const passkey = z.object({ id, name: z.string(), createdAt: time, lastUsedAt: time.nullable() })
export type Passkey = z.infer<typeof passkey>

export const security = z.object({
  hasPassword: z.boolean(),
  /** The provider that this club offers, and whether my account is connected to it. */
  provider: provider.extend({ connectedAt: time.nullable() }).nullable(),
  twoFactor: z.object({
    enabled: z.boolean(),
    /** Staff have to have it. */
    required: z.boolean(),
    recoveryCodesLeft: z.int(),
  }),
  passkeys: z.array(passkey),
  /** Until when this login session is fresh; null when it is not. */
  freshUntil: time.nullable(),
})
export type Security = z.infer<typeof security>

/** A change of address under way: it takes effect once both sides have confirmed it. */
export const emailChange = z.object({
  email: z.string(),
  oldConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: time,
})

export const profile = z.object({
  avatar: z.string().nullable(),
  locale,
  /** An IANA name such as 'Europe/Berlin'; null follows the device. */
  timeZone: z.string().nullable(),
  /** From when the username may be changed again; null when it may be now. */
  usernameChangeAt: time.nullable(),
  /** Usernames given up that still are reserved for me. */
  reservedUsernames: z.array(z.object({ username: z.string(), until: time })),
  emailChange: emailChange.nullable(),
})
export type Profile = z.infer<typeof profile>

export const avatarUpload = z.strictObject({ file: z.instanceof(Blob) })

const token = z.string().max(200)
const password = z.string().max(2048)
const code = z.string().trim().max(64)

export const settings = {
  getSignInOptions: call
    .route({ method: 'GET', path: '/sign-in-options', summary: 'Which ways to sign in this club offers' })
    .output(
      z.object({
        provider: provider.nullable(),
        /** A sign-in was begun in this browser that a code would end. */
        needsCode: z.boolean(),
      }),
    ),

  getSecurity: call
    .route({
      method: 'GET',
      path: '/settings/security',
      summary: 'How I can sign in, and how fresh this login session is',
    })
    .output(security),
  confirmIdentity: call
    .route({
      method: 'POST',
      path: '/settings/confirm-identity',
      summary:
        'Prove who I am with my password, and a code where two-factor is on; makes this login session fresh',
    })
    .input(z.strictObject({ password, code: code.optional() }))
    .output(done)
    .errors(refusing(accountRefusals, settingsRefusals)),
  unlinkProvider: call
    .route({
      method: 'POST',
      path: '/settings/provider/unlink',
      summary: 'Disconnect the provider from my account',
    })
    .output(done)
    .errors(refusing(settingsRefusals)),
  setFirstPassword: call
    .route({
      method: 'POST',
      path: '/settings/password/first',
      summary: 'Mail me a link for a first password, for an account that has none',
    })
    .output(done)
    .errors(refusing(accountRefusals)),

  startTwoFactor: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/start',
      summary: 'A new secret for an authenticator app; it counts once a code of it was entered',
    })
    .output(z.object({ uri: z.string(), secret: z.string() }))
    .errors(refusing(settingsRefusals)),
  finishTwoFactor: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/finish',
      summary: 'Switch two-factor on with a first code; answers the recovery codes, once',
    })
    .input(z.strictObject({ code }))
    .output(z.object({ recoveryCodes: z.array(z.string()) }))
    .errors(refusing(settingsRefusals)),
  renewRecoveryCodes: call
    .route({
      method: 'POST',
      path: '/settings/two-factor/recovery-codes',
      summary: 'New recovery codes; the old ones stop working',
    })
    .output(z.object({ recoveryCodes: z.array(z.string()) }))
    .errors(refusing(settingsRefusals)),
  stopTwoFactor: call
    .route({ method: 'POST', path: '/settings/two-factor/stop', summary: 'Switch two-factor off' })
    .output(done)
    .errors(refusing(settingsRefusals)),

  renamePasskey: call
    .route({ method: 'PATCH', path: '/settings/passkeys/{id}', summary: 'Give a passkey a name' })
    .input(z.strictObject({ id, name: line(passkeyNameLength.max, passkeyNameLength.min) }))
    .output(done),
  removePasskey: call
    .route({ method: 'DELETE', path: '/settings/passkeys/{id}', summary: 'Remove a passkey' })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(settingsRefusals)),

  listDevices: call
    .route({ method: 'GET', path: '/settings/devices', summary: 'Where I am signed in, this device first' })
    .output(z.array(device)),
  endDevice: call
    .route({ method: 'POST', path: '/settings/devices/{id}/end', summary: 'Sign one device out' })
    .input(z.strictObject({ id }))
    .output(done),
  endOtherDevices: call
    .route({ method: 'POST', path: '/settings/devices/end-others', summary: 'Sign every other device out' })
    .output(done),
  endAllDevices: call
    .route({ method: 'POST', path: '/settings/devices/end-all', summary: 'Sign out everywhere, here too' })
    .output(done),

  getProfile: call
    .route({ method: 'GET', path: '/settings/profile', summary: 'What I can change about my account' })
    .output(profile),
  changeUsername: call
    .route({
      method: 'POST',
      path: '/settings/username',
      summary: 'Change my username; the old one stays reserved for me',
    })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(done)
    .errors(refusing(accountRefusals, settingsRefusals)),
  uploadAvatar: call
    .route({
      method: 'POST',
      path: '/settings/avatar',
      summary: 'My picture: JPG or PNG under 2 MB',
      successStatus: 201,
    })
    .input(avatarUpload)
    .output(z.object({ avatar: z.string() }))
    .errors(refusing(settingsRefusals)),
  removeAvatar: call
    .route({ method: 'DELETE', path: '/settings/avatar', summary: 'Remove my picture' })
    .output(done),
  updatePreferences: call
    .route({
      method: 'PATCH',
      path: '/settings/preferences',
      summary: 'How dates and numbers are written for me, and in which time zone',
    })
    .input(z.strictObject({ locale, timeZone: timeZone.nullable() }))
    .output(done),

  requestEmailChange: call
    .route({
      method: 'POST',
      path: '/settings/email',
      summary:
        'Ask both addresses to confirm a new one; the answer is the same for an address that has an account',
    })
    .input(z.strictObject({ email: z.string().max(320) }))
    .output(done)
    .errors(refusing(accountRefusals, settingsRefusals)),
  cancelEmailChange: call
    .route({
      method: 'POST',
      path: '/settings/email/cancel',
      summary: 'Give up a change of address that is under way',
    })
    .output(done),
  readEmailChange: call
    .route({
      method: 'POST',
      path: '/email-change/read',
      summary: 'What a link for a change of address is for; uses nothing up',
    })
    .input(z.strictObject({ token }))
    .output(
      z.object({
        side: z.enum(['old', 'new']),
        maskedOld: z.string(),
        maskedNew: z.string(),
        /** This side has confirmed already. The change can still be refused. */
        confirmed: z.boolean(),
        otherConfirmed: z.boolean(),
      }),
    )
    .errors(refusing(accountRefusals)),
  confirmEmailChange: call
    .route({
      method: 'POST',
      path: '/email-change/confirm',
      summary: 'Confirm a change of address from one of the two mailboxes',
    })
    .input(z.strictObject({ token }))
    .output(z.object({ changed: z.boolean() }))
    .errors(refusing(accountRefusals)),
  refuseEmailChange: call
    .route({
      method: 'POST',
      path: '/email-change/refuse',
      summary: 'This was not me: give the change of address up',
    })
    .input(z.strictObject({ token }))
    .output(done)
    .errors(refusing(accountRefusals)),

  findMembers: call
    .route({
      method: 'GET',
      path: '/members',
      summary: 'Members whose username starts with these letters, at most 10',
    })
    .input(z.strictObject({ username: z.string().max(20) }))
    .output(z.array(z.object({ username: z.string(), avatar: z.string().nullable() }))),
  getMember: call
    .route({ method: 'GET', path: '/members/{username}', summary: 'What the club shows of a member' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(
      z.object({
        username: z.string(),
        avatar: z.string().nullable(),
        memberSince: month,
        /** Verified reviews up to the end of last month. */
        reviewsGiven: z.int(),
        reviewsReceived: z.int(),
        liveProducts: z.int(),
      }),
    ),
}
