import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { discardFile } from '#server/kit/uploads/stored-file.ts'
import { readAvatarUpload, removeAvatar, setAvatar, storeAvatar } from './avatar.ts'
import { updatePreferences, updateProfile } from './profile.ts'
import { getMe, getMember, getProfile } from './reads.ts'
import { changeUsername } from './username-change.ts'
import { setUsername } from './usernames.ts'

const calls = api.members

export const memberProcedures: Procedures<'members'> = {
  getMe: calls.getMe.by((ctx) => getMe(ctx)),
  getProfile: calls.getProfile.by((ctx) => getProfile(ctx)),
  updateProfile: calls.updateProfile.by((ctx, input) => updateProfile(ctx, input)),
  updatePreferences: calls.updatePreferences.by((ctx, input) => updatePreferences(ctx, input)),

  setUsername: calls.setUsername.by((ctx, { username }) => setUsername(ctx, username)),
  changeUsername: calls.changeUsername
    .after(limited('change-username', { hits: 20, seconds: hour }))
    .by((ctx, { username }) => changeUsername(ctx, username)),

  uploadAvatar: calls.uploadAvatar.after(limited('avatar', { hits: 10, seconds: hour })).by({
    prepare: async (ctx, { file }) => storeAvatar(ctx, await readAvatarUpload(await file.bytes())),
    discard: discardFile,
    answer: async (ctx, _input, { prepared }) => ({ avatar: await setAvatar(ctx, prepared) }),
  }),
  removeAvatar: calls.removeAvatar.by((ctx) => removeAvatar(ctx)),

  getMember: calls.getMember.by((ctx, { username }) => getMember(ctx, username)),
}
