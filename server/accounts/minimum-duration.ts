import { setTimeout } from 'node:timers/promises'

/** The shortest time of an answer, in milliseconds. The work for a known address takes much less. */
export const minimumDurationMs = 150

/**
 * Answers or refuses no sooner than after `minimumDurationMs`, so that the time does not reveal whether an
 * account has the address. Use it outside the transaction, so that no connection is held during the wait.
 */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const [worked] = await Promise.allSettled([work(), setTimeout(minimumDurationMs)])
  if (worked.status === 'rejected') throw worked.reason
  return worked.value
}
