import { z } from 'zod'
import { call, done, id, refusing, time } from './kit.ts'
import { memberRefusals } from './members.ts'

export const passwordLength = { min: 8, max: 256 }
/** How long the link in a mail works, in minutes. */
export const secretLifetimeMinutes = 60
/** How long to wait before another mail of the same kind goes to one mailbox, in seconds. */
export const mailAgainSeconds = 60
/** How long both mailboxes have to confirm a new email address, in minutes. */
export const emailChangeMinutes = secretLifetimeMinutes
/** How long a login session counts as fresh after its owner proved their identity, in minutes. */
export const freshMinutes = 10

export const accountRefusals = {
  INVALID_EMAIL: { status: 400, message: 'Please enter a valid email address' },
  EMAIL_UNCHANGED: { status: 400, message: 'This is already your email address.' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Use at least 8 characters.' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Use at most 256 characters.' },
  PASSWORD_TOO_COMMON: { status: 400, message: 'This password is too easy to guess. Choose another one.' },
  PASSWORD_IS_YOU: { status: 400, message: 'Your password must not be your email address or username.' },
  WRONG_PASSWORD: { status: 400, message: 'This is not your current password.' },
  LINK_EXPIRED: {
    status: 400,
    title: 'Link expired or invalid',
    message: 'Your verification link has expired or been used already.',
  },
  NOT_FRESH: {
    status: 403,
    title: 'Confirm it’s you',
    message: 'Please confirm that it’s you, then try again.',
  },
}

/** An email address with its local part as bullets, as the verification page shows it. */
export function maskEmail(email: string) {
  const at = email.lastIndexOf('@')
  if (at < 1) return '••••'
  return `${'•'.repeat(Math.min(Math.max(at, 4), 12))}${email.slice(at)}`
}

/** An email address with the first and last letter of its local part, which distinguish two at one domain. */
export function maskEmailInside(email: string) {
  const at = email.lastIndexOf('@')
  if (at < 1) return '••••'
  const last = at > 3 ? email.charAt(at - 1) : ''
  return `${email.charAt(0)}••••${last}${email.slice(at)}`
}

/** An email address in asterisks except the end of its domain, as the page for a new password shows it. */
export function maskWholeEmail(email: string) {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  if (at < 1 || dot < 1) return '****'
  return `${asterisksFor(at)}@${asterisksFor(dot)}${domain.slice(dot)}`
}

const asterisksFor = (letters: number) => '*'.repeat(Math.min(Math.max(letters, 4), 12))

export const device = z.object({
  id,
  current: z.boolean(),
  /** For example 'Chrome on Windows'. */
  label: z.string(),
  kind: z.enum(['desktop', 'mobile', 'tablet']),
  /** The network only, never the whole address. */
  address: z.string().nullable(),
  signedInAt: time,
  lastSeenAt: time,
})
export type Device = z.infer<typeof device>

const email = z.string().max(320)
const password = z.string().max(2048)
const token = z.string().max(200)

export const accounts = {
  signUp: call
    .route({
      method: 'POST',
      path: '/sign-up',
      summary: 'Create an account; the answer is the same for a known address',
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
    .errors(refusing(memberRefusals, accountRefusals)),
  isUsernameTaken: call
    .route({ method: 'GET', path: '/username-exists', summary: 'Whether a username is taken' })
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(z.object({ exists: z.boolean() }))
    .errors(refusing(memberRefusals)),
  resendVerification: call
    .route({ method: 'POST', path: '/verify-email/resend', summary: 'Send the confirmation link again' })
    .input(z.strictObject({ email, returnTo: z.string().max(4096).optional() }))
    .output(done)
    .errors(refusing(accountRefusals)),
  readVerification: call
    .route({
      method: 'POST',
      path: '/verify-email/read',
      summary: 'The account that a confirmation link is for; does not use the link',
    })
    .input(z.strictObject({ token }))
    .output(z.object({ maskedEmail: z.string(), username: z.string(), sameBrowser: z.boolean() }))
    .errors(refusing(accountRefusals)),
  verifyEmail: call
    .route({ method: 'POST', path: '/verify-email', summary: 'Confirm an address and sign in' })
    .input(z.strictObject({ token, password: password.optional() }))
    .output(done)
    .errors(refusing(accountRefusals)),
  reportNotMe: call
    .route({
      method: 'POST',
      path: '/verify-email/disown',
      summary: 'Report that this was not me; deletes the unconfirmed account',
    })
    .input(z.strictObject({ token }))
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
      summary: 'The account whose password a link is for; does not use the link',
    })
    .input(z.strictObject({ token }))
    .output(z.object({ maskedEmail: z.string() }))
    .errors(refusing(accountRefusals)),
  resetPassword: call
    .route({
      method: 'POST',
      path: '/reset-password/confirm',
      summary: 'Set a new password with a link; ends every login session and opens none',
    })
    .input(z.strictObject({ token, password }))
    .output(done)
    .errors(refusing(accountRefusals)),
  changePassword: call
    .route({
      method: 'POST',
      path: '/password',
      summary: 'Change the password and, if asked, end the other login sessions',
    })
    .input(z.strictObject({ current: password, next: password, endOthers: z.boolean() }))
    .output(done)
    .errors(refusing(accountRefusals)),

  requestEmailChange: call
    .route({
      method: 'POST',
      path: '/settings/email',
      summary:
        'Ask both addresses to confirm a new one; the answer is the same for an address that has an account',
    })
    .input(z.strictObject({ email }))
    .output(done)
    .errors(refusing(accountRefusals)),
  cancelEmailChange: call
    .route({
      method: 'POST',
      path: '/settings/email/cancel',
      summary: 'Cancel a change of address',
    })
    .output(done),
  readEmailChange: call
    .route({
      method: 'POST',
      path: '/email-change/read',
      summary: 'The change that a link is for; does not use the link',
    })
    .input(z.strictObject({ token }))
    .output(
      z.object({
        side: z.enum(['old', 'new']),
        maskedOld: z.string(),
        maskedNew: z.string(),
        /** Whether this side has confirmed. The change can still be refused. */
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
      summary: 'Report that this was not me; cancels the change of address',
    })
    .input(z.strictObject({ token }))
    .output(done)
    .errors(refusing(accountRefusals)),

  askForAddress: call
    .route({
      method: 'POST',
      path: '/settings/email/confirm-again',
      summary: 'Send a link that confirms my address again, after mail to it bounced',
    })
    .output(done),
  confirmAddress: call
    .route({
      method: 'POST',
      path: '/confirm-address',
      summary: 'Confirm an address again with a link, so that it gets mail',
    })
    .input(z.strictObject({ token }))
    .output(done)
    .errors(refusing(accountRefusals)),

  listDevices: call
    .route({ method: 'GET', path: '/settings/devices', summary: 'Where I am signed in, this device first' })
    .output(z.array(device)),
  endDevice: call
    .route({ method: 'POST', path: '/settings/devices/{id}/end', summary: 'Sign out one device' })
    .input(z.strictObject({ id }))
    .output(done),
  endOtherDevices: call
    .route({ method: 'POST', path: '/settings/devices/end-others', summary: 'Sign out every other device' })
    .output(done),
  endAllDevices: call
    .route({
      method: 'POST',
      path: '/settings/devices/end-all',
      summary: 'Sign out everywhere, including here',
    })
    .output(done),
}
