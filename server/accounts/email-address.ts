import { z } from 'zod'
import { refuse } from '#server/kit/refusal.ts'

const address = z.email()
const withEmail = z.object({ email: z.string() })
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling under which an email address is kept: NFKC, lower case, exactly one recipient, an ASCII local part. Refuses
 * INVALID_EMAIL. It says nothing about whether anybody has the address.
 */
export function readEmail(text: string): string {
  const email = parseEmail(text)
  if (email === null) throw refuse('INVALID_EMAIL', { field: 'email' })
  return email
}

/** The same; null for a text that names no mailbox. */
export function parseEmail(text: string): string | null {
  const email = text.normalize('NFKC').trim().toLowerCase()
  const [localPart = '', domain = ''] = email.split('@')
  const fits =
    email.length <= 254 && localPart.length <= 64 && domain.split('.').every((part) => label.test(part))
  return fits && address.safeParse(email).success ? email : null
}

/** The address in an input that no schema has read yet, as limits stand before that; undefined where there is none, which the schema refuses. */
export function findEmail(input: unknown): string | undefined {
  return withEmail.safeParse(input).data?.email
}
