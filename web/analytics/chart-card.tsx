import { ChevronRight, ChartNoAxesColumn } from 'lucide-react'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Chart } from '#web/kit/ui/chart.tsx'
import type { ChartSeries } from '#web/kit/ui/chart.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { pointOf } from './figures.ts'
import type { By, Figure } from './figures.ts'

type ChartCardProps = { figure: Figure; periods: readonly AnalyticsPeriod[]; by: By }

/** One figure over time: its chart, and the same values as a table. */
export function ChartCard({ figure, periods, by }: ChartCardProps) {
  const { title, help, when, own, club, format, isAmount, top } = figure
  const mine = periods.map(own)
  const medians = club ? periods.map(club) : []
  const hasOwn = mine.some((value) => value !== null && (value > 0 || !isAmount))
  const hasClub = medians.some((value) => value !== null)
  const series: ChartSeries[] = [
    { name: 'You', tone: 'accent', values: mine, ...(isAmount ? {} : { line: 'solid' as const }) },
    ...(hasClub ? [{ name: 'Club median', tone: 'neutral', values: medians, line: 'dashed' } as const] : []),
  ]
  return (
    <Card title={title} help={help}>
      {hasOwn || hasClub ? (
        <>
          <Chart
            label={`${title} by ${by}`}
            points={periods.map((period) => pointOf(period, by))}
            series={series}
            format={format}
            top={top}
          />
          <details className="group mt-4">
            <summary
              className={
                'inline-flex list-none items-center gap-1.5 rounded-4 text-13 font-medium text-ink-2 ' +
                'hover:text-ink [&::-webkit-details-marker]:hidden'
              }
            >
              <ChevronRight
                size={14}
                aria-hidden="true"
                className="transition-transform duration-(--calm) group-open:rotate-90"
              />
              As a table<span className="sr-only">: {title}</span>
            </summary>
            <div className="-mx-5 mt-2 max-h-80 overflow-y-auto border-t border-line">
              <Table
                caption={`${title} by ${by}`}
                dense
                columns={columnsOf(figure, by)}
                rows={periods.toReversed()}
                rowKey={({ start }) => start}
              />
            </div>
          </details>
        </>
      ) : (
        <p className="flex min-h-24 items-center gap-3 text-14 text-pretty text-ink-2">
          <ChartNoAxesColumn size={20} aria-hidden="true" className="shrink-0 text-ink-3" />
          {when}
        </p>
      )}
    </Card>
  )
}

function columnsOf({ own, club, format }: Figure, by: By): Column<AnalyticsPeriod>[] {
  const shown = (value: number | null) => (value === null ? '–' : format(value))
  return [
    {
      id: 'period',
      header: by === 'week' ? 'Week' : 'Month',
      cell: (period) => <span className="whitespace-nowrap">{pointOf(period, by).name}</span>,
    },
    { id: 'own', header: 'You', align: 'right', cell: (period) => shown(own(period)) },
    ...(club
      ? [
          {
            id: 'club',
            header: 'Club median',
            align: 'right' as const,
            cell: (period: AnalyticsPeriod) => shown(club(period)),
          },
        ]
      : []),
  ]
}
