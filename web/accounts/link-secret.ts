/*
 * The one-time secret of an email link. It comes in the fragment of the address, which no server or log sees, and is
 * kept in memory only: the tab remembers no more than that a link was followed.
 */
import { dropFromTab, keepInTab, readFromTab } from '#web/kit/tab-storage.ts'

let secret: string | null = null
let followed = 0
const followedKey = 'linkFollowed'

/** Takes the secret out of a fragment such as `token=…`. */
export function keepLinkSecret(fragment: string): void {
  secret = new URLSearchParams(fragment).get('token')
  followed += 1
  if (secret !== null) keepInTab(followedKey, 'yes')
}

/** How many links were followed in this tab: tells a second one from the first, which has the same address without it. */
export function countLinks(): number {
  return followed
}

/** The secret of the link that was followed to get here, if any. */
export function readLinkSecret(): string | null {
  return secret
}

/** Whether a link was followed in this tab whose secret went with the page: it was loaded again. */
export function isLinkLost(): boolean {
  return secret === null && readFromTab(followedKey) !== null
}

/** Once it was used, or was found to be worth nothing. */
export function deleteLinkSecret(): void {
  secret = null
  dropFromTab(followedKey)
}
