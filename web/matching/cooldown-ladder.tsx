import { cooldownLadder } from '#contract/matching.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { formatMinutes, ordinal } from './offer-labels.ts'

/**
 * The cooldowns of a day as rising steps, with the member's next step marked. `declines` counts no free ones.
 */
export function CooldownLadder({ declines }: { declines: number }) {
  const last = cooldownLadder.length - 1
  return (
    <ol className="grid grid-cols-1 gap-2 sm:grid-cols-4 sm:items-end sm:gap-3">
      {cooldownLadder.map((minutes, index) => {
        const taken = declines > index
        const isNext = Math.min(declines, last) === index
        return (
          <li
            key={minutes}
            aria-current={isNext ? 'step' : undefined}
            className={cx(
              'flex flex-col justify-between gap-1 rounded-10 border px-4 py-3',
              heights[index],
              isNext
                ? 'border-accent bg-accent-soft'
                : taken
                  ? 'border-warning-line bg-warning-soft'
                  : 'border-line bg-sunken',
            )}
          >
            <span className="text-12 font-medium text-ink-2">
              {ordinal(index + 1)} {index === last ? 'and beyond' : 'decline'}
            </span>
            <span>
              <span className="block text-16 font-semibold text-ink">
                {minutes === 0 ? 'Free' : formatMinutes(minutes)}
              </span>
              <span className="block text-12 text-ink-2">
                {isNext
                  ? 'Your next decline'
                  : taken
                    ? 'Used today'
                    : minutes === 0
                      ? 'No cooldown'
                      : 'Cooldown'}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const heights = ['sm:h-24', 'sm:h-30', 'sm:h-36', 'sm:h-42']
