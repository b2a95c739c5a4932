import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { LogFilter, LogRow } from '#contract/staff/logs.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { numberToSend } from '#web/kit/refusal-messages.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { CsvButton, CsvNote } from '../csv-button.tsx'
import { useListKeys } from '../list-keys.ts'
import { Count, formatTally, memberListKeys } from '../list-tools.tsx'
import { Shortcuts } from '../shortcuts.tsx'

type LogsScreenProps = LogFilter & { onFilter: (filter: LogFilter) => void }

/** /admin/logs: what members did, newest first. The address holds search and action. */
export function LogsScreen({ onFilter, ...filter }: LogsScreenProps) {
  const navigate = useNavigate()
  const { data: actions = [] } = useQuery(staffApi.logs.listLogActions.queryOptions())
  const logs = useInfiniteQuery(
    staffApi.logs.listLogs.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
    }),
  )
  const rows = logs.data?.pages.flatMap(({ items }) => items)
  const counts = logs.data?.pages[0]?.counts
  const searchedTo = logs.data?.pages.at(-1)?.searchedTo ?? null
  const { rowProps } = useListKeys({
    count: rows?.length ?? 0,
    onOpen(at) {
      const member = rows?.[at]?.member
      if (member) void navigate({ href: paths.adminUser(member.id) })
    },
    onEnd: () => void (logs.hasNextPage && loadMore()),
  })

  async function loadMore() {
    const { isFetchNextPageError, error } = await logs.fetchNextPage()
    if (isFetchNextPageError)
      toast({ title: 'Failed to load activity logs', description: numberToSend(error), tone: 'danger' })
  }

  return (
    <Page width="full">
      <PageHeader
        title="Activity Logs"
        help="What members and visitors did, newest first."
        action={
          <CsvButton
            name="logs"
            noun="Activity logs"
            filter={filter}
            rows={counts ? formatTally(counts.matching) : undefined}
          />
        }
      />
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Search activity logs"
          placeholder="Search by email, action, or metadata..."
          value={filter.search ?? ''}
          onSearch={(search) => onFilter({ ...filter, search: search || undefined })}
        />
        <Select
          label="Action"
          className="w-full sm:w-56"
          options={optionsOf(actions, filter.action)}
          value={filter.action ?? allActions}
          onValueChange={(action) =>
            onFilter({ ...filter, action: action === allActions ? undefined : (action ?? undefined) })
          }
        />
        <div className="ml-auto flex items-center gap-3">
          <Count counts={counts} noun="logs" />
          <Shortcuts keys={memberListKeys} />
        </div>
      </div>
      <Card padding="none">
        <Table
          dense
          caption="Activity logs"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowProps={rowProps}
          error={logs.error}
          failedTitle="Failed to load activity logs"
          onRetry={() => void logs.refetch()}
          empty={
            searchedTo === null
              ? {
                  icon: <ScrollText />,
                  title: 'No activity logs found',
                  text: 'Search for something else, or choose All Actions.',
                }
              : {
                  icon: <ScrollText />,
                  title: 'Nothing found so far',
                  text: 'Load more to search older logs.',
                }
          }
        />
        {searchedTo === null ? null : (
          <p className="border-t border-line px-5 py-2 text-13 text-ink-2">
            Searched back to {formatDateTime(searchedTo)}. Load more looks further; three letters or digits in
            a row search everything at once.
          </p>
        )}
        {rows && (rows.length > 0 || logs.hasNextPage) ? (
          <LoadMore
            shown={rows.length}
            noun={['log', 'logs']}
            hasMore={logs.hasNextPage}
            busy={logs.isFetchingNextPage}
            onLoadMore={() => void loadMore()}
          />
        ) : null}
      </Card>
      <CsvNote />
    </Page>
  )
}

const allActions = 'all'

/** The action in the address stays a choice while the list of actions loads, or fails to. */
function optionsOf(actions: string[], chosen: string | undefined) {
  const all = chosen === undefined || actions.includes(chosen) ? actions : [chosen, ...actions]
  return [
    { value: allActions, label: 'All Actions' },
    ...all.map((action) => ({ value: action, label: withSpaces(action) })),
  ]
}

const withSpaces = (action: string) => action.replaceAll('_', ' ')

const columns: Column<LogRow>[] = [
  {
    id: 'user',
    header: 'User',
    cell: ({ member }) =>
      member ? (
        <TextLink href={paths.adminUser(member.id)} className="inline-block min-w-44 wrap-anywhere">
          {member.email}
        </TextLink>
      ) : (
        <span className="text-ink-2">Unknown</span>
      ),
  },
  { id: 'action', header: 'Action', cell: ({ action }) => <Badge>{withSpaces(action)}</Badge> },
  {
    id: 'metadata',
    header: 'Metadata',
    cell: ({ metadata }) => (
      <code className="block max-w-[60ch] min-w-48 font-mono text-12 wrap-anywhere text-ink-2">
        {JSON.stringify(metadata)}
      </code>
    ),
  },
  {
    id: 'timestamp',
    header: 'Timestamp',
    align: 'right',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
  },
]
