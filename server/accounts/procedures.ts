import { api, anyone, limited, member } from '#server/kit/http/api.ts'
import type { CallContext } from '#server/kit/http/api.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { usernameExists } from '#server/members/usernames.ts'
import { pendingCookie, readPendingCookie } from './cookies.ts'
import { findEmail } from './email-address.ts'
import { withMinimumDuration } from './minimum-duration.ts'
import { limitResend, limitReset, limitSignUp } from './limits.ts'
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
}

function setPending(ctx: Ctx, answer: CallContext['answer'], value: string | null) {
  answer.headers.append('set-cookie', pendingCookie(ctx.config, value, signUpDays * 24 * 3600))
}
