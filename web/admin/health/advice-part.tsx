import { useQuery } from '@tanstack/react-query'
import { minutes, percent } from '#contract/format.ts'
import type { Advice } from '#contract/staff/rotation.ts'
import { formatDateTime, formatNumber } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { staffApi } from '../api.ts'
import { everyMs, Figures, Part } from './part.tsx'

/** Whether the club is large enough for its weekly limit, and what to set where it is not. */
export function AdvicePart() {
  const advice = useQuery({ ...staffApi.health.adviseClub.queryOptions(), refetchInterval: everyMs.rotation })
  return (
    <Part
      title="Size of the club"
      help="Each pair of members serves one review in a pair window, so a small club can’t keep every limit."
      query={advice}
    >
      {(advice) => (
        <>
          <Figures
            figures={[
              { label: 'Members who take part', value: formatNumber(advice.members) },
              { label: 'Reviews per member and week', value: formatNumber(rounded(advice.weeklyRate)) },
              {
                label: 'Pair window',
                value: advice.pairWindowDays === null ? 'No end' : `${advice.pairWindowDays} days`,
              },
              {
                label: 'Most reviews it leaves a week',
                value: advice.bound === null ? '–' : formatNumber(rounded(advice.bound)),
              },
              { label: 'Waiting for more than 7 days', value: formatNumber(advice.longWaits) },
              { label: 'Offers answered in session', value: answers(advice) },
              { label: 'Offer to a member online', value: minutes(advice.liveOfferMinutes) },
            ]}
          />
          <div className="px-5 pb-4">
            <What advice={advice} />
            <p className="mt-3 text-13 text-ink-2">
              The most is (members − 1) ÷ (2 × weeks of the window).
              {advice.refreshedAt ? ` Measured on ${formatDateTime(advice.refreshedAt)}.` : ''}
            </p>
          </div>
        </>
      )}
    </Part>
  )
}

/** Of the latest offers to members who were online, the share that was answered in the usual time. */
function answers({ answeredInSession, liveOffers }: Advice) {
  if (liveOffers === 0) return '–'
  return `${percent(answeredInSession / liveOffers)} of ${formatNumber(liveOffers)}`
}

function What({ advice }: { advice: Advice }) {
  const { state, members, bound, perWeek, perWeekPossible, largestBound, membersNeeded } = advice
  if (state === 'fine')
    return (
      <Alert title="Large enough">
        Members can reach the limit of {perWeek} reviews a week
        {bound !== null && bound < perWeek
          ? ' in a shorter window: the more they exchange, the shorter it gets.'
          : '.'}
      </Alert>
    )
  if (state === 'tight')
    return (
      <Alert tone="warning" title="The pair window holds reviews back">
        Members exchange nearly as many reviews as it leaves. The window shortens with the next measurement
        while it is above its minimum; after that, only more members help.
      </Alert>
    )
  const largest = formatNumber(rounded(largestBound))
  return (
    <Alert tone="warning" title={`Too small for ${perWeek} reviews a week`}>
      Even in the shortest window, a member can receive {largest} a week. Either{' '}
      {count(membersNeeded - members, 'more member')} take part, or the weekly limits should be{' '}
      {perWeekPossible === 0 ? 'below one' : perWeekPossible}. Until then, members wait for a free pair.
    </Alert>
  )
}

function count(number: number, noun: string) {
  return `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`
}

function rounded(value: number) {
  return Math.round(value * 100) / 100
}
