import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import type { CaseRow, CaseTab } from '#contract/staff/moderation.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Kbd } from '#web/kit/ui/kbd.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { useServerClock } from '#web/matching/server-clock.ts'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { useListKeys } from '../list-keys.ts'
import { CaseClock } from './case-clock.tsx'
import { caseStates, outcomeLabels, reasonsOf } from './case-labels.ts'
import { useCaseUpdates } from './live.ts'

type CasesScreenProps = {
  /** Which list, from the URL. Undefined for the open cases. */
  tab?: Exclude<CaseTab, 'open'>
  onSearch: (search: { tab?: Exclude<CaseTab, 'open'> }) => void
}

/** /admin/moderation: the cases, the nearest deadline first. Overdue ones lead. */
export function CasesScreen({ tab, onSearch }: CasesScreenProps) {
  useCaseUpdates()
  const navigate = useNavigate()
  const query = useInfiniteQuery(
    staffApi.cases.listCases.infiniteOptions({
      input: (cursor: string | undefined) => ({ tab: tab ?? 'open', cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const first = query.data?.pages[0]
  useServerClock({ data: first, dataUpdatedAt: query.dataUpdatedAt })
  const rows = query.data?.pages.flatMap(({ items }) => items)
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen: (index) => {
      const row = rows?.[index]
      if (row) void navigate({ to: paths.adminCase(row.id) })
    },
    onEnd: () => void (query.hasNextPage && query.fetchNextPage()),
  })
  return (
    <Page width="full">
      <PageHeader
        title="Moderation"
        action={<FlagsLink />}
        help={
          <>
            {first?.counts.overdue ? `${first.counts.overdue} overdue. ` : null}
            No page here shows the stars.
            <span className="pointer-coarse:hidden">
              {' '}
              <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>Enter</Kbd> opens.
            </span>
          </>
        }
      />
      <Tabs
        label="Lists of cases"
        tabs={[
          { value: 'open', label: 'Open', count: first?.counts.open },
          { value: 'mine', label: 'Mine', count: first?.counts.mine },
          { value: 'decided', label: 'Decided' },
          { value: 'appeals', label: 'Appeals', count: first?.counts.appeals },
        ]}
        value={tab ?? 'open'}
        onValueChange={(next) => onSearch(next === 'open' ? {} : { tab: next })}
      >
        <Card padding="none">
          <Table
            caption="Cases"
            columns={columns}
            rows={rows}
            rowKey={({ id, appealId }) => appealId ?? id}
            rowProps={rowProps}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={{ icon: <Scale />, ...empties[tab ?? 'open'] }}
          />
          {rows && rows.length > 0 ? (
            <LoadMore
              hasMore={query.hasNextPage}
              busy={query.isFetchingNextPage}
              onLoadMore={() => void query.fetchNextPage()}
              shown={rows.length}
              noun={['case', 'cases']}
            />
          ) : null}
        </Card>
      </Tabs>
    </Page>
  )
}

/** To what automatic checks noticed, with how much of it is open. */
function FlagsLink() {
  const { data } = useQuery(staffApi.flags.listFlags.queryOptions({ input: { limit: 1 } }))
  return <LinkButton href={paths.adminFlags()}>Flags{data?.open ? ` (${data.open})` : ''}</LinkButton>
}

const empties: Record<CaseTab, { title: string; text: string }> = {
  open: { title: 'Nothing to decide', text: 'Reports and automatic checks open cases here.' },
  mine: {
    title: 'You have no cases',
    text: 'Take a case to keep others from deciding it at the same time.',
  },
  decided: { title: 'No case was decided yet', text: 'Decided cases stay here as a record.' },
  appeals: { title: 'No appeals', text: 'An appeal goes to another person than the one who decided.' },
}

const columns: Column<CaseRow>[] = [
  {
    id: 'case',
    header: 'Case',
    cell: (row) => (
      <span className="flex min-w-40 flex-col py-2">
        <TextLink href={paths.adminCase(row.id)}>
          {row.subject === 'review' ? 'Review of' : 'Listing of'} {row.productTitle}
        </TextLink>
        <span className="text-12 text-ink-3">{reasonsOf(row)}</span>
      </span>
    ),
  },
  {
    id: 'clock',
    header: 'Decide within',
    cell: ({ dueAt, closedAt, outcome }) =>
      dueAt ? (
        <CaseClock dueAt={dueAt} />
      ) : closedAt ? (
        <span className="text-13 text-ink-2">
          {outcome ? outcomeLabels[outcome] : 'Ended'}
          <span className="block text-12 text-ink-3">{formatDateTime(closedAt)}</span>
        </span>
      ) : (
        <span className="text-13 text-ink-3">Not our turn</span>
      ),
  },
  {
    id: 'state',
    header: 'State',
    wide: true,
    cell: ({ state, appealId }) =>
      appealId ? (
        <Badge tone="accent" dot>
          Appeal
        </Badge>
      ) : (
        <Badge tone={caseStates[state].tone} dot>
          {caseStates[state].label}
        </Badge>
      ),
  },
  {
    id: 'taken',
    header: 'Taken by',
    wide: true,
    cell: ({ takenBy }) => (takenBy === 'me' ? 'You' : takenBy === 'other' ? 'A colleague' : '—'),
  },
  {
    id: 'opened',
    header: 'Opened',
    wide: true,
    align: 'right',
    cell: ({ openedAt }) => formatDateTime(openedAt),
  },
]
