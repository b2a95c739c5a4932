// The password library in tests of the server, at its least cost. The alias in vitest.config.ts alone leads
// here, so no setting of the product can ask for it.
import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'

// By its file, because the alias would lead an import back to this one.
const argon2: typeof Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

export function hash(password: string): Promise<string> {
  return argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}

export const verify = argon2.verify
