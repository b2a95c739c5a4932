/*
 * The one-time secret of an email link. It arrives in the address's fragment, which no server or log sees,
 * and is kept only in memory. The tab's storage records only that a link was followed.
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

/** How many links were followed in this tab. Without their secrets, two links have the same address. */
export function countLinks(): number {
  return followed
}

/** The secret of the link that led here, if any. */
export function readLinkSecret(): string | null {
  return secret
}

/** Whether a link was followed in this tab and a reload has since cleared its secret. */
export function isLinkLost(): boolean {
  return secret === null && readFromTab(followedKey) !== null
}

/** Call it once the secret was used or refused. */
export function deleteLinkSecret(): void {
  secret = null
  dropFromTab(followedKey)
}
