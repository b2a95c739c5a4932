import { useBlocker } from '@tanstack/react-router'

type BackGuard = {
  /** Whether something would be lost now. */
  isDirty: () => boolean
  /** Asks whether to discard it. */
  onBack: () => void
}

/**
 * Keeps the browser's Back from discarding what was typed in a window: it stays, and `onBack` asks. Before a
 * reload, the browser itself asks. Other ways to another page, such as the end of a session, go on.
 */
export function useBackGuard({ isDirty, onBack }: BackGuard): void {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action === 'PUSH' || action === 'REPLACE' || !isDirty()) return false
      onBack()
      return true
    },
    enableBeforeUnload: isDirty,
  })
}
