import type { Ctx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { api, limited } from '#server/kit/http/api.ts'
import type { CallContext, Check, Procedures } from '#server/kit/http/api.ts'
import { hour, minute } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isUsernameTaken } from '#server/members/usernames.ts'
import { askForAddress, confirmAddress } from './bounced-address.ts'
import { hintCookie, pendingCookie, readPendingCookie, sessionCookie } from './cookies.ts'
import { endDevice, endDevices, listDevices } from './devices.ts'
import { findEmail } from './email-address.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  readEmailChange,
  refuseEmailChange,
  requestEmailChange,
} from './changes/email-change.ts'
import { requireFresh } from './identity.ts'
import { knowDevice } from './known-devices.ts'
import { limitAddressConfirmation, limitEmailChange, limitResend, limitReset, limitSignUp } from './limits.ts'
import { withMinimumDuration } from './minimum-duration.ts'
import { changePassword } from './changes/password-change.ts'
import { readReset, requestReset, resetPassword } from './reset.ts'
import { hashOfSecret } from './secrets.ts'
import { signUp, signUpDays } from './sign-up.ts'
import { reportNotMe, readVerification, resendVerification, verifyEmail } from './verification.ts'

const calls = api.accounts

export const accountProcedures: Procedures<'accounts'> = {
  signUp: calls.signUp
    .after(limitedByEmail(limitSignUp))
    .within(withMinimumDuration)
    .by(async (ctx, input, { answer, headers }) => {
      const pending = await signUp(ctx, input, pendingOf(ctx, headers))
      setPending(ctx, answer, pending)
    }),

  // A browser's own pending sign-up does not count, so it can repeat it after a mistyped address.
  isUsernameTaken: calls.isUsernameTaken
    .after(limited('username-exists', { hits: 30, seconds: minute }))
    .by(async (ctx, { username }, { headers }) => {
      const pending = pendingOf(ctx, headers)
      return { exists: await isUsernameTaken(ctx, username, pending ? hashOfSecret(pending) : undefined) }
    }),

  resendVerification: calls.resendVerification
    .after(limitedByEmail(limitResend))
    .within(withMinimumDuration)
    .by((ctx, input) => resendVerification(ctx, input)),
  readVerification: calls.readVerification.by((ctx, { token }, { headers }) =>
    readVerification(ctx, { token, pending: pendingOf(ctx, headers) }),
  ),
  verifyEmail: calls.verifyEmail.by(async (ctx, input, { answer, headers }) => {
    const { cookie, memberId } = await verifyEmail(ctx, { ...input, pending: pendingOf(ctx, headers) })
    answer.headers.append('set-cookie', cookie)
    answer.headers.append('set-cookie', knowDevice(ctx.config, headers, memberId))
    answer.headers.append('set-cookie', hintCookie(ctx.config, true))
    setPending(ctx, answer, null)
  }),
  reportNotMe: calls.reportNotMe.by((ctx, { token }) => reportNotMe(ctx, token)),

  requestReset: calls.requestReset
    .after(limitedByEmail(limitReset))
    .within(withMinimumDuration)
    .by((ctx, { email }) => requestReset(ctx, email)),
  readReset: calls.readReset.by((ctx, { token }) => readReset(ctx, token)),
  // The reader of the mailbox owns the account: others' guesses do not delay their first sign-in.
  resetPassword: calls.resetPassword.by(async (ctx, input, { answer, headers }) => {
    const memberId = await resetPassword(ctx, input)
    answer.headers.append('set-cookie', knowDevice(ctx.config, headers, memberId))
  }),
  changePassword: calls.changePassword
    .after(limited('change-password', { hits: 10, seconds: hour }))
    .by((ctx, input) => changePassword(ctx, input)),

  requestEmailChange: calls.requestEmailChange
    .after(limitFreshEmailChange)
    .within(withMinimumDuration)
    .by((ctx, { email }) => requestEmailChange(ctx, email)),
  cancelEmailChange: calls.cancelEmailChange.by((ctx) => cancelEmailChange(ctx)),
  readEmailChange: calls.readEmailChange.by((ctx, { token }) => readEmailChange(ctx, token)),
  confirmEmailChange: calls.confirmEmailChange.by((ctx, { token }) => confirmEmailChange(ctx, token)),
  refuseEmailChange: calls.refuseEmailChange.by((ctx, { token }) => refuseEmailChange(ctx, token)),

  askForAddress: calls.askForAddress
    .after(({ ctx }) => limitAddressConfirmation(ctx))
    .by((ctx) => askForAddress(ctx)),
  confirmAddress: calls.confirmAddress.by((ctx, input) => confirmAddress(ctx, input)),

  listDevices: calls.listDevices.by((ctx) => listDevices(ctx)),
  endDevice: calls.endDevice.by((ctx, input) => endDevice(ctx, input)),
  endOtherDevices: calls.endOtherDevices.by((ctx) => endDevices(ctx, { but: 'this' })),
  endAllDevices: calls.endAllDevices.by(async (ctx, _input, { answer }) => {
    await endDevices(ctx, { but: 'none' })
    answer.headers.append('set-cookie', sessionCookie(ctx.config, null))
    answer.headers.append('set-cookie', hintCookie(ctx.config, false))
    answer.headers.set('clear-site-data', '"cache", "storage"')
  }),
}

/** Limits calls by the address in the input. The schema later refuses an input without an address. */
function limitedByEmail(limit: (ctx: Ctx, email: string) => Promise<void>): Check {
  return async ({ ctx }, input) => {
    const email = findEmail(input)
    if (email !== undefined) await limit(ctx, email)
  }
}

/**
 * A request refused as NOT_FRESH does not count, because the client sends it again after the confirmation.
 */
async function limitFreshEmailChange({ ctx }: CallContext, input: unknown) {
  if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
  await requireFresh(memberOf(ctx))
  const email = findEmail(input)
  if (email !== undefined) await limitEmailChange(ctx, email)
}

function pendingOf(ctx: Ctx, headers: Headers) {
  return readPendingCookie(ctx.config, headers) ?? undefined
}

function setPending(ctx: Ctx, answer: CallContext['answer'], value: string | null) {
  answer.headers.append('set-cookie', pendingCookie(ctx.config, value, signUpDays * 24 * 3600))
}
