import { ChartNoAxesColumn } from 'lucide-react'
import type { MoneyMonth } from '#contract/staff/money.ts'
import { formatMoney, formatMonth, formatNumber, formatShortMonth } from '#web/kit/time.ts'
import { Chart } from '#web/kit/ui/chart.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'

/** Memberships by month: how many ran, and what began and ended, as charts and as a table. */
export function MonthsPart({ months }: { months: readonly MoneyMonth[] }) {
  const points = months.map(({ month }) => ({ name: formatMonth(month), short: formatShortMonth(month) }))
  const valuesOf = (key: 'active' | 'joined' | 'ended' | 'refunds' | 'disputes') =>
    months.map((each) => each[key])
  return (
    <>
      {months.length > 0 ? (
        <div className="grid gap-6 lg:grid-cols-2">
          <Card title="Active members" help="Members whose membership ran at the end of the month.">
            <Chart
              label="Active members by month"
              points={points}
              series={[{ name: 'Active', tone: 'accent', values: valuesOf('active') }]}
            />
          </Card>
          <Card title="What changed" help="Memberships that began or ended, refunds and disputes.">
            <Chart
              label="Changes of membership by month"
              points={points}
              series={[
                { name: 'Joined', tone: 'accent', values: valuesOf('joined') },
                { name: 'Ended', tone: 'neutral', values: valuesOf('ended') },
                { name: 'Refunds', tone: 'warning', values: valuesOf('refunds') },
                { name: 'Disputes', tone: 'danger', values: valuesOf('disputes') },
              ]}
            />
          </Card>
        </div>
      ) : null}
      <Card title="By month" padding="none">
        <Table
          caption="Memberships and payments by month"
          dense
          columns={columns}
          rows={months.toReversed()}
          rowKey={({ month }) => month}
          empty={{
            icon: <ChartNoAxesColumn />,
            title: 'No month yet',
            text: 'The first one appears with the first membership.',
          }}
        />
      </Card>
    </>
  )
}

const count = (id: Exclude<keyof MoneyMonth, 'month'>, header: string): Column<MoneyMonth> => ({
  id,
  header,
  align: 'right',
  cell: (month) => formatNumber(month[id]),
})

const money = (id: 'paidCents' | 'refundedCents', header: string): Column<MoneyMonth> => ({
  id,
  header,
  align: 'right',
  cell: (month) => formatMoney(month[id]),
})

const columns: Column<MoneyMonth>[] = [
  {
    id: 'month',
    header: 'Month',
    cell: ({ month }) => <span className="whitespace-nowrap">{formatMonth(month)}</span>,
  },
  count('active', 'Active'),
  count('joined', 'Joined'),
  count('paused', 'Paused'),
  count('pastDue', 'Past due'),
  count('ended', 'Ended'),
  count('refunds', 'Refunds'),
  count('disputes', 'Disputes'),
  money('paidCents', 'Paid'),
  money('refundedCents', 'Refunded'),
]
