import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { presence } from '#contract/matching-rules.ts'
import { api } from '#web/api.ts'

/**
 * Reports to the server that the member is present, at once and then every `presence.beatSeconds`, while the
 * tab is visible. Present members get offers first. A failed report is not repeated; the next one replaces
 * it.
 */
export function usePresence(): void {
  const { mutate } = useMutation(api.matching.bePresent.mutationOptions())
  const beat = useEffectEvent(() => {
    if (document.visibilityState === 'visible') mutate(undefined)
  })
  // The timer and the tab's visibility are outside React.
  useEffect(() => {
    beat()
    const timer = setInterval(() => beat(), presence.beatSeconds * 1_000)
    const onVisibility = () => beat()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])
}
