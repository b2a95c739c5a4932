import { RotateCw, Unplug } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { focusPage } from '#web/kit/focus-page.ts'
import { referenceOf } from '#web/kit/refusal-messages.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

type ErrorStateProps = {
  /** What failed, for example 'Your products could not be loaded'. */
  title: ReactNode
  /** What it means: by default that nothing was lost. */
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  /** Another action beside Try again. */
  action?: ReactNode
  /** Why it failed, null where nothing did: people read the number that our log has for it. */
  error: unknown
  level?: 1 | 2 | 3
  className?: string
}

/**
 * Replaces content that could not be loaded: what failed, that nothing was lost, and Try again. When it goes
 * with the focus in it, the focus moves to the page.
 */
export function ErrorState({
  title,
  children = 'Nothing was lost. Check your connection, or try again in a minute.',
  onRetry,
  retrying = false,
  action,
  error,
  level = 2,
  className,
}: ErrorStateProps) {
  const reference = referenceOf(error)
  const Heading = `h${level}` as const
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = place.current
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(focusPage)
    }
  }, [])
  return (
    <div
      ref={place}
      role="alert"
      className={cx('flex flex-col items-center px-6 py-12 text-center', className)}
    >
      <span
        aria-hidden="true"
        className={
          'mb-4 flex size-11 items-center justify-center rounded-12 border border-danger-line ' +
          'bg-danger-soft text-danger-ink'
        }
      >
        <Unplug size={20} />
      </span>
      <Heading className="text-16 font-semibold text-ink">{title}</Heading>
      <p className="mt-1 max-w-[44ch] text-14 text-balance text-ink-2">{children}</p>
      {onRetry || action ? (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {onRetry ? (
            <Button icon={<RotateCw />} busy={retrying} onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          {action}
        </div>
      ) : null}
      {reference ? (
        <p className="mt-4 text-12 text-ink-3">
          If it happens again, send us this number: <code className="font-mono">{reference}</code>
        </p>
      ) : null}
    </div>
  )
}
