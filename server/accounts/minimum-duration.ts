import { setTimeout } from 'node:timers/promises'

/** How long an answer takes at least, in milliseconds: well beyond what the work for a known address takes. */
export const minimumDurationMs = 150

/**
 * Answers no sooner than `minimumDurationMs` after it was asked, refused or not, so that the time tells nothing about whether anybody has the
 * address. It stands before the transaction, which holds a connection for no longer than its work.
 */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const [worked] = await Promise.allSettled([work(), setTimeout(minimumDurationMs)])
  if (worked.status === 'rejected') throw worked.reason
  return worked.value
}
