import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type StepperProps = {
  /** Names the process, for screen readers. */
  label: string
  steps: readonly { label: string; help?: ReactNode }[]
  /** Index of the current step; the number of steps when all are done. */
  current: number
  /** The current step failed, for example because of a missed deadline. */
  failed?: boolean
}

/** The five steps of writing a review. */
export const reviewSteps = [
  { label: 'Purchase' },
  { label: 'Use' },
  { label: 'Write' },
  { label: 'Post' },
  { label: 'Verified' },
] as const

/** Steps in order: done, current and ahead. On phones the other steps' names may be shortened. */
export function Stepper({ label, steps, current, failed = false }: StepperProps) {
  return (
    <ol aria-label={label} className="flex w-full">
      {steps.map((step, index) => {
        const state = index < current ? 'done' : index === current ? (failed ? 'failed' : 'current') : 'ahead'
        return (
          <li
            key={step.label}
            aria-current={index === current ? 'step' : undefined}
            className="group relative flex min-w-0 flex-1 flex-col items-center text-center"
          >
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-3 right-[calc(50%+12px)] left-[calc(-50%+12px)] ' +
                  'h-0.5 -translate-y-1/2 group-first:hidden',
                index <= current ? 'bg-accent' : 'bg-line',
              )}
            />
            <span
              aria-hidden="true"
              className={cx(
                'tabular relative flex size-6 items-center justify-center ' +
                  'rounded-full border text-12 font-semibold',
                marks[state],
              )}
            >
              {state === 'done' ? (
                <Check size={14} strokeWidth={3} />
              ) : state === 'failed' ? (
                <X size={14} strokeWidth={3} />
              ) : (
                index + 1
              )}
            </span>
            <span
              className={cx(
                'mt-2 max-w-full px-1 text-12',
                state === 'ahead' ? 'text-ink-3' : 'text-ink',
                index === current ? 'font-semibold' : 'max-sm:truncate',
              )}
            >
              {step.label}
              <span className="sr-only">{stateTexts[state]}</span>
            </span>
            {step.help ? <span className="px-1 text-12 text-ink-3 max-sm:hidden">{step.help}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}

const marks = {
  done: 'border-accent bg-accent text-on-accent',
  current: 'border-2 border-accent bg-surface text-accent-ink',
  failed: 'border-danger bg-danger text-on-danger',
  ahead: 'border-line-strong bg-surface text-ink-3',
}

const stateTexts = { done: ', done', current: ', current', failed: ', missed', ahead: '' }
