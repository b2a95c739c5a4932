import { useSyncExternalStore } from 'react'
import { serverNow } from '#web/kit/time.ts'

/**
 * Whether a moment has passed by the server's clock. Renders again only when that changes. Null never passes.
 */
export function useHasPassed(moment: string | null): boolean {
  const hasPassed = () => moment !== null && serverNow() >= Date.parse(moment)
  return useSyncExternalStore(eachSecond, hasPassed)
}

function eachSecond(changed: () => void) {
  const timer = setInterval(changed, 1_000)
  return () => clearInterval(timer)
}
