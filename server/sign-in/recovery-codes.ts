// Recovery codes: each works once instead of a code from the authenticator app.
import { randomInt } from 'node:crypto'
import { recoveryCodeCount } from '#contract/sign-in.ts'
import type { Config } from '#server/kit/config.ts'
import { seal, unseal } from './better-auth.ts'

/** A new set of recovery codes. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)]
  return Array.from({ length: recoveryCodeCount }, () =>
    asRecoveryCode(Array.from({ length: 10 }, letter).join('')),
  )
}

// Characters that look alike are left out.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Turns a typed recovery code into its stored format. */
export function asRecoveryCode(text: string) {
  const typed = text.toLowerCase().replace(/[\s-]/g, '')
  return `${typed.slice(0, 5)}-${typed.slice(5)}`
}

/** Encrypts codes in the sign-in library's format, because the library accepts them too. */
export function sealCodes(config: Config, codes: string[]): Promise<string> {
  return seal(config, JSON.stringify(codes))
}

/** Decrypts what `sealCodes` or the library stored. */
export async function openCodes(config: Config, sealed: string): Promise<string[]> {
  // Both store a list of codes.
  return JSON.parse(await unseal(config, sealed)) as string[]
}
