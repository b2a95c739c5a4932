import { cooldownLadder, restHours, rests } from '#contract/matching-rules.ts'
import { hours } from '#contract/format.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { formatMinutes, ordinal } from './offer-labels.ts'

/**
 * The cooldowns of a day as rising steps, with the member's next step marked. `declines` counts no free ones.
 */
export function CooldownLadder({ declines }: { declines: number }) {
  const last = cooldownLadder.length - 1
  const next = Math.min(declines, last)
  return (
    <Steps
      steps={cooldownLadder.map((minutes, index) => ({
        name: `${ordinal(index + 1)} ${index === last ? 'and beyond' : 'decline'}`,
        value: minutes === 0 ? 'Free' : formatMinutes(minutes),
        note:
          index === next
            ? 'Your next decline'
            : index < declines
              ? 'Used today'
              : minutes === 0
                ? 'No cooldown'
                : 'Cooldown',
        isCurrent: index === next,
        isTaken: index < declines,
      }))}
    />
  )
}

/** The rests as rising steps, with the member's own marked: the one that runs, or the next one. */
export function RestLadder({ refusals, isResting }: { refusals: number; isResting: boolean }) {
  const nth = restLengths.map((_, index) => rests.after + index)
  const last = nth.length - 1
  const current = Math.min(Math.max(refusals - rests.after + (isResting ? 0 : 1), 0), last)
  return (
    <Steps
      steps={nth.map((count, index) => ({
        name: `${ordinal(count)} ${index === last ? 'in a row and beyond' : 'in a row'}`,
        value: hours(restHours(count)),
        note: index === current ? (isResting ? 'Your rest now' : 'Your next rest') : 'Rest',
        isCurrent: index === current,
        isTaken: index < current && refusals >= count,
      }))}
    />
  )
}

// As many as it takes to reach the longest.
const restLengths = [0, 1, 2, 3]

type Step = { name: string; value: string; note: string; isCurrent: boolean; isTaken: boolean }

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid grid-cols-1 gap-2 sm:grid-cols-4 sm:items-end sm:gap-3">
      {steps.map(({ name, value, note, isCurrent, isTaken }, index) => (
        <li
          key={name}
          aria-current={isCurrent ? 'step' : undefined}
          className={cx(
            'flex flex-col justify-between gap-1 rounded-10 border px-4 py-3',
            heights[index],
            isCurrent
              ? 'border-accent bg-accent-soft'
              : isTaken
                ? 'border-warning-line bg-warning-soft'
                : 'border-line bg-sunken',
          )}
        >
          <span className="text-12 font-medium text-ink-2">{name}</span>
          <span>
            <span className="block text-16 font-semibold text-ink">{value}</span>
            <span className="block text-12 text-ink-2">{note}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

const heights = ['sm:h-24', 'sm:h-30', 'sm:h-36', 'sm:h-42']
