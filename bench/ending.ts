// What a part has started, so that all of it is stopped when the part ends and when the bench is told to end in the middle of one.
const stops: (() => Promise<unknown>)[] = []
let ending = false

/** Runs `work` and then `stop`. Told to end in between, the bench calls `stop` at once, so it may be called twice. */
export async function thenStop<Result>(
  stop: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (ending) {
    await stop()
    throw new Error('The bench was told to end.')
  }
  stops.push(stop)
  try {
    return await work()
  } finally {
    await stop()
    stops.splice(stops.indexOf(stop), 1)
  }
}

/** Stops whatever runs, the newest first, though some of it may fail to stop. */
export async function stopAll(): Promise<void> {
  ending = true
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => console.error(error))
  }
}
