import { ORPCError } from '@orpc/server'
import { z } from 'zod'
import { avatarUpload } from '#contract/settings.ts'
import { api, anyone, limited, member } from '#server/kit/api.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { hour, minute } from '#server/kit/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readAvatarUpload, removeAvatar, setAvatar } from './avatar.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  readEmailChange,
  refuseEmailChange,
  requestEmailChange,
} from './email-change.ts'
import { requireFresh } from './identity.ts'
import { levelled } from './level.ts'
import { limitEmailChange } from './limits.ts'
import { updatePreferences } from './profile.ts'
import { findMembers, getMember, getProfile } from './reads.ts'
import { changeUsername } from './username-change.ts'

const calls = api.settings
const ok = { ok: true as const }

/** The calls about what an account is called and how it looks. Those about signing in are the security procedures. */
export const settingsProcedures = {
  getProfile: calls.getProfile.use(member).handler(({ context: { ctx } }) => getProfile(ctx)),

  changeUsername: calls.changeUsername
    .use(limited('change-username', { hits: 20, seconds: hour }))
    .use(member)
    .handler(async ({ context: { ctx }, input }) => {
      await changeUsername(ctx, input.username)
      return ok
    }),

  uploadAvatar: calls.uploadAvatar
    .use(limited('avatar', { hits: 10, seconds: hour }))
    // The picture is made before the gate opens its transaction: seconds of work must not hold a connection.
    .use(async ({ context: { ctx }, next }, input) => {
      if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
      const upload = avatarUpload.safeParse(input)
      if (!upload.success) throw new ORPCError('BAD_REQUEST', { message: 'Input validation failed' })
      return next({ context: { pictures: await readAvatarUpload(await upload.data.file.bytes()) } })
    })
    .use(member)
    .handler(async ({ context: { ctx, pictures } }) => ({ avatar: await setAvatar(ctx, pictures) })),
  removeAvatar: calls.removeAvatar.use(member).handler(async ({ context: { ctx } }) => {
    await removeAvatar(ctx)
    return ok
  }),

  updatePreferences: calls.updatePreferences.use(member).handler(async ({ context: { ctx }, input }) => {
    await updatePreferences(ctx, input)
    return ok
  }),

  requestEmailChange: calls.requestEmailChange
    .use(async ({ context: { ctx }, next }, input: unknown) => {
      if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
      // Before it is counted: who has to prove first who they are may ask again at once.
      await requireFresh(memberOf(ctx))
      const wish = addressWish.safeParse(input)
      if (wish.success) await limitEmailChange(ctx, wish.data.email)
      return levelled(async () => next())
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

  findMembers: calls.findMembers
    .use(limited('find-members', { hits: 60, seconds: minute }))
    .use(member)
    .handler(({ context: { ctx }, input }) => findMembers(ctx, input.username)),
  getMember: calls.getMember
    .use(member)
    .handler(({ context: { ctx }, input }) => getMember(ctx, input.username)),
}

const addressWish = z.object({ email: z.string() })
