import type { FormFailure } from '../form-failure.ts'
import { clock, formatTime, useServerNow } from '../time.ts'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'

/** Why something failed. After too many attempts it counts down to the next. */
export function FailureText({ failure: { message, until } }: { failure: FormFailure }) {
  return until === undefined ? message : <WaitText until={until} />
}

function WaitText({ until }: { until: number }) {
  const left = until - useServerNow()
  if (left <= 0) return 'You can try again now.'
  return (
    <>
      Too many attempts. You can try again in{' '}
      <span role="timer" aria-live="off" className="tabular">
        {timeLeft(left, until)}
      </span>
      .
    </>
  )
}

/** A button that counts down to its next press. Without `until`, or after it, an ordinary one. */
export function WaitButton({ until, children, ...props }: ButtonProps & { until?: number | undefined }) {
  const left = (until ?? 0) - useServerNow(until !== undefined)
  if (until === undefined || left <= 0) return <Button {...props}>{children}</Button>
  return (
    <Button {...props} disabledReason={`You can try again at ${formatTime(until)}.`}>
      {children} <span className="tabular">({clock(left)})</span>
    </Button>
  )
}

/** '0:42', or '12:30, at 4:30 PM'. */
function timeLeft(left: number, until: number): string {
  return left < 60_000 ? clock(left) : `${clock(left)}, at ${formatTime(until)}`
}
