import { declineReasons } from '#contract/matching-rules.ts'
import type { OpenMetrics } from '#contract/site.ts'
import { figureMethods } from '#contract/figure-methods.ts'
import { count, number, percent } from '#contract/format.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { paths } from '#web/paths.ts'
import { Explained, FigureCard, NotYet } from './fairness-figures.tsx'
import { countOf, formatHours, tooSmall } from './labels.ts'

const { open: methods } = figureMethods

type Week = OpenMetrics['weeks'][number]

/** How the rotation does over weeks that are over, and the published heads of the ledger. */
export function OpenMetricsSection({ open }: { open: OpenMetrics | null }) {
  return (
    <>
      <PageBand className="mt-14 sm:mt-20">
        <Explained title="Waiting, week by week" text={<p>{methods.weeks}</p>}>
          {open && open.weeks.some(({ hours }) => hours) ? (
            <Waiting weeks={open.weeks} />
          ) : (
            <NotYet>{open ? 'Shown after the first week with 20 accepted requests.' : tooSmall}</NotYet>
          )}
        </Explained>
      </PageBand>
      {open ? <Counts open={open} /> : null}
      <PageBand id="ledger" className="mt-14 sm:mt-20">
        <Explained
          title="The ledger’s chain"
          text={
            <>
              <p>
                Every entry of the ledger carries a hash of the one before. Once a day we publish a seal over
                them. A changed or missing entry no longer fits what was published.
              </p>
              <p>
                A signed statement (Reviews, Ledger) proves your own entries.{' '}
                <TextLink href={paths.ledgerSeals()}>All seals as JSON</TextLink>
              </p>
            </>
          }
        >
          {open?.ledger ? (
            <Heads months={open.ledger} />
          ) : (
            <NotYet>{open ? 'Shown after the first seal.' : tooSmall}</NotYet>
          )}
        </Explained>
      </PageBand>
    </>
  )
}

const cell = 'border-t border-line px-3 py-2.5 text-right tabular text-ink sm:px-5'
const head = 'px-3 py-2.5 text-right font-medium sm:px-5'

function Waiting({ weeks }: { weeks: readonly Week[] }) {
  return (
    <div className="rounded-12 border border-line bg-surface">
      <div className="p-5">
        <Chart weeks={weeks} />
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
          <Key look="bg-accent">Half waited at most</Key>
          <Key look="bg-warning">Nine of ten waited at most</Key>
        </p>
      </div>
      <table className="w-full text-14">
        <caption className="sr-only">Hours of waiting by week</caption>
        <thead className="bg-sunken text-13 text-ink-2">
          <tr>
            <th scope="col" className="px-3 py-2.5 text-left font-medium sm:px-5">
              Week of
            </th>
            <th scope="col" className={head}>
              Half
            </th>
            <th scope="col" className={head}>
              9 of 10
            </th>
            <th scope="col" className={head}>
              99 of 100
            </th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map(({ week, hours }) => (
            <tr key={week}>
              <th scope="row" className="border-t border-line px-3 py-2.5 text-left font-medium sm:px-5">
                {dayLabel(week)}
              </th>
              {hours ? (
                [hours.half, hours.nineOfTen, hours.ninetyNine].map((value, at) => (
                  <td key={at} className={cell}>
                    {formatHours(value)}
                  </td>
                ))
              ) : (
                <td colSpan={3} className={`${cell} text-ink-3`}>
                  Too few to show
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Key({ look, children }: { look: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 forced-color-adjust-none rounded-full ${look}`} />
      {children}
    </span>
  )
}

const width = 600
const height = 160

/** Two columns a week. The table below says the same. */
function Chart({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.map(({ hours }) => hours?.nineOfTen ?? 0))
  const step = width / Math.max(1, weeks.length)
  const tall = (value: number) => Math.max(2, (value / most) * height)
  return (
    <svg viewBox={`0 0 ${width} ${height + 1}`} className="h-auto w-full" aria-hidden="true">
      <path d={`M0 ${height + 0.5}H${width}`} className="stroke-line-strong" />
      {weeks.map(({ week, hours }, at) =>
        hours ? (
          <g key={week}>
            {[
              { value: hours.half, look: 'fill-accent', left: 0.18 },
              { value: hours.nineOfTen, look: 'fill-warning', left: 0.52 },
            ].map(({ value, look, left }) => (
              <rect
                key={look}
                x={(at + left) * step}
                y={height - tall(value)}
                width={step * 0.3}
                height={tall(value)}
                rx={2}
                className={look}
              />
            ))}
          </g>
        ) : null,
      )}
    </svg>
  )
}

function Counts({ open }: { open: OpenMetrics }) {
  const given = open.declines.filter(({ reason }) => reason !== null).length
  const { circles } = open
  return (
    <PageBand className="mt-14 sm:mt-20">
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <FigureCard
          title="Exchanges a day"
          value={open.exchangesPerDay === null ? null : String(open.exchangesPerDay)}
          hidden="Shown once four weeks have 20 exchanges."
          method={methods.exchangesPerDay}
        />
        <FigureCard
          title="Largest balance"
          value={open.largestBalance === null ? null : number(open.largestBalance)}
          unit="ahead or behind"
          hidden={tooSmall}
          method={methods.largestBalance}
        />
        <FigureCard
          title="Pairs that met both ways"
          value={countOf(open.reversePairs)}
          hidden={tooSmall}
          method={methods.reversePairs}
        />
        <FigureCard
          title="Circles of three"
          value={circles && countOf(circles.found)}
          unit={circles ? `${circles.byChance} expected by chance` : ''}
          hidden="Counted once a night."
          method={methods.circles}
        />
        {open.beacon ? (
          <FigureCard
            title="Draws with the public beacon"
            value={percent(open.beacon.share)}
            unit={
              open.beacon.requests === null
                ? 'of all requests'
                : `of ${count(open.beacon.requests, 'request')}`
            }
            hidden=""
            method={methods.beacon}
          />
        ) : null}
        <FigureCard
          title="Declines by reason"
          value={open.declines.length > 0 ? String(given) : null}
          unit={given === 1 ? 'reason was given' : 'different reasons were given'}
          hidden="No offer was declined in four full weeks."
          method={methods.declines}
        >
          <dl className="mt-3 space-y-1.5 text-14">
            {open.declines.map(({ reason, declines }) => (
              <div key={reason ?? ''} className="flex justify-between gap-3">
                <dt className="text-ink-2">{reason ? declineReasons[reason] : 'No reason given'}</dt>
                <dd className="tabular text-right text-ink">{countOf(declines)}</dd>
              </div>
            ))}
          </dl>
        </FigureCard>
      </div>
      <p className="mt-4 text-13 text-ink-3">
        <TextLink href={paths.figures()}>All figures as JSON</TextLink>
      </p>
    </PageBand>
  )
}

function Heads({ months }: { months: NonNullable<OpenMetrics['ledger']> }) {
  return (
    <ul className="divide-y divide-line rounded-12 border border-line bg-surface">
      {months.map(({ month, entries, sum, head: hash }) => (
        <li key={month} className="px-5 py-4">
          <p className="flex flex-wrap justify-between gap-x-4 text-14 text-ink">
            <span className="font-medium">{month}</span>
            <span className="tabular text-ink-2">
              {entries === null ? 'Few entries' : `${number(entries)} entries`}, sum {number(sum)}
            </span>
          </p>
          <p className="mt-1 font-mono text-12 break-all text-ink-3">{hash}</p>
        </li>
      ))}
    </ul>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const dayLabel = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`))
