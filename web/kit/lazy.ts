/**
 * A module that is loaded when it is first needed. A load that failed is forgotten, so that the next try asks again
 * instead of failing for ever.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
