import { formatDateTime, hoursAndMinutes, useServerNow } from '#web/kit/time.ts'
import { cx } from '#web/kit/ui/cx.ts'

const soonMs = 12 * 3_600_000

/** The time left until our staff has to decide, running, with the moment beside it. */
export function CaseClock({ dueAt }: { dueAt: string }) {
  const now = useServerNow()
  const left = Date.parse(dueAt) - now
  return (
    <span className="inline-flex flex-col text-13">
      <span
        role="timer"
        aria-live="off"
        className={cx(
          'tabular font-medium',
          left <= 0 ? 'text-danger-ink' : left < soonMs ? 'text-warning-ink' : 'text-ink',
        )}
      >
        {left <= 0 ? `Overdue by ${hoursAndMinutes(-left)}` : `${hoursAndMinutes(left)} left`}
      </span>
      <time dateTime={dueAt} className="text-12 text-ink-3">
        {formatDateTime(dueAt)}
      </time>
    </span>
  )
}
