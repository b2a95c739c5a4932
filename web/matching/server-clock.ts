import { useLayoutEffect } from 'react'
import { noteServerTime } from '#web/kit/time.ts'

type TimedAnswer = { data?: { serverTime: string } | null; dataUpdatedAt: number }

/** Sets the page's clock by the server's time in an answer, corrected by the age of the answer. */
export function useServerClock({ data, dataUpdatedAt }: TimedAnswer): void {
  const serverTime = data?.serverTime
  // The page's clock is outside React, and must be set before the countdowns are painted.
  useLayoutEffect(() => {
    if (serverTime) noteServerTime(Date.parse(serverTime) + Date.now() - dataUpdatedAt)
  }, [serverTime, dataUpdatedAt])
}
