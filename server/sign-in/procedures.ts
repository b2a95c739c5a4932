import { readChallenge } from '#server/accounts/cookies.ts'
import { limitConfirmation, limitFirstPassword } from '#server/accounts/limits.ts'
import { api, anyone, limited, member } from '#server/kit/http/api.ts'
import { confirmIdentity } from './confirmation.ts'
import { removePasskey, renamePasskey } from './passkeys.ts'
import { findProvider } from './provider-discovery.ts'
import { getSecurity } from './reads.ts'
import { finishTwoFactor, renewRecoveryCodes, startTwoFactor, stopTwoFactor } from './two-factor.ts'
import { setFirstPassword, unlinkProvider } from './sign-in-methods.ts'

const calls = api.signIn
const ok = { ok: true as const }
const hourly = { hits: 30, seconds: 3600 }

export const signInProcedures = {
  getSignInOptions: calls.getSignInOptions.use(anyone).handler(async ({ context: { ctx, headers } }) => ({
    provider: await findProvider(ctx),
    needsCode: ctx.who.id === null && readChallenge(ctx.config, headers) !== null,
  })),

  getSecurity: calls.getSecurity.use(member).handler(({ context: { ctx } }) => getSecurity(ctx)),

  confirmIdentity: calls.confirmIdentity
    .use(async ({ context, next }) => {
      await limitConfirmation(context.ctx)
      return next()
    })
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await confirmIdentity(ctx, input)
      return ok
    }),

  unlinkProvider: calls.unlinkProvider.use(member).handler(async ({ context: { ctx } }) => {
    await unlinkProvider(ctx)
    return ok
  }),

  setFirstPassword: calls.setFirstPassword
    .use(async ({ context, next }) => {
      await limitFirstPassword(context.ctx)
      return next()
    })
    .use(member)
    .handler(async ({ context: { ctx } }) => {
      await setFirstPassword(ctx)
      return ok
    }),

  startTwoFactor: calls.startTwoFactor
    .use(limited('start-two-factor', hourly))
    .use(member)
    .handler(({ context: { ctx } }) => startTwoFactor(ctx)),

  finishTwoFactor: calls.finishTwoFactor
    .use(limited('finish-two-factor', hourly))
    .use(member)
    .handler(({ context: { ctx }, input }) => finishTwoFactor(ctx, input)),

  renewRecoveryCodes: calls.renewRecoveryCodes
    .use(limited('renew-recovery-codes', hourly))
    .use(member)
    .handler(({ context: { ctx } }) => renewRecoveryCodes(ctx)),

  stopTwoFactor: calls.stopTwoFactor.use(member).handler(async ({ context: { ctx } }) => {
    await stopTwoFactor(ctx)
    return ok
  }),

  renamePasskey: calls.renamePasskey.use(member).handler(async ({ context: { ctx }, input }) => {
    await renamePasskey(ctx, input)
    return ok
  }),

  removePasskey: calls.removePasskey.use(member).handler(async ({ context: { ctx }, input }) => {
    await removePasskey(ctx, input)
    return ok
  }),
}
