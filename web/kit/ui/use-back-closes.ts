import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** The windows that are open, the topmost last. */
const windows: symbol[] = []

/**
 * While a window is open, the browser's Back closes it instead of leaving the page, as people expect on a
 * phone; with several open, the topmost. `close` may decide to stay open, or to ask first. It returns false
 * to let Back go on. Other ways to another page, such as the end of a session, go on too.
 */
export function useBackCloses(isOpen: boolean, close: () => boolean): void {
  // Null in a component test without pages.
  const history = useRouter({ warn: false })?.history ?? null
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen || !history) return
    const me = Symbol('window')
    windows.push(me)
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) =>
        action !== 'PUSH' && action !== 'REPLACE' && windows.at(-1) === me && onBack(),
    })
    return () => {
      unblock()
      windows.splice(windows.indexOf(me), 1)
    }
  }, [isOpen, history])
}
