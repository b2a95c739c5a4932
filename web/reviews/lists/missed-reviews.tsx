import { useQuery } from '@tanstack/react-query'
import { count } from '#contract/format.ts'
import { strikes } from '#contract/matching-rules.ts'
import { api } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'

/** How many missed reviews of mine count, and when the next one stops to. Nothing while there is none. */
export function MissedReviews() {
  const { data } = useQuery(api.reviews.getMissedReviews.queryOptions())
  if (!data?.until) return null
  return (
    <Alert
      tone="warning"
      title={`${count(data.count, 'missed review')} ${data.count === 1 ? 'counts' : 'count'}`}
    >
      {strikes.limit} in {strikes.days} days suspend an account, and a report without any basis counts like
      one. {data.count === 1 ? 'It' : 'The oldest'} stops counting on {formatDate(data.until)}.
    </Alert>
  )
}
