import { api, anyone, limited, member } from '#server/kit/http/api.ts'
import type { CallContext } from '#server/kit/http/api.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { usernameExists } from '#server/members/usernames.ts'
import { pendingCookie, readPendingCookie, sessionCookie } from './cookies.ts'
import { endDevice, endDevices, listDevices } from './devices.ts'
import { findEmail } from './email-address.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  readEmailChange,
  refuseEmailChange,
  requestEmailChange,
} from './email-change.ts'
import { requireFresh } from './identity.ts'
import { withMinimumDuration } from './minimum-duration.ts'
import { limitEmailChange, limitResend, limitReset, limitSignUp } from './limits.ts'
import { changePassword } from './password-change.ts'
import { readReset, requestReset, resetPassword } from './reset.ts'
import { hashOfSecret } from './secrets.ts'
import { signUp, signUpDays } from './sign-up.ts'
import { reportNotMe, readVerification, resendVerification, verifyEmail } from './verification.ts'

const calls = api.accounts
const ok = { ok: true as const }

export const accountProcedures = {
  signUp: calls.signUp
    .use(async ({ context, next }, input: unknown) => {
      const email = findEmail(input)
      if (email !== undefined) await limitSignUp(context.ctx, email)
      return withMinimumDuration(async () => next())
    })
    .use(anyone)
    .handler(async ({ context: { ctx, answer, headers }, input }) => {
      const pending = await signUp(ctx, input, readPendingCookie(ctx.config, headers) ?? undefined)
      setPending(ctx, answer, pending)
      return ok
    }),

  // The browser that signs up knows what it holds itself, so a mistyped address costs nobody their username.
  usernameExists: calls.usernameExists
    .use(limited('username-exists', { hits: 30, seconds: 60 }))
    .use(anyone)
    .handler(async ({ context: { ctx, headers }, input }) => {
      const pending = readPendingCookie(ctx.config, headers)
      return {
        exists: await usernameExists(ctx, input.username, pending ? hashOfSecret(pending) : undefined),
      }
    }),

  resendVerification: calls.resendVerification
    .use(async ({ context, next }, input: unknown) => {
      const email = findEmail(input)
      if (email !== undefined) await limitResend(context.ctx, email)
      return withMinimumDuration(async () => next())
    })
    .use(anyone)
    .handler(async ({ context: { ctx }, input }) => {
      await resendVerification(ctx, input)
      return ok
    }),

  readVerification: calls.readVerification.use(anyone).handler(({ context: { ctx, headers }, input }) =>
    readVerification(ctx, {
      token: input.token,
      pending: readPendingCookie(ctx.config, headers) ?? undefined,
    }),
  ),

  verifyEmail: calls.verifyEmail.use(anyone).handler(async ({ context: { ctx, answer, headers }, input }) => {
    const cookie = await verifyEmail(ctx, {
      ...input,
      pending: readPendingCookie(ctx.config, headers) ?? undefined,
    })
    answer.headers.append('set-cookie', cookie)
    setPending(ctx, answer, null)
    return ok
  }),

  reportNotMe: calls.reportNotMe.use(anyone).handler(async ({ context: { ctx }, input }) => {
    await reportNotMe(ctx, input.token)
    return ok
  }),

  requestReset: calls.requestReset
    .use(async ({ context, next }, input: unknown) => {
      const email = findEmail(input)
      if (email !== undefined) await limitReset(context.ctx, email)
      return withMinimumDuration(async () => next())
    })
    .use(anyone)
    .handler(async ({ context: { ctx }, input }) => {
      await requestReset(ctx, input.email)
      return ok
    }),

  readReset: calls.readReset
    .use(anyone)
    .handler(({ context: { ctx }, input }) => readReset(ctx, input.token)),

  resetPassword: calls.resetPassword.use(anyone).handler(async ({ context: { ctx }, input }) => {
    await resetPassword(ctx, input)
    return ok
  }),

  changePassword: calls.changePassword
    .use(limited('change-password', { hits: 10, seconds: 3600 }))
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await changePassword(ctx, input)
      return ok
    }),

  requestEmailChange: calls.requestEmailChange
    .use(async ({ context: { ctx }, next }, input: unknown) => {
      if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
      // Before it is counted: who has to prove first who they are may ask again at once.
      await requireFresh(memberOf(ctx))
      const email = findEmail(input)
      if (email !== undefined) await limitEmailChange(ctx, email)
      return withMinimumDuration(async () => next())
    })
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await requestEmailChange(ctx, input.email)
      return ok
    }),
  cancelEmailChange: calls.cancelEmailChange.use(member).handler(async ({ context: { ctx } }) => {
    await cancelEmailChange(ctx)
    return ok
  }),
  readEmailChange: calls.readEmailChange
    .use(anyone)
    .handler(({ context: { ctx }, input }) => readEmailChange(ctx, input.token)),
  confirmEmailChange: calls.confirmEmailChange
    .use(anyone)
    .handler(({ context: { ctx }, input }) => confirmEmailChange(ctx, input.token)),
  refuseEmailChange: calls.refuseEmailChange.use(anyone).handler(async ({ context: { ctx }, input }) => {
    await refuseEmailChange(ctx, input.token)
    return ok
  }),

  listDevices: calls.listDevices.use(member).handler(({ context: { ctx } }) => listDevices(ctx)),

  endDevice: calls.endDevice.use(member).handler(async ({ context: { ctx }, input }) => {
    await endDevice(ctx, input)
    return ok
  }),

  endOtherDevices: calls.endOtherDevices.use(member).handler(async ({ context: { ctx } }) => {
    await endDevices(ctx, { but: 'this' })
    return ok
  }),

  endAllDevices: calls.endAllDevices.use(member).handler(async ({ context: { ctx, answer } }) => {
    await endDevices(ctx, { but: 'none' })
    answer.headers.append('set-cookie', sessionCookie(ctx.config, null))
    answer.headers.set('clear-site-data', '"cache", "storage"')
    return ok
  }),
}

function setPending(ctx: Ctx, answer: CallContext['answer'], value: string | null) {
  answer.headers.append('set-cookie', pendingCookie(ctx.config, value, signUpDays * 24 * 3600))
}
