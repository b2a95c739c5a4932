import { randomInt } from 'node:crypto'
import { isFree } from './settings.ts'

/**
 * A free port of 127.0.0.1. It is not reserved, so it comes from a range that the system does not assign by
 * itself: no other program takes it by chance before the caller opens it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port, '127.0.0.1')) return port
  }
}
