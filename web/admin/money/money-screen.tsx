import { useQuery } from '@tanstack/react-query'
import { membershipStates } from '#contract/membership.ts'
import type { Money } from '#contract/staff/money.ts'
import { formatDateTime, formatMoney, formatNumber } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { TestPaymentsMark } from '#web/kit/ui/test-payments-mark.tsx'
import { staffApi } from '../api.ts'
import { CsvButton, CsvNote } from '../csv-button.tsx'
import { DisputesPart, FailedOrdersPart, SharedCardsPart } from './matters.tsx'
import { stateLabels } from './money-labels.ts'
import { MonthsPart } from './months-part.tsx'
import { ReconciliationPart } from './reconciliation-part.tsx'

/** /admin/money: memberships and payments by month, and what needs a person. For admins. */
export function MoneyScreen() {
  const money = useQuery(staffApi.money.getMoney.queryOptions())
  const { data } = money
  return (
    <Page>
      <PageHeader
        title="Money"
        help="Memberships and payments. Months are in UTC."
        badge={data?.payments === 'test' ? <TestPaymentsMark /> : null}
        action={
          <CsvButton name="money" noun="Months" filter={{}} rows={data && formatNumber(data.months.length)} />
        }
      />
      {data ? (
        <Parts money={data} />
      ) : money.isError ? (
        <Card>
          <ErrorState
            title="The figures could not be loaded"
            onRetry={() => void money.refetch()}
            retrying={money.isFetching}
            error={money.error}
          />
        </Card>
      ) : (
        <Loading label="Loading the figures" className="flex flex-col gap-6">
          <Skeleton className="h-28 rounded-12" />
          <Skeleton className="h-80 rounded-12" />
        </Loading>
      )}
    </Page>
  )
}

function Parts({ money }: { money: Money }) {
  return (
    <>
      {money.payments === 'closed' ? (
        <Alert tone="info" title="Paid membership is not open">
          The settings of the payment partner are missing, so memberships are granted by staff.
        </Alert>
      ) : null}
      <Now money={money} />
      <MonthsPart months={money.months} />
      <ReconciliationPart reconciliation={money.reconciliation} isClosed={money.payments === 'closed'} />
      <DisputesPart disputes={money.disputes} />
      <FailedOrdersPart orders={money.failedOrders} />
      <SharedCardsPart cards={money.sharedCards} />
      <CsvNote />
    </>
  )
}

/** What the running subscriptions pay, and how many members are in each state. */
function Now({ money: { measuredAt, recurringCents, states } }: { money: Money }) {
  const figures = membershipStates.map((state) => ({
    label: stateLabels[state],
    value: formatNumber(states[state] ?? 0),
  }))
  return (
    <Card
      title="Now"
      help={`Measured every ten minutes, with the months below; last on ${formatDateTime(measuredAt)}.`}
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-4">
        <div className="w-full">
          <dt className="text-13 text-ink-2">Monthly recurring revenue</dt>
          <dd className="tabular text-28 font-semibold text-ink">{formatMoney(recurringCents)}</dd>
        </div>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-12 text-ink-2">{label}</dt>
            <dd className="tabular text-16 font-semibold text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
