/*
 * The address that waits for its confirmation, so that the verification page can show it and send the link again. It
 * lives as long as the tab, and goes once somebody is signed in.
 */
import { dropFromTab, keepInTab, readFromTab } from '#web/kit/tab-storage.ts'

const key = 'pendingEmail'

export function rememberPendingEmail(email: string): void {
  keepInTab(key, email)
}

export function readPendingEmail(): string | null {
  return readFromTab(key)
}

export function deletePendingEmail(): void {
  dropFromTab(key)
}
