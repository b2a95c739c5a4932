import { useQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { useServerNow } from '#web/kit/time.ts'
import { waitOf } from './cooldown-wait.ts'
import { useServerClock } from './server-clock.ts'

/** Until when I get no offers, in milliseconds, and whether by a rest; null when I do or it is not known. */
export function useOwnWait(): { isRest: boolean; until: number } | null {
  const query = useQuery(api.matching.findCooldown.queryOptions())
  useServerClock(query)
  const now = useServerNow()
  if (!query.data) return null
  const { isRest, until } = waitOf(query.data, now)
  return until > now ? { isRest, until } : null
}
