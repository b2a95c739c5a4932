/**
 * The pause in typing before a save, and the first and the longest wait after a failed save, in milliseconds.
 */
const restMs = 900
const retryMs = 4_000
const longestRetryMs = 60_000

export type SaveState =
  | { kind: 'unchanged' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** `willRetry` is false when a retry cannot succeed. */
  | { kind: 'failed'; error: unknown; willRetry: boolean }

type Autosave<T> = {
  change: (value: T) => void
  /** Saves unsaved changes at once. */
  flush: () => void
  /** Stops saving and drops unsaved changes. A later change starts it again. */
  stop: () => void
  state: () => SaveState
  /** The newest value, saved or not. Undefined before the first change and after `stop`. */
  newest: () => T | undefined
  isUnsaved: () => boolean
  onState: (changed: () => void) => () => void
}

/**
 * Saves a value to the server while it changes: one save at a time, the newest value last. A failed save is
 * retried with growing waits, unless `isFinal` says that a retry cannot succeed. The page keeps the value in
 * any case.
 * @param save resolves to the time of saving.
 */
export function createAutosave<T>(
  save: (value: T) => Promise<string>,
  isFinal: (error: unknown) => boolean,
): Autosave<T> {
  let state: SaveState = { kind: 'unchanged' }
  let unsaved: { value: T } | null = null
  let newest: T | undefined
  let inFlight = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const watchers = new Set<() => void>()

  function setState(next: SaveState) {
    state = next
    for (const watcher of watchers) watcher()
  }

  function saveAfter(milliseconds: number) {
    clearTimeout(timer)
    timer = setTimeout(() => void saveNow(), milliseconds)
  }

  async function saveNow() {
    clearTimeout(timer)
    if (inFlight || !unsaved) return
    const saving = unsaved
    inFlight = true
    setState({ kind: 'saving' })
    try {
      const at = await save(saving.value)
      failures = 0
      // A newer value may be waiting, or saving may have been stopped.
      if (unsaved === saving) {
        unsaved = null
        setState({ kind: 'saved', at })
      }
    } catch (error) {
      if (unsaved) {
        failures += 1
        const willRetry = !isFinal(error)
        setState({ kind: 'failed', error, willRetry })
        if (willRetry) saveAfter(Math.min(longestRetryMs, retryMs * 2 ** (failures - 1)))
      }
    } finally {
      inFlight = false
      if (unsaved && unsaved !== saving) saveAfter(failures > 0 ? retryMs : restMs)
    }
  }

  return {
    change: (value) => {
      unsaved = { value }
      newest = value
      if (!inFlight) {
        setState({ kind: 'waiting' })
        saveAfter(restMs)
      }
    },
    flush: () => void saveNow(),
    stop: () => {
      clearTimeout(timer)
      unsaved = null
      newest = undefined
      setState({ kind: 'unchanged' })
    },
    state: () => state,
    newest: () => newest,
    isUnsaved: () => unsaved !== null,
    onState: (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}
