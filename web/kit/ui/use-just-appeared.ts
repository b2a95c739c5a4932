import { useEffect, useState } from 'react'

/** Whether something has just appeared, so that a press at this moment was meant for what was there. */
export function useJustAppeared(appeared: boolean): boolean {
  const [settled, setSettled] = useState(false)
  // A timer is outside React.
  useEffect(() => {
    if (!appeared) return undefined
    const timer = setTimeout(() => setSettled(true), settlingMs)
    return () => {
      clearTimeout(timer)
      setSettled(false)
    }
  }, [appeared])
  return appeared && !settled
}

const settlingMs = 500
