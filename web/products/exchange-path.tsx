import { Check } from 'lucide-react'
import { demoConfirmMinutes } from '#contract/demo.ts'
import type { ExchangePath } from '#contract/products.ts'
import { confirmHours } from '#contract/reviews.ts'
import { formatSoon, useServerNow } from '#web/kit/time.ts'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

type HowDrawnProps = {
  /** Null when it was not drawn: it is of the demo's past. */
  request: string | null
  className?: string
}

/** Opens the check of the draw of one's own request or offer, in a tab of its own. */
export function HowDrawn({ request, className }: HowDrawnProps) {
  if (request === null)
    return isDemo() ? (
      <p className={cx('text-13 text-ink-3', className)}>Made up for the demo, so it has no draw to check.</p>
    ) : null
  return (
    <TextLink href={paths.drawCheck(request)} external className={cx('text-13', className)}>
      How was this drawn?
    </TextLink>
  )
}

/**
 * When a submitted review is verified if its seller doesn't answer: at its deadline, or in a demo club when
 * the simulated staff do it. They leave reviews of other visitors to the deadline.
 */
export function confirmedAt(deadline: string, now: number): string {
  const sooner = Date.parse(deadline) - confirmHours * 3_600_000 + demoConfirmMinutes * 60_000
  return isDemo() && now < sooner ? new Date(sooner).toISOString() : deadline
}

/** The path of an exchange: each step with its time, and the deadline of the next one. */
export function ExchangeSteps({ path }: { path: ExchangePath }) {
  const now = useServerNow()
  const steps = [
    { label: 'Drawn', at: path.drawnAt },
    { label: 'Accepted', at: path.acceptedAt },
    { label: 'Bought', at: path.boughtAt },
    { label: 'Written', at: path.writtenAt },
    { label: 'Verified', at: path.verifiedAt },
  ]
  const next = steps.findIndex(({ at }) => at === null)
  const dueAt = path.dueAt !== null && path.writtenAt ? confirmedAt(path.dueAt, now) : path.dueAt
  return (
    <ol aria-label="Path of the exchange" className="flex flex-col text-12">
      {steps.map(({ label, at }, index) => {
        const isNext = index === next
        return (
          <li
            key={label}
            aria-current={isNext ? 'step' : undefined}
            className="group relative flex h-5.5 items-center gap-2"
          >
            <span
              aria-hidden="true"
              className={cx(
                'absolute bottom-[calc(50%+7px)] left-[6.5px] h-2 w-px group-first:hidden',
                at || isNext ? 'bg-accent' : 'bg-line-strong',
              )}
            />
            <span
              aria-hidden="true"
              className={cx(
                'relative flex size-3.5 shrink-0 items-center justify-center rounded-full border',
                at
                  ? 'border-accent bg-accent text-on-accent'
                  : isNext
                    ? 'border-2 border-accent bg-surface'
                    : 'border-line-strong bg-surface',
              )}
            >
              {at ? <Check size={10} strokeWidth={3.5} /> : null}
            </span>
            <span className={at ? 'text-ink-2' : isNext ? 'font-semibold text-ink' : 'text-ink-3'}>
              {label}
              {at ? <span className="sr-only">, done</span> : null}
            </span>
            {at ? (
              <time dateTime={at} className="tabular ml-auto text-ink-3">
                {formatSoon(at, now)}
              </time>
            ) : isNext ? (
              <Waiting dueAt={dueAt} now={now} />
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

function Waiting({ dueAt, now }: { dueAt: string | null; now: number }) {
  if (dueAt === null) return <span className="ml-auto text-ink-3">waiting for an answer</span>
  return (
    <time dateTime={dueAt} className="tabular ml-auto text-ink-2">
      by {formatSoon(dueAt, now)}
    </time>
  )
}
