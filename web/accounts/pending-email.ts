/*
 * The address that waits for its confirmation, so that the verification page can show it and send the link again. It
 * lives as long as the tab, and goes once somebody is signed in.
 */
const key = 'pendingEmail'

export function rememberPendingEmail(email: string): void {
  sessionStorage.setItem(key, email)
}

export function readPendingEmail(): string | null {
  return sessionStorage.getItem(key)
}

export function forgetPendingEmail(): void {
  sessionStorage.removeItem(key)
}
