import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { presence } from '#contract/matching.ts'
import { api } from '#web/api.ts'

/**
 * Tells the server that the member is here, at once and then every `presence.beatSeconds`, while the tab can be seen:
 * offers are first made to members who are present. A beat that fails is made up for by the next one.
 */
export function usePresence(): void {
  const { mutate } = useMutation(api.matching.bePresent.mutationOptions())
  const beat = useEffectEvent(() => {
    if (document.visibilityState === 'visible') mutate(undefined)
  })
  // The clock and the tab's visibility are outside React.
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
