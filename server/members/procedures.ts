import { ORPCError } from '@orpc/server'
import { avatarUpload } from '#contract/members.ts'
import { api, limited, member } from '#server/kit/http/api.ts'
import { hour, minute } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readAvatarUpload, removeAvatar, setAvatar } from './avatar.ts'
import { updatePreferences, updateProfile } from './profile.ts'
import { findMembers, getMe, getMember, getProfile } from './reads.ts'
import { changeUsername } from './username-change.ts'
import { setUsername } from './usernames.ts'

const calls = api.members
const ok = { ok: true as const }

export const memberProcedures = {
  getMe: calls.getMe.use(member).handler(({ context: { ctx } }) => getMe(ctx)),

  setUsername: calls.setUsername.use(member).handler(async ({ context: { ctx }, input }) => {
    await setUsername(ctx, input.username)
    return ok
  }),

  updateProfile: calls.updateProfile.use(member).handler(async ({ context: { ctx }, input }) => {
    await updateProfile(ctx, input)
    return ok
  }),

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

  findMembers: calls.findMembers
    .use(limited('find-members', { hits: 60, seconds: minute }))
    .use(member)
    .handler(({ context: { ctx }, input }) => findMembers(ctx, input.username)),
  getMember: calls.getMember
    .use(member)
    .handler(({ context: { ctx }, input }) => getMember(ctx, input.username)),
}
