import { clock, hoursAndMinutes, formatDuration, useTimeLeft } from '../time.ts'

type CountdownProps = {
  /** ISO text or milliseconds, by the server's clock. */
  to: string | number
  /** '2h 5m', '29:14' or '2 days 4 hours'. */
  as?: 'hours' | 'clock' | 'duration'
  /** Shown instead of zero when the time is up. */
  done?: string
}

/** The time left until a moment, updated each second by the server's clock. Never negative. */
export function Countdown({ to, as = 'hours', done }: CountdownProps) {
  const left = useTimeLeft(to)
  if (left <= 0 && done !== undefined) return <span className="tabular">{done}</span>
  const write = { hours: hoursAndMinutes, clock, duration: formatDuration }[as]
  return (
    <span role="timer" aria-live="off" className="tabular">
      {write(left)}
    </span>
  )
}
