/*
 * The email address waiting for confirmation, for the verification page to show and to resend the link to. It
 * is kept until the tab closes or a user signs in.
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
