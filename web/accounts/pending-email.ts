/*
 * The email address waiting for confirmation, for the verification page to show and to resend the link to. It
 * is kept until the tab closes or a user signs in.
 */
import { dropFromTab, keepInTab, readFromTab } from '#web/kit/tab-storage.ts'

const key = 'pendingEmail'
const untilKey = 'resendUntil'

export function rememberPendingEmail(email: string): void {
  keepInTab(key, email)
}

export function readPendingEmail(): string | null {
  return readFromTab(key)
}

export function deletePendingEmail(): void {
  dropFromTab(key)
  dropFromTab(untilKey)
}

/** Remembers when another link may be sent to this address, in milliseconds by the server's clock. */
export function rememberResendAt(email: string, until: number): void {
  keepInTab(untilKey, `${until} ${email}`)
}

/** When another link may be sent to this address; undefined when it may be at once. */
export function readResendAt(email: string | null): number | undefined {
  const [until = '', ...of] = (readFromTab(untilKey) ?? '').split(' ')
  return email !== null && of.join(' ') === email ? Number(until) : undefined
}
