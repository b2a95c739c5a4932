// Hashes passwords at the lowest cost and without a thread, for tests of the server. Only an alias in
// vitest.config.ts leads here, so no setting of the product can enable it.
import * as argon2 from '@node-rs/argon2'

export function hash(password: string): Promise<string> {
  return argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}

export const verify = argon2.verify
