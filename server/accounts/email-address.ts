import { z } from 'zod'
import { refuse } from '#server/kit/refusal.ts'

const address = z.email()
const withEmail = z.object({ email: z.string() })
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalizes an email address: NFKC, lower case, exactly one recipient, an ASCII local part. Refuses
 * INVALID_EMAIL. Does not check whether an account has the address.
 */
export function readEmail(text: string): string {
  const email = parseEmail(text)
  if (email === null) throw refuse('INVALID_EMAIL', { field: 'email' })
  return email
}

/** The same, but null for an invalid address. */
export function parseEmail(text: string): string | null {
  const email = text.normalize('NFKC').trim().toLowerCase()
  const [localPart = '', domain = ''] = email.split('@')
  const fits =
    email.length <= 254 && localPart.length <= 64 && domain.split('.').every((part) => label.test(part))
  return fits && address.safeParse(email).success ? email : null
}

/** The mailbox of an address: without what follows a plus sign, and for Gmail without dots. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  const mailbox = local.replace(/(?<=.)\+.*$/, '')
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${mailbox.replaceAll('.', '')}@gmail.com`
    : `${mailbox}@${domain}`
}

/**
 * The address in an input that is not validated yet, because limits run first. Undefined without an address;
 * the schema refuses that later.
 */
export function findEmail(input: unknown): string | undefined {
  return withEmail.safeParse(input).data?.email
}
