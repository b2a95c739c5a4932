import { queuePlaces } from '#contract/matching.ts'
import { formatNumber } from '#web/kit/time.ts'

/** Where a request is in the queue: “number 3”, or “behind 1,000 others” where places aren’t counted. */
export function queuePlace(position: number): string {
  return position > queuePlaces
    ? `behind ${formatNumber(queuePlaces)} others`
    : `number ${formatNumber(position)}`
}
