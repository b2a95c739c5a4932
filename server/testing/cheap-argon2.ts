// The password library at its lowest cost, for tests of the server. Only an alias in vitest.config.ts leads
// here, so no setting of the product can enable it.
import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'

// Loaded with require, because the alias would make an import load this file again.
const argon2: typeof Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

export function hash(password: string): Promise<string> {
  return argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}

export const verify = argon2.verify
