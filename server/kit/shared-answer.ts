/**
 * Asks at most once in so many milliseconds: callers in between, and those that come while it is asked, share
 * one answer. A failure is shared as well.
 */
export function sharedAnswer<Answer>(
  milliseconds: number,
  ask: () => Promise<Answer>,
  clock: () => number = () => performance.now(),
): () => Promise<Answer> {
  let latest: { until: number; answer: Promise<Answer> } | undefined
  return () => {
    const now = clock()
    if (!latest || latest.until <= now) latest = { until: now + milliseconds, answer: ask() }
    return latest.answer
  }
}
