import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'
import { avatarBytesLimit, settingsRefusals } from '#contract/settings.ts'
import { fetchWithProgress } from '#web/kit/upload.ts'

/** Sends my picture and tells how far it is, from 0 to 1. The same call as `client.settings.uploadAvatar`. */
export function uploadAvatar(file: File, onProgress: (share: number) => void) {
  const idempotencyKey = crypto.randomUUID()
  const link = new OpenAPILink(contract, {
    url: () => new URL('/api', location.origin),
    headers: () => ({ 'idempotency-key': idempotencyKey }),
    fetch: (request) => fetchWithProgress(request, onProgress),
  })
  const client: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(link)
  return client.settings.uploadAvatar({ file })
}

/** Whether a file may become a picture: true, or the sentence that says why not. */
export function canBeAvatar(file: File): true | string {
  if (!avatarKinds.includes(file.type)) return settingsRefusals.UNSUPPORTED_AVATAR.message
  return file.size < avatarBytesLimit ? true : settingsRefusals.AVATAR_TOO_LARGE.message
}

export const avatarKinds = ['image/jpeg', 'image/png']
