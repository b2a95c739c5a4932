import { randomInt } from 'node:crypto'
import { isFree } from './settings.ts'

/**
 * A port of 127.0.0.1 that nobody listens on. Nothing keeps it, so it is one of those that no system hands out by itself: until it is
 * opened, it falls to nobody by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port, '127.0.0.1')) return port
  }
}
