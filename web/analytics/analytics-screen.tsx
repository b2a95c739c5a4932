import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartNoAxesCombined } from 'lucide-react'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import { figureMinimum } from '#contract/site.ts'
import { api } from '#web/api.ts'
import { formatNumber } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { DownloadButton } from '#web/kit/ui/download-button.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { paths } from '#web/paths.ts'
import { ChartCard } from './chart-card.tsx'
import { figures, percent } from './figures.ts'
import type { By } from './figures.ts'

type AnalyticsScreenProps = { by?: 'week'; onSearch: (search: { by?: 'week' }) => void }

/** /analytics: the member's own exchanges by month or week, beside the club's medians. */
export function AnalyticsScreen({ by, onSearch }: AnalyticsScreenProps) {
  const of: By = by ?? 'month'
  const query = useQuery(
    api.analytics.getAnalytics.queryOptions({ input: { by: of }, placeholderData: keepPreviousData }),
  )
  const periods = query.isPlaceholderData ? undefined : query.data?.periods
  const isEmpty = periods?.every(isQuiet) ?? false
  return (
    <Page>
      <PageHeader
        title="Analytics"
        help="Your own exchanges. Weeks begin on Monday; weeks and months are in UTC."
        action={
          <DownloadButton
            address={paths.analyticsFile(of)}
            name="evenhand-analytics.csv"
            disabledReason={isEmpty ? 'There is nothing to download yet.' : null}
          >
            CSV
          </DownloadButton>
        }
      />
      <Tabs
        label="Length of a period"
        tabs={[
          { value: 'month', label: 'By month' },
          { value: 'week', label: 'By week' },
        ]}
        value={of}
        onValueChange={(next) => onSearch(next === 'week' ? { by: 'week' } : {})}
      >
        {periods ? (
          isEmpty ? (
            <NothingYet />
          ) : (
            <Charts periods={periods} by={of} />
          )
        ) : query.isError ? (
          <Card padding="none">
            <ErrorState
              title="Your figures could not be loaded"
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
              error={query.error}
            />
          </Card>
        ) : (
          <Loading label="Loading your figures" className="flex flex-col gap-6">
            <Skeleton className="h-24 rounded-12" />
            <div className="grid gap-6 lg:grid-cols-2">
              <Skeleton className="h-80 rounded-12" />
              <Skeleton className="h-80 rounded-12" />
            </div>
          </Loading>
        )}
      </Tabs>
    </Page>
  )
}

function isQuiet({ given, received, waitHours, due }: AnalyticsPeriod) {
  return given === 0 && received === 0 && waitHours === null && due === 0
}

function Charts({ periods, by }: { periods: readonly AnalyticsPeriod[]; by: By }) {
  return (
    <div className="flex flex-col gap-6">
      <Sums periods={periods} by={by} />
      <div className={by === 'month' ? 'grid gap-6 lg:grid-cols-2' : 'grid gap-6'}>
        {figures.map((figure) => (
          <ChartCard key={figure.title} figure={figure} periods={periods} by={by} />
        ))}
      </div>
      <p className="max-w-reading text-13 text-pretty text-ink-2">
        The club median is the middle value among members who have this figure. It is shown for weeks and
        months that are over, where at least {figureMinimum.members} members have the figure.
      </p>
    </div>
  )
}

/** What the shown periods add up to. */
function Sums({ periods, by }: { periods: readonly AnalyticsPeriod[]; by: By }) {
  const sum = (of: (period: AnalyticsPeriod) => number) => periods.reduce((all, each) => all + of(each), 0)
  const [onTime, due] = [sum((each) => each.onTime), sum((each) => each.due)]
  const sums = [
    ['Given', formatNumber(sum(({ given }) => given))],
    ['Received', formatNumber(sum(({ received }) => received))],
    ['On time', due === 0 ? '–' : `${percent(onTime / due)} of ${formatNumber(due)}`],
  ] as const
  const span = periods.length === 1 ? `this ${by}` : `the last ${periods.length} ${by}s`
  return (
    <Card title="In all" help={`Over ${span}.`}>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {sums.map(([name, value]) => (
          <div key={name}>
            <dt className="text-13 text-ink-2">{name}</dt>
            <dd className="tabular text-22 font-semibold text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function NothingYet() {
  return (
    <Card padding="none">
      <EmptyState
        icon={<ChartNoAxesCombined />}
        title="Nothing to chart yet"
        className="pb-6!"
        action={
          <LinkButton href={paths.assets()} variant="primary">
            My Products
          </LinkButton>
        }
      >
        Your figures begin with your first exchange.
      </EmptyState>
      <dl className="mx-auto grid max-w-xl gap-x-6 gap-y-2 px-6 pb-10 text-13 sm:grid-cols-[auto_1fr]">
        {figures.map(({ title, when }) => (
          <div key={title} className="contents">
            <dt className="font-medium text-ink">{title}</dt>
            <dd className="text-pretty text-ink-2 max-sm:mb-2">{when}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
