import { figureDays } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { number } from '#contract/format.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { formatHours } from './fairness/labels.ts'
import { SectionHead } from './frame/section-head.tsx'
import { formatMoment } from './status/labels.ts'

/** Statistics of the club. Leaves out figures without enough data, and the section without any figures. */
export function LiveFigures({ figures, demo }: { figures: PublicStatistics; demo: boolean }) {
  const shown = shownFigures(figures)
  if (shown.length === 0 || !figures.measuredAt) return null
  return (
    <section className="border-t border-line">
      <div className="mx-auto max-w-content px-5 py-20 sm:px-6 sm:py-24">
        <SectionHead title="The club in figures" />
        <dl
          className={cx(
            'mt-10 grid gap-px overflow-hidden rounded-12 border border-line',
            'bg-line sm:auto-cols-fr sm:grid-flow-col',
          )}
        >
          {shown.map(({ label, value }) => (
            <div key={label} className="flex flex-col-reverse justify-end gap-1 bg-surface p-5 sm:p-6">
              <dt className="text-14 text-pretty text-ink-2">{label}</dt>
              <dd className="tabular text-36 font-semibold text-ink">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-13 text-ink-3">
          {demo ? 'This demo club’s members are made up. ' : null}
          Measured <time dateTime={figures.measuredAt}>{formatMoment(figures.measuredAt)}</time>.{' '}
          <TextLink href={paths.fairness()}>All figures and how we measure them</TextLink>
        </p>
      </div>
    </section>
  )
}

function shownFigures({ members, exchanges, waiting, ledger }: PublicStatistics) {
  return [
    members === null ? null : { label: 'members taking part', value: number(members) },
    exchanges && { label: 'reviews exchanged and verified', value: number(exchanges.ever) },
    waiting && {
      label: `median wait until a reviewer accepts, over the last ${figureDays} days`,
      value: formatHours(waiting.medianHours),
    },
    ledger && { label: 'the sum of all ledger entries, as it must be', value: number(ledger.sum) },
  ].filter((figure) => figure !== null)
}
