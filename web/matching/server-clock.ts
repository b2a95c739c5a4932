import { useLayoutEffect } from 'react'
import { noteServerTime } from '#web/kit/time.ts'

type TimedAnswer = { data?: { serverTime: string } | null; dataUpdatedAt: number }

/** Sets the page's clock by the server's time in an answer, however long ago the answer came. */
export function useServerClock({ data, dataUpdatedAt }: TimedAnswer): void {
  const serverTime = data?.serverTime
  // The clock of the page lives outside React; it is set before the countdowns below are painted.
  useLayoutEffect(() => {
    if (serverTime) noteServerTime(Date.parse(serverTime) + Date.now() - dataUpdatedAt)
  }, [serverTime, dataUpdatedAt])
}
