import { z } from 'zod'
import { refuse } from '#server/kit/refusal.ts'

const address = z.email()
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling under which an email address is kept: NFKC, lower case, exactly one recipient, an ASCII local part. Refuses
 * INVALID_EMAIL. It says nothing about whether anybody has the address.
 */
export function readEmail(text: string): string {
  const email = text.normalize('NFKC').trim().toLowerCase()
  const [localPart = '', domain = ''] = email.split('@')
  const fits =
    email.length <= 254 && localPart.length <= 64 && domain.split('.').every((part) => label.test(part))
  if (!fits || !address.safeParse(email).success) throw refuse('INVALID_EMAIL', { field: 'email' })
  return email
}
