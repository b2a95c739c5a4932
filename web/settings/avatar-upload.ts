import { avatarBytesLimit, memberRefusals } from '#contract/members.ts'
import { clientWithProgress } from '#web/client-with-progress.ts'

/** Sends my picture and tells how far it is, from 0 to 1. The same call as `client.members.uploadAvatar`. */
export function uploadAvatar(file: File, onProgress: (share: number) => void) {
  return clientWithProgress(onProgress).members.uploadAvatar({ file })
}

/** Whether a file may become a picture: true, or the sentence that says why not. */
export function canBeAvatar(file: File): true | string {
  if (!avatarKinds.includes(file.type)) return memberRefusals.UNSUPPORTED_AVATAR.message
  return file.size < avatarBytesLimit ? true : memberRefusals.AVATAR_TOO_LARGE.message
}

export const avatarKinds = ['image/jpeg', 'image/png']
