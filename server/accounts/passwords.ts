// Which passwords we accept, and how we hash them. A process hashes on half of the machine's cores at most,
// and all processes of the machine on as many as it has. Sixteen more wait, and the rest are refused, so that
// a flood of sign-ins leaves processor time for other calls. Whom the club knows has a queue of their own,
// which goes first: strangers cannot keep members out.
import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { passwordLength } from '#contract/accounts.ts'
import { openMachineSlots } from './passwords/machine-slots.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isCommonPassword } from './passwords/common-passwords.ts'
import { hash, verify } from './passwords/hash-threads.ts'

/**
 * Refuses PASSWORD_TOO_SHORT, _TOO_LONG, _TOO_COMMON or PASSWORD_IS_YOU, at `field`. Length is counted in
 * code points. All of Unicode is allowed except NUL and broken surrogates.
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

/** The argon2id hash to store. Composed and decomposed spellings are the same password. */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password.normalize('NFC'), cost))
}

/** Whether the password matches the stored hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return bounded(() => verify(stored, password.normalize('NFC')))
}

const known = new AsyncLocalStorage<boolean>()

/**
 * Runs `action` for a browser that has signed in to this account before, or for a login session: its
 * passwords are compared before those of strangers.
 */
export function asKnown<Result>(isKnown: boolean, action: () => Promise<Result>): Promise<Result> {
  return known.run(isKnown, action)
}

const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))
const mayWait = 16
const machine = openMachineSlots('password-hashes')
/** Every fourth turn is a stranger's, so that a stranger who waits does get one. */
const turns = 4
let turn = 0
let running = 0
const members: (() => void)[] = []
const strangers: (() => void)[] = []
let refused = 0

/** How many passwords this process has refused to hash or compare, since too many waited. */
export const passwordsRefused = () => refused

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  const waiting = known.getStore() ? members : strangers
  if (running < atOnce) running += 1
  else if (waiting.length < mayWait) await new Promise<void>((resolve) => waiting.push(resolve))
  else {
    refused += 1
    throw refuse('UNAVAILABLE', undefined, 1)
  }
  try {
    return await machine.run(work)
  } finally {
    // A call that waits takes the place directly, so that no newer call can get it first.
    const next = nextInTurn()
    if (next) next()
    else running -= 1
  }
}

function nextInTurn() {
  turn = (turn + 1) % turns
  const [first, second] = turn === 0 ? [strangers, members] : [members, strangers]
  return first.shift() ?? second.shift()
}
