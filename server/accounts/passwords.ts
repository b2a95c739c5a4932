// Passwords: which are accepted, and how they are kept. At most four are hashed at once in a process; a few more wait, the rest are
// sent away, so that a flood of sign-ins leaves the other calls their processor.
import { hash, verify } from '@node-rs/argon2'
import { passwordLength } from '#contract/accounts.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * Refuses a password that may not be chosen: PASSWORD_TOO_SHORT, _TOO_LONG, _TOO_COMMON or PASSWORD_IS_YOU. Characters are counted
 * as people count them, in code points; any Unicode is allowed, NUL and broken surrogates are not. `field` is where it was typed.
 */
export function checkPassword(
  password: string,
  owner: { email: string; username: string | null },
  field = 'password',
) {
  const length = [...password].length
  if (length < passwordLength.min) throw refuse('PASSWORD_TOO_SHORT', { field })
  if (length > passwordLength.max) throw refuse('PASSWORD_TOO_LONG', { field })
  if (password.includes('\0') || !password.isWellFormed()) {
    throw refuse('PASSWORD_TOO_COMMON', { field, reason: 'A password cannot contain this character.' })
  }
  const lower = password.toLowerCase()
  const [localPart] = owner.email.split('@')
  if (lower === owner.email || lower === localPart || lower === owner.username) {
    throw refuse('PASSWORD_IS_YOU', { field })
  }
  if (isCommonPassword(password)) throw refuse('PASSWORD_TOO_COMMON', { field })
}

// argon2id is the package's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The argon2id hash to store. Composed and decomposed spellings are one password. */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password.normalize('NFC'), cost))
}

/** Whether this is the password of that hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return bounded(() => verify(stored, password.normalize('NFC')))
}

const atOnce = 4
const mayWait = 16
let running = 0
const waiting: (() => void)[] = []

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running += 1
  else if (waiting.length < mayWait) await new Promise<void>((resolve) => waiting.push(resolve))
  else throw refuse('UNAVAILABLE', undefined, 1)
  try {
    return await work()
  } finally {
    // The place goes to whoever waits longest, without ever being free for somebody else.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
