import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useId, useState } from 'react'
import { useControl, useField } from '../form-context.ts'
import { cx } from './cx.ts'

const points = 'M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.05 1.1-6.5-4.7-4.6 6.5-.95z'
const five = [1, 2, 3, 4, 5] as const

/** A rating from 0 to 5 as stars, to the tenth. `null` is shown as a dash: there are no ratings yet. */
export function StarRating({
  value,
  count,
  size = 16,
  showValue = true,
}: {
  value: number | null
  /** The number of ratings. */
  count?: number
  size?: number
  showValue?: boolean
}) {
  const id = useId()
  if (value === null) {
    return (
      <span className="text-13 text-ink-3">
        <span aria-hidden="true">–</span>
        <span className="sr-only">No rating yet</span>
      </span>
    )
  }
  const countText = count === undefined ? '' : `, ${count} ${count === 1 ? 'review' : 'reviews'}`
  const text = `${value.toFixed(1)} out of 5 stars${countText}`
  return (
    <span className="inline-flex items-center gap-1.5 text-13">
      <span className="sr-only">{text}</span>
      <span aria-hidden="true" className="inline-flex gap-0.5">
        {five.map((star) => {
          const filled = Math.min(1, Math.max(0, value - star + 1))
          return (
            <svg key={star} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
              <clipPath id={`${id}-${star}`}>
                <rect width={24 * filled} height="24" />
              </clipPath>
              <path
                d={points}
                className="fill-pressed stroke-star-empty"
                strokeWidth="1.2"
                strokeLinejoin="round"
              />
              <path
                d={points}
                clipPath={`url(#${id}-${star})`}
                className="fill-star stroke-star"
                strokeWidth="1.2"
                strokeLinejoin="round"
              />
            </svg>
          )
        })}
      </span>
      {showValue ? (
        <span aria-hidden="true" className="tabular font-medium text-ink">
          {value.toFixed(1)}
          {count === undefined ? null : <span className="font-normal text-ink-3"> ({count})</span>}
        </span>
      ) : null}
    </span>
  )
}

type StarRatingInputProps = {
  value?: number | null
  defaultValue?: number | null
  onValueChange?: (value: number) => void
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
  disabled?: boolean
}

/** One to five stars, chosen by pointer, arrow keys or Space; null before a choice. */
export function StarRatingInput({
  value,
  defaultValue,
  onValueChange,
  label,
  disabled = false,
}: StarRatingInputProps) {
  const field = useField()
  const [hovered, setHovered] = useState<number | null>(null)
  const [chosen, setChosen] = useControl<number | null>(
    { value, defaultValue, onValueChange: (next) => next !== null && onValueChange?.(next) },
    null,
  )
  const shown = hovered ?? chosen ?? 0
  return (
    <div className="flex items-center gap-3">
      <RadioGroup
        value={chosen}
        onValueChange={setChosen}
        disabled={disabled}
        aria-label={label}
        aria-labelledby={label ? undefined : field?.labelId}
        aria-describedby={field?.describedBy}
        aria-invalid={field?.invalid || undefined}
        onPointerLeave={() => setHovered(null)}
        className="-ml-1 inline-flex"
      >
        {five.map((star) => (
          <Radio.Root
            key={star}
            value={star}
            aria-label={`${star} ${star === 1 ? 'star' : 'stars'}`}
            onPointerEnter={(event) => event.pointerType === 'mouse' && setHovered(star)}
            className={
              'flex size-9 items-center justify-center rounded-6 not-data-disabled:cursor-pointer ' +
              'focus-visible:outline-offset-[-2px] pointer-coarse:size-11'
            }
          >
            <svg width="26" height="26" viewBox="0 0 24 24" aria-hidden="true">
              <path
                d={points}
                strokeWidth="1.2"
                strokeLinejoin="round"
                className={cx(
                  'transition-colors',
                  star <= shown ? 'fill-star stroke-star' : 'fill-transparent stroke-star-empty',
                )}
              />
            </svg>
          </Radio.Root>
        ))}
      </RadioGroup>
      <span aria-hidden="true" className="text-13 text-ink-2">
        {shown > 0 ? meanings[shown - 1] : 'Not rated yet'}
      </span>
    </div>
  )
}

const meanings = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent']
