// Recovery codes: ten of them, each good once in the place of an authenticator app's.
import { randomInt } from 'node:crypto'
import { recoveryCodeCount } from '#contract/sign-in.ts'
import type { Config } from '#server/kit/config.ts'
import { seal, unseal } from './better-auth.ts'

/** As many new ones as there are at a time. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)]
  return Array.from({ length: recoveryCodeCount }, () =>
    asRecoveryCode(Array.from({ length: 10 }, letter).join('')),
  )
}

// Without those that look alike.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A recovery code as people type it, in the form in which it is kept. */
export function asRecoveryCode(text: string) {
  const typed = text.toLowerCase().replace(/[\s-]/g, '')
  return `${typed.slice(0, 5)}-${typed.slice(5)}`
}

/** As they lie in the database: in the sign-in library's own form, since it takes them too. */
export function sealCodes(config: Config, codes: string[]): Promise<string> {
  return seal(config, JSON.stringify(codes))
}

/** What `sealCodes` or the library wrote. */
export async function openCodes(config: Config, sealed: string): Promise<string[]> {
  // What was sealed here and by the library: a list of codes.
  return JSON.parse(await unseal(config, sealed)) as string[]
}
