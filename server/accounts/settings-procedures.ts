import { api, anyone, member } from '#server/kit/http/api.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { sessionCookie } from './cookies.ts'
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
import { limitEmailChange } from './limits.ts'

const calls = api.settings
const ok = { ok: true as const }

export const accountSettingsProcedures = {
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
