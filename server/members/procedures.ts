import { api, member } from '#server/kit/http/api.ts'
import { updateProfile } from './profile.ts'
import { getMe } from './reads.ts'
import { setUsername } from './usernames.ts'

const calls = api.accounts
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
}
