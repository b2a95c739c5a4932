import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag, Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Decision, Report } from '#contract/moderation.ts'
import { api } from '#web/api.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import type { Noun } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { paths } from '#web/paths.ts'
import { MyReport } from './my-report.tsx'

type ModerationScreenProps = {
  /** Which list, from the URL. Undefined for my reports. */
  list?: 'decisions'
  onSearch: (search: { list?: 'decisions' }) => void
}

/** /moderation: the reports I made and how they stand, and the decisions that concern me. */
export function ModerationScreen({ list, onSearch }: ModerationScreenProps) {
  return (
    <Page>
      <PageHeader
        title="Reports"
        help="What you reported, and what our staff decided about you. Every decision has its reasons."
      />
      <Tabs
        label="Lists"
        tabs={[
          { value: 'reports', label: 'Your reports' },
          { value: 'decisions', label: 'Decisions about you' },
        ]}
        value={list ?? 'reports'}
        onValueChange={(next) => onSearch(next === 'decisions' ? { list: 'decisions' } : {})}
      >
        {list === 'decisions' ? <Decisions /> : <Reports />}
      </Tabs>
    </Page>
  )
}

const pageByPage = {
  input: (cursor: string | undefined) => ({ cursor }),
  initialPageParam: undefined,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
}

function Reports() {
  const query = useInfiniteQuery(api.moderation.listReports.infiniteOptions(pageByPage))
  return (
    <List
      query={query}
      noun={['report', 'reports']}
      empty={
        <EmptyState icon={<Flag />} title="No reports">
          You can report a review of your product, or the listing of a product that you review, on its page.
        </EmptyState>
      }
      row={(report: Report) => (
        <>
          <p className="mb-1 text-13 text-ink-3">
            {report.subject === 'review' ? 'Review of ' : 'Listing of '}
            <TextLink
              href={
                report.subject === 'review'
                  ? paths.receivedReview(report.reviewId)
                  : paths.review(report.reviewId)
              }
            >
              {report.productTitle}
            </TextLink>
          </p>
          <MyReport report={report} />
        </>
      )}
    />
  )
}

function Decisions() {
  const query = useInfiniteQuery(api.moderation.listDecisions.infiniteOptions(pageByPage))
  return (
    <List
      query={query}
      noun={['decision', 'decisions']}
      empty={
        <EmptyState icon={<Scale />} title="No decisions">
          A decision about a review, a listing or a report of yours is shown here, with its reasons.
        </EmptyState>
      }
      row={(decision: Decision) => (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 text-14">
            <p className="font-medium text-ink">{decision.statement.what}</p>
            <p className="text-13 wrap-anywhere text-ink-3">
              {decision.productTitle}, {formatDateTime(decision.at)}
              {decision.overturnedAt ? ', reversed by an appeal' : null}
            </p>
          </div>
          <LinkButton size="sm" href={paths.decision(decision.id)}>
            {decision.appealUntil ? 'Read or appeal' : 'Read'}
          </LinkButton>
        </div>
      )}
    />
  )
}

type ListProps<Row> = {
  query: {
    data: { pages: { items: Row[] }[] } | undefined
    isError: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
  noun: Noun
  empty: ReactNode
  row: (row: Row) => ReactNode
}

function List<Row extends { id: string }>({ query, noun, empty, row }: ListProps<Row>) {
  const rows = query.data?.pages.flatMap(({ items }) => items)
  if (query.isError && !rows) {
    return (
      <Card>
        <ErrorState
          title={`Your ${noun[1]} could not be loaded`}
          onRetry={() => void query.refetch()}
          error={query.error}
        />
      </Card>
    )
  }
  if (!rows) {
    return (
      <Loading label={`Loading your ${noun[1]}`}>
        <Skeleton className="h-40 rounded-12" />
      </Loading>
    )
  }
  if (rows.length === 0) return <Card>{empty}</Card>
  return (
    <Card padding="none">
      <ul aria-label={noun[1]}>
        {rows.map((one) => (
          <li key={one.id} className="border-b border-line px-5 py-4 last:border-b-0">
            {row(one)}
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onLoadMore={() => void query.fetchNextPage()}
        shown={rows.length}
        noun={noun}
      />
    </Card>
  )
}
