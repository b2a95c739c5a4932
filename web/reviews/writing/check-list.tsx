import { Circle, CircleCheck, TriangleAlert } from 'lucide-react'
import { cx } from '#web/kit/ui/cx.ts'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { adviceFor } from './review-checks.ts'
import type { CheckState, ReviewCheck } from './review-checks.ts'

/** The checks of a text, each with its state as text and color. */
export function CheckList({
  label,
  checks,
  className,
}: {
  label: string
  checks: readonly ReviewCheck[]
  className?: string
}) {
  return (
    <ul aria-label={label} className={cx('flex flex-col gap-2 rounded-10 border border-line p-4', className)}>
      {checks.map(({ code, label, state }) => (
        <li key={code} className={cx('flex items-start gap-2.5 text-13', inks[state])}>
          <Mark state={state} />
          <span>
            {state === 'wrong' ? adviceFor(code) : label}
            <span className="sr-only">{stateLabels[state]}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Mark({ state }: { state: CheckState }) {
  const look = 'mt-0.5 shrink-0'
  switch (state) {
    case 'met':
      return <CircleCheck size={16} aria-hidden="true" className={look} />
    case 'wrong':
      return <TriangleAlert size={16} aria-hidden="true" className={look} />
    case 'asking':
      return <Spinner size={16} className={look} />
    case 'open':
      return <Circle size={16} aria-hidden="true" className={look} />
  }
}

const inks: Record<CheckState, string> = {
  met: 'text-success-ink',
  open: 'text-ink-2',
  wrong: 'font-medium text-danger-ink',
  asking: 'text-ink-2',
}

const stateLabels: Record<CheckState, string> = {
  met: ', done',
  open: ', not yet',
  wrong: '',
  asking: ', being checked',
}
