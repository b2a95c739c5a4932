import { Progress } from '@base-ui/react/progress'
import { cx } from './cx.ts'

type ProgressBarProps = {
  /** From 0 to 1; null while it is unknown. */
  value: number | null
  label: string
  valueText?: string
  tone?: 'accent' | 'warning'
  className?: string
}

/** A share as a bar, for example of an upload or a cooldown. */
export function ProgressBar({ value, label, valueText, tone = 'accent', className }: ProgressBarProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <Progress.Root
      value={percent}
      aria-label={label}
      aria-valuetext={valueText ?? (percent === null ? undefined : `${percent}%`)}
      className={className}
    >
      <Progress.Track className="h-1.5 overflow-hidden rounded-full bg-pressed">
        <Progress.Indicator
          className={cx(
            'h-full origin-left rounded-full forced-colors:bg-[Highlight]',
            tone === 'accent' ? 'bg-accent' : 'bg-warning',
            percent === null && 'w-1/3 animate-breathe',
          )}
        />
      </Progress.Track>
    </Progress.Root>
  )
}
