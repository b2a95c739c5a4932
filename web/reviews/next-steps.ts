import { useQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { useServerClock } from '#web/matching/server-clock.ts'

/** What waits for the member, and how far they are in their first exchange. */
export function useNextSteps() {
  const query = useQuery(api.reviews.getNextSteps.queryOptions())
  useServerClock(query)
  return query
}

/** How many reviews wait for the member, to be written or confirmed. */
export function useReviewsToDo(): number {
  const { data } = useNextSteps()
  return data ? data.toWrite.length + data.toConfirm.length : 0
}
