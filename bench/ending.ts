// Everything that a part started is stopped when the part ends, and also when a signal ends the bench within
// it.
const stops: (() => Promise<unknown>)[] = []
let ending = false

/** How long a product's process may take to stop: a bench that was ended by a signal is gone in seconds. */
export function patience(): number {
  return ending ? 1000 : 35_000
}

/**
 * Runs `work` and then `stop`. A signal in between calls `stop` at once, so `stop` may be called twice.
 */
export async function thenStop<Result>(
  stop: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (ending) {
    await stop()
    throw new Error('The bench was ended by a signal.')
  }
  stops.push(stop)
  try {
    return await work()
  } finally {
    await stop()
    stops.splice(stops.indexOf(stop), 1)
  }
}

/** Stops everything that runs, the newest first. A failure to stop is printed and does not end the rest. */
export async function stopAll(): Promise<void> {
  ending = true
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => console.error(error))
  }
}
