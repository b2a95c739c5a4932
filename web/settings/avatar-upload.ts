import { avatarBytesLimit, memberRefusals } from '#contract/members.ts'
import { clientWithProgress } from '#web/client-with-progress.ts'

/** Calls `client.members.uploadAvatar` and reports the upload's progress, from 0 to 1. */
export function uploadAvatar(file: File, onProgress: (share: number) => void) {
  return clientWithProgress(onProgress).members.uploadAvatar({ file })
}

/** True if the file can be uploaded as a picture, or else the reason why not, as a sentence. */
export function canBeAvatar(file: File): true | string {
  if (!avatarKinds.includes(file.type)) return memberRefusals.UNSUPPORTED_AVATAR.message
  return file.size < avatarBytesLimit ? true : memberRefusals.AVATAR_TOO_LARGE.message
}

export const avatarKinds = ['image/jpeg', 'image/png']
