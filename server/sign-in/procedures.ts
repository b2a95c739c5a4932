import { readChallenge } from '#server/accounts/cookies.ts'
import { limitConfirmation, limitFirstPassword } from '#server/accounts/limits.ts'
import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { confirmIdentity } from './confirmation.ts'
import { removePasskey, renamePasskey } from './passkeys.ts'
import { findProvider } from './provider-discovery.ts'
import { getSecurity } from './reads.ts'
import { setFirstPassword, unlinkProvider } from './sign-in-methods.ts'
import { finishTwoFactor, renewRecoveryCodes, startTwoFactor, stopTwoFactor } from './two-factor.ts'

const calls = api.signIn
const hourly = { hits: 30, seconds: hour }

export const signInProcedures: Procedures<'signIn'> = {
  getSignInOptions: calls.getSignInOptions.by(async (ctx, _input, { headers }) => ({
    provider: await findProvider(ctx),
    needsCode: ctx.who.id === null && readChallenge(ctx.config, headers) !== null,
  })),
  getSecurity: calls.getSecurity.by((ctx) => getSecurity(ctx)),
  confirmIdentity: calls.confirmIdentity
    .after(({ ctx }) => limitConfirmation(ctx))
    .by((ctx, input) => confirmIdentity(ctx, input)),

  unlinkProvider: calls.unlinkProvider.by((ctx) => unlinkProvider(ctx)),
  setFirstPassword: calls.setFirstPassword
    .after(({ ctx }) => limitFirstPassword(ctx))
    .by((ctx) => setFirstPassword(ctx)),

  startTwoFactor: calls.startTwoFactor
    .after(limited('start-two-factor', hourly))
    .by((ctx) => startTwoFactor(ctx)),
  finishTwoFactor: calls.finishTwoFactor
    .after(limited('finish-two-factor', hourly))
    .by((ctx, input) => finishTwoFactor(ctx, input)),
  renewRecoveryCodes: calls.renewRecoveryCodes
    .after(limited('renew-recovery-codes', hourly))
    .by((ctx) => renewRecoveryCodes(ctx)),
  stopTwoFactor: calls.stopTwoFactor.by((ctx) => stopTwoFactor(ctx)),

  renamePasskey: calls.renamePasskey.by((ctx, input) => renamePasskey(ctx, input)),
  removePasskey: calls.removePasskey.by((ctx, input) => removePasskey(ctx, input)),
}
